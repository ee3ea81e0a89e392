/**
 * Makes the records of a sheet a table: all of one width, merged blocks filled down. Merges and the width are known
 * only when the sheet has been read, so this is a second pass, over the records and not over the sheet.
 */

import type { Budget } from '../conversion/budget.ts'
import { countCells, splitCells, splitRecords } from '../conversion/record-cells.ts'
import { RecordFile } from '../conversion/record-file.ts'
import type { Merge, SheetRecords } from './sheet-records.ts'

/** Cells of one column that got their value from a merged block: records from 1, inclusive. */
export interface Filled {
  readonly cell: number
  readonly from: number
  readonly to: number
}

/** @returns the path of the completed records and what was filled */
export function completeRecords(
  sheet: SheetRecords,
  path: string,
  budget: Budget,
): { path: string; filled: readonly Filled[] } {
  const vertical = sheet.merges.filter(({ top, bottom }) => bottom > top)
  if (vertical.length === 0 && sheet.leastCells >= sheet.columns) return { path: sheet.file.path, filled: [] }
  const output = new RecordFile(path, budget)
  const filler = new MergeFiller(vertical)
  let record = 0
  try {
    for (const bytes of splitRecords(sheet.file.path)) {
      record++
      writeRecord(output, bytes, filler, record, sheet.columns)
    }
    output.finish()
  } catch (error) {
    output.abandon()
    throw error
  }
  return { path, filled: filler.filled }
}

function writeRecord(
  output: RecordFile,
  bytes: Buffer,
  filler: MergeFiller,
  record: number,
  width: number,
): void {
  filler.moveTo(record)
  output.append(`${completeRecord(bytes, filler, record, width)}\n`)
}

function completeRecord(bytes: Buffer, filler: MergeFiller, record: number, width: number): string {
  if (bytes.length === 0) return ''
  const text = bytes.toString('utf8')
  if (!filler.isActive) return text + ','.repeat(width - countCells(bytes))
  const cells = splitCells(text)
  while (cells.length < width) cells.push('')
  filler.fill(record, cells)
  return cells.join(',')
}

/** Carries the values of merged blocks down their first column. Rows that are blank otherwise stay blank. */
class MergeFiller {
  readonly filled: Filled[] = []
  private readonly starting: Merge[]
  private active: { merge: Merge; value: string; last: { from: number; to: number } | null }[] = []

  constructor(merges: readonly Merge[]) {
    // The next one to start stands last.
    this.starting = merges.toSorted((a, b) => b.top - a.top)
  }

  get isActive(): boolean {
    return this.active.length > 0
  }

  moveTo(record: number): void {
    if (this.active.length > 0) {
      this.active = this.active.filter(({ merge }) => merge.bottom >= record)
    }
    while ((this.starting.at(-1)?.top ?? Number.POSITIVE_INFINITY) <= record) {
      const merge = this.starting.pop() as Merge
      if (merge.bottom >= record) this.active.push({ merge, value: '', last: null })
    }
  }

  /** @param cells escaped */
  fill(record: number, cells: string[]): void {
    for (const block of this.active) {
      const { left, top } = block.merge
      if (record === top) block.value = cells[left] ?? ''
      else if (block.value !== '' && cells[left] === '') {
        cells[left] = block.value
        this.note(block.merge, record)
      }
    }
  }

  private note({ left, top }: Merge, record: number): void {
    const last = this.filled.at(-1)
    if (last && last.cell === left && last.to === record - 1 && last.from > top)
      this.filled[this.filled.length - 1] = { ...last, to: record }
    else this.filled.push({ cell: left, from: record, to: record })
  }
}
