/** @jsxImportSource preact */

/** Why the last step of a draft came to nothing. */

import type { DraftProblem } from '../../store/catalog/drafts.ts'
import { OriginalMessage } from '../parts/original-message.tsx'
import { sayRefusal } from '../parts/say-refusal.ts'
import { useLanguage } from '../signed-in/page-language.ts'
import { sayReasons } from './say-reasons.ts'

export function ReasonTexts({ problem }: { problem: DraftProblem }) {
  const language = useLanguage()
  const reasons = sayReasons(language, problem.reasons)
  if (reasons.length > 0)
    return (
      <>
        {reasons.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </>
    )
  const said = sayRefusal(language, problem)
  return (
    <>
      <p>{said.text}</p>
      <OriginalMessage language={language} said={said} />
    </>
  )
}
