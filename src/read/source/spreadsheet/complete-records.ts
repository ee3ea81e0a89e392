/**
 * Makes the records of a sheet a table: all of one width, merged blocks filled down. Merges and the width are known
 * only when the sheet has been read, so this is a second pass, over the records and not over the sheet.
 */

import type { Budget } from '../conversion/budget.ts'
import { countCells, RecordFile, splitCells, splitRecords } from '../conversion/record-file.ts'
import type { Merge, SheetRecords } from './sheet-records.ts'

/** Cells of one column that got their value from a merged block: records from 1, inclusive. */
export type Filled = { readonly cell: number; readonly from: number; readonly to: number }

/** @returns the path of the completed records and what was filled */
export function completeRecords(
  sheet: SheetRecords,
  path: string,
  budget: Budget,
): { path: string; filled: readonly Filled[] } {
  const vertical = sheet.merges.filter(({ top, bottom }) => bottom > top)
  if (vertical.length === 0 && sheet.leastCells >= sheet.columns) return { path: sheet.file.path, filled: [] }
  using output = new RecordFile(path, budget)
  const filled: Filled[] = []
  // The next one to start is the last.
  const starting = vertical.toSorted((a, b) => b.top - a.top)
  let active: { readonly merge: Merge; value: string }[] = []
  let record = 0
  for (const bytes of splitRecords(sheet.file.path)) {
    record++
    if (active.length > 0) active = active.filter(({ merge }) => merge.bottom >= record)
    while ((starting.at(-1)?.top ?? Number.POSITIVE_INFINITY) <= record) {
      const merge = starting.pop() as Merge
      if (merge.bottom >= record) active.push({ merge, value: '' })
    }
    // Rows that are blank otherwise stay blank.
    let text = bytes.toString('utf8')
    if (bytes.length > 0 && active.length === 0) text += ','.repeat(sheet.columns - countCells(bytes))
    else if (bytes.length > 0) {
      const cells = splitCells(text)
      while (cells.length < sheet.columns) cells.push('')
      for (const block of active) fillCell(block, record, cells, filled)
      text = cells.join(',')
    }
    output.append(`${text}\n`)
  }
  output.finish()
  return { path, filled }
}

/** Carries the value of a merged block down its first column. @param cells escaped */
function fillCell(
  block: { readonly merge: Merge; value: string },
  record: number,
  cells: string[],
  filled: Filled[],
): void {
  const { left, top } = block.merge
  if (record === top) block.value = cells[left] ?? ''
  if (record === top || block.value === '' || cells[left] !== '') return
  cells[left] = block.value
  const last = filled.at(-1)
  if (last && last.cell === left && last.to === record - 1 && last.from > top)
    filled[filled.length - 1] = { ...last, to: record }
  else filled.push({ cell: left, from: record, to: record })
}
