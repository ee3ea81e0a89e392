/** The texts in a version's columns that searches of the catalog look into (contract 14). */

import { closing } from '../../../base/closing.ts'
import { maskPersonal } from '../../../read/values/personal-data.ts'
import { readDictionary, textOfCode, VersionFile } from '../../files/open-version.ts'
import { indexedTexts } from './search-terms.ts'

/** Stored with the version, so that its file need not be read when it is served again, here or on another node. */
export interface SearchedTexts {
  /** Distinct texts by column. */
  readonly columns: Readonly<Record<string, readonly string[]>>
  /** In the form of the index. */
  readonly words: string
}

/** Distinct texts of a column. */
const MOST_TEXTS = 1000
/** Characters per dataset; with words, stems and the index they take up to 2 MB. */
const MOST_CHARACTERS = 2 ** 18

/**
 * Takes columns with the fewest texts first, as long as there is room. Leaves out columns in `personal`, and those with
 * a text that looks like personal data.
 * @param personal columns that are acknowledged or suspected to hold personal data
 * @throws DamagedFileError
 */
export function searchedTexts(path: string, personal: readonly string[]): SearchedTexts {
  using file = closing(VersionFile.open(path))
  const columns: Record<string, readonly string[]> = {}
  let left = MOST_CHARACTERS
  const few = [...file.columns.entries()]
    .filter(([, { type, distinct }]) => type === 'string' && distinct <= MOST_TEXTS)
    .sort(([, a], [, b]) => a.distinct - b.distinct)
  for (const [position, { name, distinct, segments }] of few) {
    if (personal.includes(name) || (segments.heap ?? 0) > 4 * left) continue
    const dictionary = readDictionary(file, position)
    const texts = Array.from({ length: distinct }, (_, at) => textOfCode(dictionary, at + 1)!)
    const length = texts.reduce((sum, text) => sum + text.length, 0)
    if (length > left || texts.some((text) => maskPersonal(text) !== text)) continue
    left -= length
    columns[name] = texts
  }
  return { columns, words: indexedTexts(Object.values(columns).flat()) }
}
