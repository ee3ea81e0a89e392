import type { Value } from '../../src/engine/columns/column.ts'
import { entryText } from '../../src/engine/filter/entry-search.ts'
import type { OpenDataset } from '../../src/engine/memory/open-dataset.ts'

/** One row (0-based, file order) of an open dataset as an object of all its columns, read code by code. */
export function readRow(dataset: OpenDataset, row: number): Record<string, Value | null> {
  const values: Record<string, Value | null> = {}
  for (const [column, { name, type, codeWidth }] of dataset.columns.entries()) {
    const at = dataset.segment(column, 'codes') + row * codeWidth
    let code = 0
    for (let byte = codeWidth - 1; byte >= 0; byte--) code = code * 256 + dataset.regions.bytes[at + byte]!
    const text = code === 0 ? null : entryText(dataset, column, code)
    if (text === null || type === 'string' || type === 'date' || type === 'datetime') values[name] = text
    else values[name] = type === 'boolean' ? text === 'true' : Number(text)
  }
  return values
}
