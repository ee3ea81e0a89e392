/** From a workbook of any format to the records of its table. Runs in the converter. */

import { join } from 'node:path'
import { type Warning, warn } from '../../report/warnings.ts'
import type { Budget } from '../conversion/budget.ts'
import type { Conversion, SheetFacts } from '../conversion/conversion.ts'
import type { Span } from '../encoding/spans.ts'
import type { ZipPackage } from '../zip-package.ts'
import { completeRecords } from './complete-records.ts'
import { readOds } from './ods.ts'
import { chooseSheet } from './sheet-choice.ts'
import type { SheetRecords } from './sheet-records.ts'
import { readXls } from './xls.ts'
import { readXlsx } from './xlsx.ts'

export type WorkbookSource =
  | { readonly format: 'xlsx' | 'ods'; readonly archive: ZipPackage }
  | { readonly format: 'xls'; readonly path: string }

/** Headers stand within the first records: further spans say nothing about them. */
const SPANS_WITHIN = 1000

/**
 * @param wanted the sheet asked for @param folder takes one file per sheet
 * @throws CommandError as the readers and `chooseSheet` do
 */
export async function convertWorkbook(
  source: WorkbookSource,
  wanted: string | undefined,
  folder: string,
  budget: Budget,
): Promise<Conversion> {
  const pathOf = (number: number) => join(folder, `sheet-${number}`)
  const sheets = await readSheets(source, wanted, budget, pathOf)
  const { sheet, decisions } = chooseSheet(sheets, wanted)
  const { path, filled } = completeRecords(sheet, join(folder, 'records'), budget)
  return {
    format: source.format,
    encoding: 'utf-8',
    path,
    sheet: sheet.name,
    sheets: sheets.filter(({ filledRows }) => filledRows > 0).map(factsOf),
    is1904: sheet.is1904,
    header: null,
    spans: spansOf(sheet),
    filled,
    errors: [...sheet.errors].map(([cell, count]) => ({ cell, count })),
    textNumbers: sheet.numbers.found(),
    hiddenRows: sheet.hiddenRows,
    hiddenColumns: [...sheet.hiddenColumns],
    decisions,
    warnings: uncomputedWarning(sheet),
  }
}

function readSheets(
  source: WorkbookSource,
  wanted: string | undefined,
  budget: Budget,
  pathOf: (sheet: number) => string,
) {
  if (source.format === 'xls') return readXls(source.path, budget, pathOf)
  return source.format === 'xlsx'
    ? readXlsx(source.archive, wanted, budget, pathOf)
    : readOds(source.archive, budget, pathOf)
}

function factsOf({ name, filledRows }: SheetRecords): SheetFacts {
  return { name, rows: filledRows }
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

function uncomputedWarning({ uncomputed, name }: SheetRecords): Warning[] {
  if (uncomputed === 0) return []
  const cells = uncomputed === 1 ? '1 formula' : `${uncomputed} formulas`
  return [
    warn(
      'formulas',
      { sheet: name, count: uncomputed },
      `the sheet '${name}' has ${cells} without a stored result, read as empty; open the file in a spreadsheet program and save it to have them computed`,
    ),
  ]
}
