/** @jsxImportSource preact */

import type { LastFailure } from '../../publish/published/published.ts'
import { Moment } from '../signed-in/moment.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { DESK_TEXTS } from '../texts/desk.ts'
import { sayReasons } from './say-reasons.ts'

/** Why the last file was refused or could not be fetched; in the service's own words where it knows no code for it. */
export function FailureNote({ failure: { kind, at, reason, reasons } }: { failure: LastFailure }) {
  const texts = useTexts(DESK_TEXTS)
  const said = sayReasons(useLanguage(), reasons)
  return (
    <details class="small failure">
      <summary>
        {kind === 'refresh' ? texts.refreshFailed : texts.ingestRefused} <Moment at={at} />
      </summary>
      {said.length === 0 && <p lang="en">{reason}</p>}
      {said.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </details>
  )
}
