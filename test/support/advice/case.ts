/** Advice in a report, with a file that leads to it, and what most such files consist of. */

import type { Definition } from '../../../src/read/definition/definition.ts'

/** What a person gives with a file: words after the command, and what a definition says besides id and domain. */
export interface Given {
  readonly typed?: string
  readonly defined?: Partial<Definition>
}

export interface AdviceCase {
  /** `file word`: the source file that gives it, and the option or field of the definition that it names. */
  readonly given: readonly string[]
  readonly file: string | Uint8Array
  /** The program's environment. */
  readonly env?: Readonly<Record<string, string>>
  /** A file ingested first, with its options and definition. */
  readonly served?: Given & { readonly file: string }
  /** What is given at the first attempt. */
  readonly at?: Given
  /** Output on the terminal. */
  readonly said: RegExp
  /** How to take the advice; gets the match, if the advice names something as JSON. */
  readonly take: Given | ((said: string) => Given)
  /** Rows that are imported afterwards. */
  readonly rows: number
}

export const lines = (...records: readonly string[]) => `${records.join('\n')}\n`
export const NAMES = ['Alba', 'Arad', 'Argeș', 'Bacău', 'Bihor', 'Brașov', 'Cluj', 'Dolj']
export const ROWS = NAMES.map((name, i) => `${name},${i},${i * 7}`)
export const TABLE = lines('judet,total,femei', ...ROWS)
export const columns = (...given: NonNullable<Definition['columns']>) => ({ columns: given })
