/** @jsxImportSource preact */

/** What can be done with a draft beside publishing it. */

import { useTexts } from '../signed-in/page-language.ts'
import { DRAFT_TEXTS } from '../texts/desk-draft.ts'
import { tableReport } from './draft-facts.ts'
import { DraftRemoval } from './draft-removal.tsx'
import type { DraftViewOptions } from './draft-view.ts'
import { DESK_API } from './places.ts'

export function DraftEnd(options: DraftViewOptions) {
  const { draft } = options
  const texts = useTexts(DRAFT_TEXTS)
  return (
    <section aria-labelledby="end-title">
      <h2 id="end-title">{texts.end}</h2>
      <p class="soft">{texts.endText}</p>
      <div class="row">
        {tableReport(draft) !== undefined && (
          <a class="button" href={`${DESK_API}/drafts/${draft.id}/definition`} download>
            {texts.definition}
          </a>
        )}
        <DraftRemoval {...options} label={texts.removeDraft} />
      </div>
    </section>
  )
}
