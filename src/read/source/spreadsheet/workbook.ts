/** From a workbook of any format to the records of its table. Runs in the converter. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CellObject, type ParsingOptions, read, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { refuse, warn } from '../../report/reasons.ts'
import type { Budget } from '../conversion/budget.ts'
import type { Conversion, Span } from '../conversion/conversion.ts'
import type { Unpacked, ZipPackage } from '../unpack.ts'
import { formatSerial, kindOfFormat, type NumberKind } from './number-text.ts'
import { readOds } from './ods.ts'
import { chooseSheet } from './sheet-choice.ts'
import { completeRecords, type OpenSheet, SheetRecords } from './sheet-records.ts'
import { readXlsx } from './xlsx.ts'

/** Compound File Binary Format, 2.2. */
const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

/** Headers stand within the first records: further spans say nothing about them. */
const SPANS_WITHIN = 1000

/**
 * @param wanted the sheet asked for @param folder takes one file per sheet
 * @throws CommandError as the readers and `chooseSheet` do
 */
export async function convertWorkbook(
  format: 'xls' | 'xlsx' | 'ods',
  file: Pick<Unpacked, 'path' | 'archive'>,
  wanted: string | undefined,
  folder: string,
  budget: Budget,
): Promise<Conversion> {
  let opened = 0
  const openSheet: OpenSheet = (name, hidden) =>
    new SheetRecords(name, hidden, join(folder, `sheet-${opened++}`), budget)
  const sheets = await (format === 'xls'
    ? readXls(file.path, openSheet)
    : format === 'xlsx'
      ? readXlsx(file.archive as ZipPackage, wanted, budget.lookedAt, openSheet)
      : readOds(file.archive as ZipPackage, openSheet))
  const { sheet, decisions } = chooseSheet(sheets, wanted)
  const { path, filled } = completeRecords(sheet, join(folder, 'records'), budget)
  return {
    format,
    encoding: 'utf-8',
    path,
    sheet: sheet.name,
    sheets: sheets.flatMap(({ name, filledRows: rows }) => (rows > 0 ? [{ name, rows }] : [])),
    is1904: sheet.is1904,
    header: null,
    spans: spansOf(sheet),
    filled,
    errors: [...sheet.errors].map(([cell, count]) => ({ cell, count })),
    textNumbers: sheet.numbers.found(),
    hiddenRows: sheet.hiddenRows,
    hiddenColumns: [...sheet.hiddenColumns],
    decisions,
    warnings:
      sheet.uncomputed === 0 ? [] : [warn('formulas', { sheet: sheet.name, count: sheet.uncomputed })],
  }
}

function spansOf({ merges, rows }: SheetRecords): Span[] {
  const spans: Span[] = []
  for (const { top, bottom, left, right } of merges) {
    if (right === left) continue
    for (let record = top; record <= Math.min(bottom, SPANS_WITHIN, rows); record++)
      spans.push({ record, cell: left, width: right - left + 1 })
  }
  return spans.toSorted((a, b) => a.record - b.record || a.cell - b.cell)
}

// XLS (BIFF5 and BIFF8), read whole by SheetJS: its sheets have 65,536 rows at most.
/** @throws CommandError `refused` when it is damaged, protected or no workbook */
function readXls(path: string, openSheet: OpenSheet): SheetRecords[] {
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
    const records = openSheet(name, hidden)
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
  if (!OLE.every((byte, i) => bytes[i] === byte)) throw refuse('damaged_file', {})
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
    if (/password|encrypt/i.test(detail)) throw refuse('password_file', {})
    throw refuse('damaged_file', {})
  }
  throw refuse('damaged_file', {})
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
