/**
 * Finds rows of totals: at either end of a table, compared with the sums of the others; and among its rows, if they begin
 * with a word for totals or have the sums of the rows above or below them. Sums alone count only if they divide the whole
 * table into groups, which chance does not.
 */

import { listSome } from '../../base/text/fit-text.ts'
import { type EncodedRecords, ROWS_WITH_LINES } from '../cells/encoded-records.ts'
import { type AroundRule, adviseOption } from '../definition/read-options.ts'
import type { Decision } from '../report/decisions.ts'
import { type Warning, warn } from '../report/reasons.ts'
import { isTotalLabel, LABEL_CELLS } from '../structure/typical-rows.ts'
import { decodeText } from './cell-text.ts'
import type { LoadedColumn } from './validation.ts'

/**
 * A decision for each row of totals, with its evidence.
 * @param columns typed; @param rule what is done with the rows; @param told lines that are described elsewhere
 */
export function describeTotals(
  records: EncodedRecords,
  columns: readonly LoadedColumn[],
  rule: AroundRule,
  told: ReadonlySet<number>,
): Decision[] {
  const totals = records.totals.filter(({ line }) => !told.has(line))
  if (totals.length === 0) return []
  const sums = addUp(records, columns)
  return totals.map((total) => {
    const kept = rule === 'keep'
    let equal = 0
    let compared = 0
    for (const { cell, sum, read } of sums) {
      const number = read(total.cells[cell] ?? '')
      if (number === null) continue
      compared++
      // A kept total is one of the rows that were added up.
      const others = kept ? sum - number : sum
      // Sums of rounded numbers differ a little from the printed ones.
      if (Math.abs(others - number) <= Math.abs(number) * 0.002 + 1e-9) equal++
    }
    const label = total.cells.find((cell) => cell !== '') ?? ''
    const evidence =
      compared === 0 || equal === 0
        ? 'though its numbers are not the sums of the other rows'
        : `and its numbers are the sums of the other rows in ${equal} of ${compared} columns`
    const outcome = kept
      ? 'It is kept as a row: adding a column up counts everything twice'
      : rule === 'leave_out'
        ? 'It is left out'
        : 'It went into quarantine'
    const reason = `line ${total.line} begins with '${label}' and is taken for a total, ${evidence}. ${outcome}`
    return { kind: 'totals', reason, override: adviseOption('totals', kept ? 'leave_out' : 'keep') }
  })
}

/** The sums of number columns over all rows, and a function to read the number in a total's cell. */
function addUp(records: EncodedRecords, columns: readonly LoadedColumn[]) {
  return addableColumns(columns)
    .slice(0, 50)
    .map((column) => {
      const byText = new Map<string, number>()
      const perCell = numbersOf(records, column)
      for (const [id, number] of perCell.entries())
        if (number !== 0) byText.set(records.textOf(column.lane, id).trim(), number)
      let sum = 0
      for (const ids of records.idsOf(column.lane)) for (const id of ids) sum += perCell[id] as number
      const read = (text: string) => {
        const number = byText.get(text) ?? Number(text.replace(/[\s,](?=\d{3}(\D|$))/g, ''))
        // The cells of a quarantined total are not in the tables.
        return text === '' || !Number.isFinite(number) ? null : number
      }
      return { cell: column.plan.cell, sum, read }
    })
}

function addableColumns(columns: readonly LoadedColumn[]): LoadedColumn[] {
  return columns.filter(
    ({ typed: { type }, lane }) => lane >= 0 && (type === 'integer' || type === 'decimal'),
  )
}

/** The numbers of a column's cells, by id; 0 if there is none. */
function numbersOf(records: EncodedRecords, { lane, typed: { values, valueIds } }: LoadedColumn) {
  const { heap, offsets } = values
  return Float64Array.from({ length: records.entriesOf(lane).offsets.length }, (_, id) => {
    const value = valueIds === null ? id : (valueIds[id] ?? 0)
    if (value === 0 || value >= offsets.length) return 0
    return Number(decodeText(heap, offsets[value - 1] as number, offsets[value] as number))
  })
}

/** With a single number column, more groups and members are needed to rule out chance. */
const LEAST_ALONE = 4

const NAMED_LINES = 20

/** Lines of the rows of totals, in order, and how many of them are proven sums of a group of rows. */
export const NO_SUBTOTALS = { lines: [] as readonly number[], sums: 0 }
type Subtotals = typeof NO_SUBTOTALS

/**
 * Finds the rows of totals, unless they are only those at the beginning or the end. Tables too large to be printed are not
 * searched.
 * @param columns typed
 */
export function findSubtotals(records: EncodedRecords, columns: readonly LoadedColumn[]): Subtotals {
  const added = addableColumns(columns).slice(0, 6)
  if (records.rows > ROWS_WITH_LINES || added.length === 0) return NO_SUBTOTALS
  const named = findNamed(records, columns)
  // The others are only checked if the rows at the beginning have groups.
  const numbers = readNumbers(records, added)
  const first = numbers.map((column) => column.subarray(0, 2000))
  const hasGroups = named.length > 1 || findGroups(first).length > 0
  const summed = hasGroups ? findGroups(numbers) : []
  const rows = [...new Set([...named, ...summed])].sort((a, b) => a - b)
  const lines = records.linesOf(rows)
  const known = new Set(records.totals.map(({ line }) => line))
  return lines.every((line) => known.has(line)) ? NO_SUBTOTALS : { lines, sums: summed.length }
}

