/** Which sheet of a workbook is the table. */

import { adviseOption } from '../../definition/read-options.ts'
import type { Decision } from '../../report/decisions.ts'
import { refuse } from '../../report/reasons.ts'
import type { SheetRecords } from './sheet-records.ts'

/** Sheets that a message names: fewer where the message only says that they exist. */
const NAMED = 20
const NAMED_OTHERS = 6

/**
 * The sheet asked for, else the visible one with the most rows of a table, the first of equals.
 * @param wanted a name, or a number from 1 when no sheet has it as its name
 * @throws CommandError `usage` for a sheet that is not there, `refused` for one without text
 */
export function chooseSheet(
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

/** The place of the sheet of a name, or of a number from 1 when none has it as its name; -1: there is none. */
export function findNamed(sheets: readonly { readonly name: string }[], wanted: string): number {
  const folded = wanted.trim().toLowerCase()
  const exact = sheets.findIndex(({ name }) => name === wanted)
  if (exact >= 0) return exact
  const alike = sheets.findIndex(({ name }) => name.trim().toLowerCase() === folded)
  if (alike >= 0) return alike
  return /^[1-9]\d*$/.test(folded) && Number(folded) <= sheets.length ? Number(folded) - 1 : -1
}

function findSheet(sheets: readonly SheetRecords[], wanted: string): SheetRecords {
  const found = sheets[findNamed(sheets, wanted)]
  if (!found) {
    throw refuse(
      'unknown_sheet',
      { sheet: wanted },
      `the sheets are ${nameSheets(sheets, NAMED, ({ name }) => `'${name}'`)}`,
    )
  }
  if (found.filledRows === 0) throw refuse('blank_sheet', { sheet: found.name })
  return found
}

/** Rows of at least two cells that are not much emptier than most: notes and titles are not among them. */
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
  const named = nameSheets(others, NAMED_OTHERS, ({ name, filledRows, hidden }) => {
    return `'${name}' (${filledRows} ${filledRows === 1 ? 'row' : 'rows'}${hidden ? ', hidden' : ''})`
  })
  const left = others.length === 1 ? 'the other one is' : 'the others are'
  const notLookedAt = nameSheets(unread, NAMED_OTHERS, ({ name }) => `'${name}'`)
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

function nameSheets(
  sheets: readonly SheetRecords[],
  most: number,
  describe: (sheet: SheetRecords) => string,
): string {
  const rest = sheets.length - most
  return sheets.slice(0, most).map(describe).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
