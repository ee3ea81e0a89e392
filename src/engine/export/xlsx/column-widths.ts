/** How wide the columns of a sheet are, in characters. */

import type { OpenDataset } from '../../memory/open-dataset.ts'

const NARROWEST = 8
const WIDEST = 60
/** Entries looked at in a column: enough for its usual length. */
const LOOKED_AT = 512
/** Beside the text, the button of the filter. */
const ROOM = 3

/** Of each of the columns, from its name and its longest values. Their bytes are counted: close enough. */
export function columnWidths(dataset: OpenDataset, fields: readonly number[]): number[] {
  return fields.map((column) => {
    const { name, distinct, type } = dataset.columns[column]!
    const longest = type === 'datetime' ? 'yyyy-mm-dd hh:mm:ss'.length : longestOf(dataset, column, distinct)
    return widthOf(name, longest)
  })
}

/** Of a column with such a name and values of up to so many characters. */
export function widthOf(name: string, longest: number): number {
  return Math.min(WIDEST, Math.max(NARROWEST, name.length + ROOM, longest + 1))
}

function longestOf(dataset: OpenDataset, column: number, distinct: number): number {
  const { words } = dataset.regions
  const offsets = dataset.segment(column, 'offsets') / 4
  const step = Math.max(1, Math.floor(distinct / LOOKED_AT))
  let longest = 0
  for (let code = 1; code <= distinct; code += step)
    longest = Math.max(longest, words[offsets + code]! - words[offsets + code - 1]!)
  return longest
}
