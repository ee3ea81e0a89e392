/** @jsxImportSource preact */
/** The form of a draft: which dataset it becomes an edition of, and the texts about it. It has no button: it saves itself. */

import { useRef } from 'preact/hooks'
import { tableReport } from '../../../publish/drafts/questions.ts'
import type { PublishedEntry } from '../../../publish/published/published.ts'
import { domainName } from '../../parts/domain-name.ts'
import { read } from '../../signed-in/api.ts'
import { Fields } from '../../signed-in/fields.tsx'
import { TypedForm } from '../../signed-in/form.tsx'
import { useLoaded } from '../../signed-in/loading.tsx'
import { useTexts } from '../../signed-in/page-language.ts'
import { Section } from '../../signed-in/section.tsx'
import { ABOUT_TEXTS } from '../../texts/desk.ts'
import { EDITION_TEXTS } from '../../texts/desk-points.ts'
import { AboutFields, DomainFields, decisionOf, type TypedAbout } from '../about-fields.tsx'
import { DESK_API } from '../desk-places.ts'
import { aboutOf } from './draft-facts.ts'
import type { DraftViewOptions } from './use-draft.ts'
import type { Typing } from './use-typing.ts'

const ID_FIELD = [{ name: 'id', maxLength: 64, autoComplete: 'off' }] as const
const MODES = ['replace', 'append'] as const

export interface FormOptions extends DraftViewOptions {
  readonly typing: Typing
  readonly edition: ReturnType<typeof useEdition>
}

export function AboutForm(options: FormOptions) {
  const { facts, draft, typing } = options
  const texts = useTexts(ABOUT_TEXTS)
  const { dataset, served_version: version } = draft
  const isNew = version === null
  return (
    <Section
      class="card"
      id="about-heading"
      title={texts.title}
      text={isNew ? texts.newText : texts.editionText(dataset.id, domainName(facts, dataset.domain ?? ''))}
    >
      <EditionChoice {...options} />
      <TypedForm
        id="about"
        form={typing.form}
        trouble={typing.trouble}
        onType={typing.onType}
        onEnter={typing.flush}
      >
        <AboutFields facts={facts} said={aboutOf(draft)}>
          {isNew && (
            <>
              <DomainFields facts={facts} domain={dataset.domain} />
              <Fields texts={texts} values={dataset} rows={ID_FIELD} />
            </>
          )}
        </AboutFields>
      </TypedForm>
      <p role="status" class="small soft">
        {typing.said || texts.keptAlways}
      </p>
    </Section>
  )
}

/** Arrow keys step through a list, and each option passed would have the file read again. */
const PAUSE_MS = 600

/** Makes the draft an edition of a dataset, or a new dataset again, with the texts typed for that before. */
export function useEdition({ desk, typing }: Pick<FormOptions, 'desk' | 'typing'>) {
  const before = useRef<TypedAbout>({})
  const waiting = useRef<{ readonly dataset: string | null; readonly timer: ReturnType<typeof setTimeout> }>(
    null,
  )
  const choose = async (dataset: string | null) => {
    const saved = await typing.flush()
    if (saved?.served_version === null) before.current = typing.typed()
    const { id: _, ...typed } = before.current
    await desk.decide({ dataset, ...(dataset === null && decisionOf(typed)) })
  }
  const settle = async () => {
    const chosen = waiting.current
    waiting.current = null
    if (chosen === null) return
    clearTimeout(chosen.timer)
    await choose(chosen.dataset)
  }
  return {
    choose,
    /** Applies the chosen option once no other follows. */
    chooseLater(dataset: string | null) {
      clearTimeout(waiting.current?.timer)
      waiting.current = { dataset, timer: setTimeout(() => void settle(), PAUSE_MS) }
    },
    /** As `flush` of `typing`, after the chosen option. */
    async flush() {
      await settle()
      return await typing.flush()
    },
  }
}

const PAGE = 200
/** A longer list is of no use; other datasets are reached by the button beside each on the desk's first page. */
const MOST_OFFERED = 1000

async function readDatasets(): Promise<readonly PublishedEntry[]> {
  const all: PublishedEntry[] = []
  for (let hasNext = true; hasNext && all.length < MOST_OFFERED; ) {
    const path = `${DESK_API}/datasets?limit=${PAGE}&offset=${all.length}`
    const page = await read<{ data: PublishedEntry[]; pagination: { has_next: boolean } }>(path)
    all.push(...page.data)
    hasNext = page.pagination.has_next
  }
  return all
}

function EditionChoice({ desk, draft, edition }: FormOptions) {
  const texts = useTexts(EDITION_TEXTS)
  const datasets = useLoaded(readDatasets)
  const { dataset, served_version: version, candidates } = draft
  const alike = new Set(candidates.map(({ id }) => id))
  const listed = [...candidates, ...(datasets.value ?? [])]
  const isListed = listed.some(({ id }) => id === dataset.id)
  const own = version === null || isListed ? [] : [{ id: dataset.id, title: dataset.title ?? dataset.id }]
  const others = [...own, ...(datasets.value ?? []).filter(({ id }) => !alike.has(id))]
  if (version === null && listed.length === 0) return null
  const chosen = version === null ? '' : dataset.id
  const option = ({ id, title }: { readonly id: string; readonly title: string }) => (
    <option key={id} value={id} selected={id === chosen}>
      {title === id ? id : `${title} (${id})`}
    </option>
  )
  return (
    <>
      <div class="grid">
        <div class="field">
          <label for="edition-of">{texts.editionOf}</label>
          <select
            id="edition-of"
            aria-describedby="edition-of-hint"
            onChange={(event) => edition.chooseLater(event.currentTarget.value || null)}
          >
            <option value="" selected={chosen === ''}>
              {texts.newDataset}
            </option>
            {candidates.length > 0 && <optgroup label={texts.alike}>{candidates.map(option)}</optgroup>}
            {others.length > 0 && <optgroup label={texts.others}>{others.map(option)}</optgroup>}
          </select>
          <span class="hint" id="edition-of-hint">
            {texts.editionOfHint}
          </span>
        </div>
      </div>
      {version !== null && <ModeChoice desk={desk} draft={draft} />}
    </>
  )
}

function ModeChoice({ draft, desk }: Pick<FormOptions, 'draft' | 'desk'>) {
  const texts = useTexts(EDITION_TEXTS)
  const chosen = draft.definition.mode ?? 'replace'
  const report = tableReport(draft)
  const [now, found] = [draft.served_rows ?? 0, report?.rows.imported ?? 0]
  const after = { replace: found, append: now - (report?.append?.replaced ?? 0) + found }
  return (
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
          <span>
            {texts[`mode_${mode}`]} <span class="small soft">{texts.rowsMoved(now, after[mode])}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
