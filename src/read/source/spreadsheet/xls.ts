/** XLS (BIFF5 and BIFF8), read whole by SheetJS: its sheets have 65,536 rows at most. */

import { readFileSync } from 'node:fs'
import { type CellObject, type ParsingOptions, read, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { CommandError } from '../../../base/errors.ts'
import { because } from '../../report/reasons.ts'
import type { Budget } from '../conversion/budget.ts'
import { kindOfFormat, type NumberKind } from './number-format.ts'
import { formatSerial } from './number-text.ts'
import { SheetRecords } from './sheet-records.ts'

/** Compound File Binary Format, 2.2. */
const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

const DAMAGED =
  'it is no workbook, or a damaged one: if a spreadsheet program opens it, save it as XLSX there; otherwise get the file again'

/** @throws CommandError `refused` when it is damaged, protected or no workbook */
export function readXls(path: string, budget: Budget, pathOf: (sheet: number) => string): SheetRecords[] {
  const bytes = readFileSync(path)
  const workbook = open(bytes, { cellNF: true })
  // The library tells widths of columns with the styles of all cells, which take much memory: those of one row.
  const widths = open(bytes, { cellStyles: true, sheetRows: 1 })
  const kinds = new Map<string, NumberKind>()
  const kindOf = (format: string) => {
    const kind = kinds.get(format) ?? kindOfFormat(format)
    kinds.set(format, kind)
    return kind
  }
  const is1904 = workbook.Workbook?.WBProps?.date1904 === true
  return workbook.SheetNames.map((name, number) => {
    const hidden = (workbook.Workbook?.Sheets?.[number]?.Hidden ?? 0) !== 0
    const records = new SheetRecords(name, hidden, pathOf(number), budget)
    records.is1904 = is1904
    const sheet = workbook.Sheets[name]
    for (const [column, facts] of (widths.Sheets[name]?.['!cols'] ?? []).entries())
      if (facts?.hidden || facts?.width === 0) records.hideColumns(column, 1)
    if (sheet)
      addRows(records, sheet, (cell) => formatSerial(String(cell.v), kindOf(String(cell.z ?? '')), is1904))
    records.file.finish()
    return records
  })
}

function open(bytes: Uint8Array, options: ParsingOptions): WorkBook {
  // The library takes whatever it does not know for text.
  if (!OLE.every((byte, i) => bytes[i] === byte))
    throw new CommandError('refused', DAMAGED, null, because('damaged_file', {}))
  try {
    const workbook = read(bytes, {
      type: 'buffer',
      dense: true,
      cellText: false,
      cellHTML: false,
      cellFormula: false,
      ...options,
    })
    if (workbook.SheetNames.length > 0) return workbook
  } catch (error) {
    const detail = (error as Error).message ?? String(error)
    if (/password|encrypt/i.test(detail))
      throw new CommandError(
        'refused',
        'it is protected with a password; save it without one',
        null,
        because('password_file', {}),
      )
    throw new CommandError('refused', DAMAGED, null, because('damaged_file', {}))
  }
  throw new CommandError('refused', DAMAGED, null, because('damaged_file', {}))
}

function addRows(records: SheetRecords, sheet: WorkSheet, formatNumber: (cell: CellObject) => string): void {
  const rows: readonly (readonly (CellObject | undefined)[] | undefined)[] = sheet['!data'] ?? []
  for (const [row, cells] of rows.entries()) {
    if (!cells) continue
    const texts = Array.from(cells, (cell, column) => {
      if (!cell || cell.v === undefined || cell.v === null || cell.t === 'z') return ''
      if (cell.t === 'n') return records.numbers.number(column, formatNumber(cell))
      if (cell.t === 'e') records.addError(column)
      return cell.t === 'e' ? '' : records.numbers.text(column, String(cell.v))
    })
    records.add(row + 1, texts, sheet['!rows']?.[row]?.hidden)
  }
  for (const { s, e } of sheet['!merges'] ?? [])
    records.addMerge({ top: s.r + 1, bottom: e.r + 1, left: s.c, right: e.c })
}
