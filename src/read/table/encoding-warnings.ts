/** What a report says about the encoding of a file when its bytes leave a doubt. */

import { adviseOption, type ReadOptions } from '../definition/read-options.ts'
import type { Unproven } from '../report/decisions.ts'
import { BROKEN_BYTE, showBroken } from '../report/marks.ts'
import { type Warning, warn } from '../report/warnings.ts'
import type { DecodedSource } from '../source/decode-source.ts'

/** What is unproven of the encoding, and the option that settles it. */
export function doubtEncoding(
  { encoding, doubt }: DecodedSource,
  { encoding: asked }: ReadOptions,
): Warning[] {
  if (doubt === null) return []
  const { word, other } = doubt
  const confirm = `${adviseOption('encoding', encoding)} confirms`
  const nothing = `the encoding is taken to be ${encoding}, but nothing proves it`
  if (other === null)
    return [
      warn(
        'encoding_words',
        { encoding, word },
        `${nothing}: words such as '${word}' are of no language that it is for. ${adviseOption('encoding')} names another one, ${confirm}`,
      ),
    ]
  const values = { encoding, word, other: other.word, other_encoding: other.encoding }
  const readsSo = `${adviseOption('encoding', other.encoding)} reads it so`
  if (asked !== undefined)
    return [
      warn(
        'encoding_asked',
        values,
        `the file is read as ${encoding}, as asked, but all of it is valid ${other.encoding}: '${word}' would be '${other.word}'. ${readsSo}`,
      ),
    ]
  return [
    warn(
      'encoding_other',
      values,
      `${nothing}: '${word}' would be '${other.word}' in ${other.encoding}. ${readsSo}, ${confirm}`,
    ),
  ]
}

/** An encoding that nothing proves and that nobody asked for. */
export function unprovenEncoding(
  { encoding, doubt }: DecodedSource,
  { encoding: asked }: ReadOptions,
): Unproven[] {
  return doubt === null || asked !== undefined ? [] : [{ kind: 'encoding', column: null, read_as: encoding }]
}

/** @param cells of the header, as they were decoded */
export function brokenNames(cells: readonly string[], encoding: string): Warning[] {
  const broken = cells.filter((cell) => cell.includes(BROKEN_BYTE)).map((cell) => `'${showBroken(cell)}'`)
  if (broken.length === 0) return []
  return [
    warn(
      'header_bytes',
      { encoding, names: broken.join(', ') },
      `the header has bytes that ${encoding} does not have, in ${broken.join(', ')}. If the file is in another encoding, name it with ${adviseOption('encoding')}; else say in a definition what the columns are called`,
    ),
  ]
}
