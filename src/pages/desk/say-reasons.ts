/** What the service says of a file, in the page's language: by its codes, from one table per language. */

import type { Reason } from '../../base/errors.ts'
import type { Language } from '../../base/text/language.ts'
import { REASON_TEXTS } from '../texts/desk-reasons.ts'
import { WARNING_TEXTS } from '../texts/desk-warnings.ts'

type Table = Readonly<Record<string, (values: never) => string>>

/** The sentence of one code; undefined for a code of a newer version of the service than the page. */
function say(table: Table, { code, values }: Reason): string | undefined {
  return Object.hasOwn(table, code) ? table[code]?.(values as never) : undefined
}

/** null: the page does not know the code. */
export function sayWarning(language: Language, warning: Reason): string | null {
  return say(WARNING_TEXTS[language], warning) ?? null
}

/** The sentences of all reasons, in their order; none when there are none, or one of them is unknown. */
export function sayReasons(language: Language, reasons: readonly Reason[] = []): string[] {
  const said = reasons.map((reason) => say(REASON_TEXTS[language], reason))
  return said.every((text) => text !== undefined) ? said : []
}
