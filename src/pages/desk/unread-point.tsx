/** @jsxImportSource preact */

import { OriginalMessage } from '../parts/original-message.tsx'
import { sayRefusal } from '../parts/say-refusal.ts'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { POINT_TEXTS } from '../texts/desk-points.ts'
import { asSentence } from './decision-texts.ts'
import { Point, type PointOptions } from './point.tsx'

/** No table was found, or what was decided does not fit the file. */
export function UnreadPoint({ draft }: PointOptions) {
  const language = useLanguage()
  const texts = useTexts(POINT_TEXTS)
  const { problem, report } = draft
  if (problem !== null) {
    const said = sayRefusal(language, problem)
    return (
      <Point title={texts.unfit}>
        <p>{said.text}</p>
        <OriginalMessage language={language} said={said} />
      </Point>
    )
  }
  const [refusal] = report?.refusals ?? []
  if (refusal === undefined) return null
  const original = asSentence(refusal.message)
  return (
    <Point title={refusal.kind === 'unsure' ? texts.unsure : texts.unread}>
      <p>{refusal.kind === 'unsure' ? texts.unsureText : texts.unreadText}</p>
      <OriginalMessage language={language} said={{ text: '', original }} />
    </Point>
  )
}