/** Warns of such rows: how many, how many are proven sums, and their lines. */
export function warnOfSubtotals({ lines, sums }: Subtotals): Warning[] {
  if (lines.length === 0) return []
  return [warn('subtotals', { count: lines.length, sums, lines: listSome(lines.map(String), NAMED_LINES) })]
}

/** The decision that rows of totals were left out. @param lines of these rows; @param rule what was done with them */
export function describeSubtotals(lines: ReadonlySet<number> | undefined, rule: AroundRule): Decision[] {
  if (lines === undefined || lines.size === 0) return []
  const [first] = lines
  const isOne = lines.size === 1
  const what = isOne ? `line ${first} is a total` : `${lines.size} rows from line ${first} on are totals`
  const leftOut = isOne ? 'is left out' : 'are left out'
  const reason = `${what} of other rows and ${rule === 'quarantine' ? 'went into quarantine' : leftOut}`
  return [{ kind: 'totals', reason, override: adviseOption('totals', 'keep') }]
}

/** Rows that begin with a word for totals and have a number. */
function findNamed(records: EncodedRecords, columns: readonly LoadedColumn[]): number[] {
  const lanes = columns
    .filter(({ plan, lane }) => lane >= 0 && plan.cell < LABEL_CELLS)
    .map(({ lane }) => lane)
  const labels = new Uint8Array(records.rows)
  for (const lane of lanes) {
    const { heap, offsets } = records.entriesOf(lane)
    const kinds = new Uint8Array(offsets.length)
    for (let id = 1; id < offsets.length; id++) {
      const [start, end] = [offsets[id - 1] as number, offsets[id] as number]
      kinds[id] = end - start <= 120 && isTotalLabel(decodeText(heap, start, end).trim()) ? NAMED : OTHER
    }
    let row = 0
    // The first cell with text says what the row is.
    for (const ids of records.idsOf(lane)) for (const id of ids) labels[row++] ||= kinds[id] as number
  }
  return [...labels.keys()].filter((row) => labels[row] === NAMED)
}

const NAMED = 1
const OTHER = 2

/** For each column, the numbers of the rows; 0 if there is none. */
function readNumbers(records: EncodedRecords, columns: readonly LoadedColumn[]): Float64Array[] {
  return columns.map((column) => {
    const perCell = numbersOf(records, column)
    const numbers = new Float64Array(records.rows)
    let row = 0
    for (const ids of records.idsOf(column.lane)) for (const id of ids) numbers[row++] = perCell[id] as number
    return numbers
  })
}

/** The rows that are sums of the rows above or below them, if these groups cover the table. */
function findGroups(columns: readonly Float64Array[]): number[] {
  const above = groupRows(columns)
  const below = groupRows(columns.map((numbers) => numbers.toReversed()))
  const last = (columns[0]?.length ?? 0) - 1
  const isAbove = above.covered >= below.covered
  const { totals, covered } = isAbove ? above : below
  const least = columns.length === 1 ? LEAST_ALONE : 2
  const isEnough = columns.length > 1 || covered >= LEAST_ALONE * totals.length
  if (totals.length < least || !isEnough || covered < 0.9 * (last + 1)) return []
  return isAbove ? totals : totals.map((row) => last - row)
}

/**
 * Takes rows one by one: a row that is the sum of the last ones, in at least two columns and in half of those where it has
 * a number, replaces them.
 */
function groupRows(columns: readonly Float64Array[]): { totals: number[]; covered: number } {
  const rows = columns[0]?.length ?? 0
  const open: number[] = []
  const totals: number[] = []
  const [sums, most] = [new Float64Array(columns.length), new Float64Array(columns.length)]
  for (let row = 0; row < rows; row++) {
    const members = countMembers(columns, open, row, sums, most)
    if (members > 0) {
      totals.push(row)
      open.length -= members
    }
    open.push(row)
  }
  const isTotal = new Uint8Array(rows)
  for (const row of totals) isTotal[row] = 1
  const single = open.filter((row) => isTotal[row] === 0).length
  return { totals, covered: rows - single }
}

/** The number of last open rows that add up to a row; 0 if none do. */
function countMembers(
  columns: readonly Float64Array[],
  open: readonly number[],
  row: number,
  sums: Float64Array,
  most: Float64Array,
): number {
  sums.fill(0)
  most.fill(0)
  const filled = columns.filter((numbers) => numbers[row] !== 0).length
  const least = columns.length === 1 ? 1 : Math.max(2, filled / 2)
  if (filled < least) return 0
  for (let members = 1; members <= Math.min(open.length, 1000); members++) {
    const member = open[open.length - members] as number
    let equal = 0
    let below = 0
    for (let column = 0; column < columns.length; column++) {
      const numbers = columns[column] as Float64Array
      const sum = (sums[column] as number) + (numbers[member] as number)
      sums[column] = sum
      const total = numbers[row] as number
      if (total === 0) continue
      const largest = Math.max(most[column] as number, numbers[member] as number)
      most[column] = largest
      // Among flags, a 1 would always be the sum of another 1 and zeros: a sum needs two numbers. Whole numbers must match
      // exactly, others up to rounding.
      const isWhole = Number.isInteger(total) && Number.isInteger(sum)
      const isSum = isWhole ? sum === total : Math.abs(sum - total) <= Math.abs(total) * 1e-3
      if (isSum && largest < total) equal++
      else if (sum <= total) below++
    }
    if (members > 1 && equal >= least) return members
    if (equal + below < least) return 0
  }
  return 0
}
