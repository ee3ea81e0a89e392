/** @jsxImportSource preact */

import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { formatMoment } from './moments.ts'
import { useLanguage, useTexts } from './page-language.ts'

/** The time of an event; `null`: never. */
export function Moment({ at }: { at: string | null }) {
  const language = useLanguage()
  const { never } = useTexts(ACCOUNT_TEXTS)
  if (at === null) return <>{never}</>
  return (
    <time dateTime={at} title={at}>
      {formatMoment(language, at)}
    </time>
  )
}
