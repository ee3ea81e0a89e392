/** @jsxImportSource preact */

import type { LastFailure } from '../../upkeep/published/published.ts'
import { Moment } from '../signed-in/moment.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import { DESK_TEXTS } from '../texts/desk.ts'

/** Why the last file was refused or could not be fetched; the service says it in English. */
export function FailureNote({ failure: { kind, at, reason } }: { failure: LastFailure }) {
  const texts = useTexts(DESK_TEXTS)
  return (
    <details class="small failure">
      <summary>
        {kind === 'refresh' ? texts.refreshFailed : texts.ingestRefused} <Moment at={at} />
      </summary>
      <p lang="en">{reason}</p>
    </details>
  )
}
