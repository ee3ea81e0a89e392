/** @jsxImportSource preact */

import type { Language } from '../../mail/language.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { formatMoment } from './moments.ts'

/** When something happened; `null`: it never did. */
export function Moment({ language, at }: { language: Language; at: string | null }) {
  if (at === null) return <>{ACCOUNT_TEXTS[language].never}</>
  return (
    <time dateTime={at} title={at}>
      {formatMoment(language, at)}
    </time>
  )
}
