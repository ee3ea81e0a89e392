/** An advice of a report, in a file that brings it about, and what most such files are made of. */

import type { Definition } from '../../../src/read/definition/definition.ts'

/** What a person gives with a file: words behind the command, and what a definition says besides id and domain. */
export interface Given {
  readonly typed?: string
  readonly defined?: Partial<Definition>
}

export interface AdviceCase {
  /** `file word`: the file of the sources that gives it, and the option or the definition's field that it names. */
  readonly given: readonly string[]
  readonly file: string | Uint8Array
  /** The program's environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Ingested before, with what is given. */
  readonly served?: Given & { readonly file: string }
  /** Given at first. */
  readonly at?: Given
  /** What the terminal says. */
  readonly said: RegExp
  /** The advice taken; of what it names as JSON the match. */
  readonly take: Given | ((said: string) => Given)
  /** Rows that are imported then. */
  readonly rows: number
}

export const lines = (...records: readonly string[]) => `${records.join('\n')}\n`
export const NAMES = ['Alba', 'Arad', 'Argeș', 'Bacău', 'Bihor', 'Brașov', 'Cluj', 'Dolj']
export const ROWS = NAMES.map((name, i) => `${name},${i},${i * 7}`)
export const TABLE = lines('judet,total,femei', ...ROWS)
export const columns = (...given: NonNullable<Definition['columns']>) => ({ columns: given })
