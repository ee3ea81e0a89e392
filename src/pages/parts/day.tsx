/** @jsxImportSource preact */

import type { Language } from '../../base/text/language.ts'
import { formatDay } from '../texts/texts.ts'

/** The day of an RFC 3339 timestamp, in words. */
export function Day({ language, at }: { language: Language; at: string }) {
  return <time dateTime={at}>{formatDay(language, at)}</time>
}
