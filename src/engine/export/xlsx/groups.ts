/** Groups as the rows of a sheet. */

import type { AllGroups } from '../../aggregate/aggregate.ts'
import type { ResultFacts, ResultRow } from '../../aggregate/group-query.ts'
import { type CellWriter, widthOf } from './cells.ts'
import type { SheetRows } from './xlsx.ts'

export interface NamedResult extends ResultFacts {
  readonly name: string
}

/** The groups as rows; column widths fit the first batch. Sums that a spreadsheet would round become texts. */
export async function sheetOfGroups(groups: AllGroups, results: readonly NamedResult[]): Promise<SheetRows> {
  const first = await groups.batches().next()
  const rows = first.done ? [] : first.value
  const longestIn = (result: number) => Math.max(0, ...rows.map((row) => row[result]?.length ?? 0))
  return {
    names: results.map(({ name }) => name),
    widths: results.map(({ name }, result) => widthOf(name, longestIn(result))),
    total: groups.count,
    async *write(cells) {
      let number = 2
      for await (const batch of groups.batches()) {
        for (const row of batch) writeGroup(row, results, cells, number++)
        yield batch.length
      }
    },
  }
}

function writeGroup(
  row: ResultRow,
  results: readonly NamedResult[],
  cells: CellWriter,
  number: number,
): void {
  cells.openRow(number)
  for (const [index, { type, isExact }] of results.entries()) {
    const text = row[index]
    if (text === null || text === undefined) continue
    const bytes = Buffer.from(text)
    if (isExact) cells.exact(index, bytes, 0, bytes.length)
    else cells.cell(index, type, bytes, 0, bytes.length)
  }
  cells.closeRow()
}
