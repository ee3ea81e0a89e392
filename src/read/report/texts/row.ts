/** The service's sentences about a file or an address, by code: one row for each. */

import type { FailureKind, Reason } from '../../../base/errors.ts'
import type { Language } from '../../../base/text/language.ts'

/** A text, or a function that makes it from the values. */
type Say<V> = string | ((values: V) => string)

type Nothing = Record<string, never>

/** Whole sentences. @typeParam V the values, which are public */
export interface Row<V> extends Readonly<Record<Language, Say<V>>> {
  /** What to do about it with the controls of the desk. */
  readonly desk?: Readonly<Record<Language, Say<V>>>
  /** What to do about it with options of the command line, or in a definition. */
  readonly shell?: Say<V>
  /** The option that resolves it, for programs. */
  readonly override?: Say<V>
  /** The kind of error that a refusal ends a command with; left out: `refused`. */
  readonly kind?: FailureKind
}

export type Rows = Readonly<Record<string, Row<never>>>
export type ValuesOf<R> = R extends Row<infer V> ? V : never

export function row<V extends Reason['values'] = Nothing>(says: Row<V>): Row<V> {
  return says
}

/** One text of a row, with the values filled in. */
export function fill<V>(text: Say<V> | undefined, values: V): string {
  return typeof text === 'function' ? text(values) : (text ?? '')
}

/** @returns undefined for a code that a newer version of the service added */
export function sayOnDesk(rows: Rows, language: Language, { code, values }: Reason): string | undefined {
  const found = Object.hasOwn(rows, code) ? rows[code] : undefined
  return found && join([found[language], found.desk?.[language]], values)
}

/** For the command line and for programs. */
export function sayInShell(rows: Rows, { code, values }: Reason): string {
  const { en, shell } = rows[code] as Row<never>
  return join([en, shell], values)
}

function join(texts: readonly (Say<never> | undefined)[], values: Reason['values']): string {
  return texts
    .map((text) => fill(text, values as never))
    .filter((text) => text !== '')
    .join(' ')
}
