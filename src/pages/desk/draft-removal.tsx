/** @jsxImportSource preact */

import { accountLink } from '../account/places.ts'
import { change } from '../signed-in/api.ts'
import { Dialog } from '../signed-in/dialog.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import { useQuestion } from '../signed-in/status.tsx'
import { DESK_TEXTS } from '../texts/desk.ts'
import type { DraftViewOptions } from './draft-view.ts'
import { DESK_API, deskPath } from './places.ts'

/** The button that removes a draft, which asks before. */
export function DraftRemoval({
  facts,
  draft,
  label,
}: Pick<DraftViewOptions, 'facts' | 'draft'> & { label: string }) {
  const texts = useTexts(DESK_TEXTS)
  const question = useQuestion<'remove'>()
  return (
    <>
      <button type="button" onClick={() => question.ask('remove')}>
        {label}
      </button>
      {question.open && (
        <Dialog
          id="remove-draft"
          title={texts.removeDraftTitle(draft.file.name)}
          text={texts.removeDraftText}
          submit={texts.remove}
          tone="danger"
          onClose={question.close}
          send={async () => {
            await change('DELETE', `${DESK_API}/drafts/${draft.id}`)
            return () => location.assign(accountLink(facts, deskPath({ page: 'home' })))
          }}
        />
      )}
    </>
  )
}
