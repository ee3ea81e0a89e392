/** Turns a workbook of any format into the records of its table. Runs in the converter. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CellObject, type ParsingOptions, read, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { listSome } from '../../../base/text/fit-text.ts'
import { adviseOption } from '../../definition/read-options.ts'
import type { Decision } from '../../report/decisions.ts'
import { refuse, warn } from '../../report/reasons.ts'
import type { Budget } from '../conversion/budget.ts'
import type { Conversion, Span } from '../conversion/conversion.ts'
import type { Unpacked, ZipPackage } from '../unpack.ts'
import { formatSerial, kindOfFormat, type NumberKind } from './number-text.ts'
import { readOds } from './ods.ts'
import { completeRecords, findNamed, type OpenSheet, SheetRecords } from './sheet-records.ts'
import { readXlsx } from './xlsx.ts'

/** Compound File Binary Format, 2.2. */
const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

/** The most sheets that a message names; fewer if it only mentions that they exist. */
const NAMED = 20
const NAMED_OTHERS = 6

/** Headers are within the first records: further spans say nothing about them. */
const SPANS_WITHIN = 1000

/**
 * @param wanted the requested sheet @param folder receives one file for each sheet
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

// XLS (BIFF5 and BIFF8), read as a whole by SheetJS: its sheets have at most 65,536 rows.
/** @throws CommandError `refused` when it is damaged, protected or not a workbook */
function readXls(path: string, openSheet: OpenSheet): SheetRecords[] {
  const bytes = readFileSync(path)
  const workbook = open(bytes, { cellNF: true })
  // The library gives column widths only with the styles of all cells, which take much memory: so only one row is read.
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
  // The library would read anything unknown as text.
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

/**
 * Chooses the sheet with the table: the requested one, else the visible one with the most table rows, the first among
 * equals.
 * @param wanted a name, or a number from 1 if no sheet has it as its name
 * @throws CommandError `usage` for a sheet that does not exist, `refused` for one without text
 */
function chooseSheet(
  sheets: readonly SheetRecords[],
  wanted: string | undefined,
): { readonly sheet: SheetRecords; readonly decisions: readonly Decision[] } {
  if (wanted !== undefined) return { sheet: findSheet(sheets, wanted), decisions: [] }
  const visible = sheets.filter(({ hidden, filledRows }) => !hidden && filledRows > 0)
  const candidates = visible.length > 0 ? visible : sheets.filter(({ filledRows }) => filledRows > 0)
  const [first] = candidates
  if (!first) throw refuse('no_text', {})
  const lead = (a: SheetRecords, b: SheetRecords) =>
    tableRows(a) - tableRows(b) || a.filledRows - b.filledRows
  const best = candidates.reduce((a, b) => (lead(b, a) > 0 ? b : a), first)
  const others = sheets.filter((sheet) => sheet !== best && sheet.filledRows > 0)
  const unread = sheets.filter(({ isUnread }) => isUnread)
  const isAlone = others.length === 0 && unread.length === 0
  return { sheet: best, decisions: isAlone ? [] : [describeChoice(best, others, unread)] }
}

const quote = ({ name }: SheetRecords) => `'${name}'`

function findSheet(sheets: readonly SheetRecords[], wanted: string): SheetRecords {
  const found = sheets[findNamed(sheets, wanted)]
  if (!found) {
    throw refuse('unknown_sheet', { sheet: wanted }, `the sheets are ${listSome(sheets.map(quote), NAMED)}`)
  }
  if (found.filledRows === 0) throw refuse('blank_sheet', { sheet: found.name })
  return found
}

/** The number of rows with at least two cells that are not much emptier than most: excludes notes and titles. */
function tableRows({ filledCounts }: SheetRecords): number {
  const several = [...filledCounts].filter(([cells]) => cells > 1)
  const typical = several.reduce((a, b) => (b[1] > a[1] ? b : a), [2, 0])[0]
  return several.reduce((sum, [cells, rows]) => (cells * 2 >= typical ? sum + rows : sum), 0)
}

function describeChoice(
  best: SheetRecords,
  others: readonly SheetRecords[],
  unread: readonly SheetRecords[],
): Decision {
  const described = others.map((sheet) => {
    const rows = `${sheet.filledRows} ${sheet.filledRows === 1 ? 'row' : 'rows'}`
    return `${quote(sheet)} (${rows}${sheet.hidden ? ', hidden' : ''})`
  })
  const named = listSome(described, NAMED_OTHERS)
  const left = others.length === 1 ? 'the other one is' : 'the others are'
  const notLookedAt = listSome(unread.map(quote), NAMED_OTHERS)
  const rest = [
    others.length === 0 ? [] : `${left} ${named}`,
    unread.length === 0 ? [] : `not looked at, as the sheets before hold so much: ${notLookedAt}`,
  ]
  return {
    kind: 'sheet',
    reason: `the sheet '${best.name}' was read, as it has the most rows of a table (${best.filledRows}); ${rest.flat().join('; ')}`,
    override: adviseOption('sheet'),
  }
}
