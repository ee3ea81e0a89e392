/** @jsxImportSource preact */

import { OriginalMessage } from '../parts/original-message.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { POINT_TEXTS } from '../texts/desk-points.ts'
import { asSentence } from './decision-texts.ts'
import { Point, type PointOptions } from './point.tsx'
import { ReasonTexts } from './reason-texts.tsx'
import { sayReasons } from './say-reasons.ts'

/** No table was found, or what was decided does not fit the file. */
export function UnreadPoint({ draft }: PointOptions) {
  const language = useLanguage()
  const texts = useTexts(POINT_TEXTS)
  const { problem, report } = draft
  if (problem !== null) {
    return (
      <Point title={texts.unfit}>
        <ReasonTexts problem={problem} />
      </Point>
    )
  }
  const [refusal] = report?.refusals ?? []
  if (refusal === undefined) return null
  const isUnsure = refusal.kind === 'unsure'
  const reasons = sayReasons(language, 'reasons' in refusal ? refusal.reasons : [])
  const original = reasons.length > 0 ? null : asSentence(refusal.message)
  return (
    <Point title={isUnsure ? texts.unsure : texts.unread}>
      {reasons.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {original !== null && <p>{isUnsure ? texts.unsureText : texts.unreadText}</p>}
      <OriginalMessage language={language} said={{ text: '', original }} />
    </Point>
  )
}
