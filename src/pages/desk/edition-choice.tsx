/** @jsxImportSource preact */

/** Whether a file is the next edition of a dataset, and whether its rows replace those served or are added to them. */

import { useTexts } from '../signed-in/page-language.ts'
import { POINT_TEXTS } from '../texts/desk-points.ts'
import { tableReport } from './draft-facts.ts'
import type { DraftViewOptions } from './draft-view.ts'

const MODES = ['replace', 'append'] as const

export function EditionChoice({ draft, desk }: DraftViewOptions) {
  const texts = useTexts(POINT_TEXTS)
  const { dataset, served_version: version, definition } = draft
  if (version === null) return <p>{texts.newDataset(dataset.title ?? dataset.id)}</p>
  const chosen = definition.mode ?? 'replace'
  const append = tableReport(draft)?.append
  return (
    <>
      <p>{texts.edition(dataset.title ?? dataset.id, version)}</p>
      <fieldset class="checks">
        <legend>{texts.modeText}</legend>
        {MODES.map((mode) => (
          <label key={mode} class="check">
            <input
              type="radio"
              name="mode"
              checked={chosen === mode}
              onChange={() => void desk.decide({ mode })}
            />
            <span>{texts[`mode_${mode}`]}</span>
          </label>
        ))}
      </fieldset>
      {append && <p class="small soft">{texts.appended(append.rows, append.replaced)}</p>}
    </>
  )
}
