/** Mends a single record of another width, in three cases. */

import type { RecordCells } from '../records/record-mender.ts'
import type { ColumnEvidence } from './column-evidence.ts'
import { couldFit, fits } from './fit.ts'
import {
  anyJoin,
  areTails,
  findOnlyAlignment,
  findOnlyJoin,
  type JoinRules,
  MOST_EXTRA,
  type Plan,
  prefixPlan,
  provenJoin,
} from './plans.ts'
import type { MendKind } from './width-outcome.ts'

/**
 * `byOthers`: pieces that do not begin with a space were joined, as other records of the file show that such texts exist.
 */
export type Mend = Readonly<{ kind: MendKind; plan: Plan; byOthers: boolean }>

/**
 * A record with too many cells: blank ones at its end are cut, or pieces of a text are joined, if nothing else is possible.
 */
export function mendWide(record: RecordCells, rules: JoinRules): Mend | null {
  const { columns } = rules
  const width = columns.length
  const extra = record.texts.length - width
  if (extra > MOST_EXTRA || record.hasStray) return null
  if (rules.cut === null && couldBeTwo(record.texts, columns)) return null
  const cut = cutBlanks(record, rules)
  if (cut !== null) return { kind: 'surplus_blanks', plan: cut, byOthers: false }
  // With fewer than three rows of the right width, no text is joined.
  if (columns.every(({ filled, blank }) => filled + blank < 3)) return null
  const { ways, plan } = findOnlyJoin(record, record.texts.length, width, provenJoin(rules))
  if (ways !== 1 || plan === null || makesNull(record, plan, columns)) return null
  if (otherWays(record, rules) > 1) return null
  const areSpaced = plan.first.every((cell, column) =>
    areTails(record.texts.slice(cell, (plan.last[column] as number) + 1)),
  )
  return { kind: 'joined', plan, byOthers: !areSpaced }
}

/** The number of ways to join cells that are not ruled out; blank cells at the end, or one further in, may be surplus. */
function otherWays(record: RecordCells, rules: JoinRules): number {
  const width = rules.columns.length
  const { texts } = record
  const any = anyJoin(rules)
  let ways = 0
  for (let cells = texts.length; cells >= width && ways < 2; cells--) {
    ways += findOnlyJoin(record, cells, width, any).ways
    if (texts[cells - 1]?.trim() !== '') break
  }
  if (rules.cut !== null) return ways
  const filled = texts.findLastIndex((text) => text.trim() !== '')
  for (let cell = 0; cell < filled && ways < 2; cell++)
    if (texts[cell]?.trim() === '') {
      const rest = { ...record, texts: texts.toSpliced(cell, 1), quoted: record.quoted.toSpliced(cell, 1) }
      ways += findOnlyJoin(rest, texts.length - 1, width, any).ways
    }
  return ways
}

/** Whether a record may be two records that lost the line end between them, in its middle cell. */
function couldBeTwo(texts: readonly string[], columns: readonly ColumnEvidence[]): boolean {
  const width = columns.length
  if (texts.length !== 2 * width - 1) return false
  const middle = texts[width - 1] as string
  const isPossible = (text: string, column: number) =>
    text.trim() === '' ? columns[column]?.blank !== 0 : couldFit(text, columns[column] as ColumnEvidence)
  if (middle.startsWith(' ') || !texts.slice(0, width - 1).every(isPossible)) return false
  if (!texts.slice(width).every((text, at) => isPossible(text, at + 1))) return false
  for (let at = 0; at <= Math.min(middle.length, 200); at++)
    if (isPossible(middle.slice(0, at), width - 1) && isPossible(middle.slice(at), 0)) return true
  return false
}

function cutBlanks(record: RecordCells, rules: JoinRules): Plan | null {
  const { columns } = rules
  const width = columns.length
  const { texts } = record
  if (texts.slice(width).some((text) => text.trim() !== '')) return null
  const proven = provenJoin(rules)
  if (!columns.every((_, column) => proven(record, column, column, column))) return null
  const plan = prefixPlan(width, width)
  if (makesNull(record, plan, columns)) return null
  // A blank cell further in may be the surplus one, or come from a delimiter within a text, which shifts the others.
  for (let cell = 0; cell < width; cell++)
    if (texts[cell]?.trim() === '') {
      const rest = texts.slice(cell + 1)
      const isPossible = columns.slice(cell).every((column, at) => couldFit(rest[at] ?? '', column))
      if (isPossible && rest.some((text) => text.trim() !== '')) return null
    }
  for (let cells = texts.length; cells > width; cells--)
    if (findOnlyJoin(record, cells, width, proven).ways > 0) return null
  return plan
}

/** Whether a row would lack a value that every row of the right width has. */
function makesNull({ texts }: RecordCells, { first }: Plan, columns: readonly ColumnEvidence[]): boolean {
  return columns.some(({ blank }, column) => {
    const cell = first[column] as number
    return blank === 0 && (cell < 0 || texts[cell]?.trim() === '')
  })
}

/** A record with too few cells, in a file that leaves off blank cells at the ends of records. */
export function mendShort(record: RecordCells, columns: readonly ColumnEvidence[]): Mend | null {
  const { texts } = record
  if (!fitsPrefix(record, columns)) return null
  const width = columns.length
  const filled = filledCells(texts)
  const allows = (cell: number, column: number) =>
    couldFit(texts[cell] as string, columns[column] as ColumnEvidence)
  if (findOnlyAlignment(filled, texts.length, width, allows).ways !== 1) return null
  return { kind: 'left_off', plan: prefixPlan(texts.length, width), byOthers: false }
}

/**
 * Whether the cells fit the first columns, and the last cell is not blank.
 * @param isOneOfMany as for `fits`
 */
export function fitsPrefix(
  { texts, hasStray }: RecordCells,
  columns: readonly ColumnEvidence[],
  isOneOfMany = false,
): boolean {
  if (hasStray || texts.length < 2 || texts.at(-1)?.trim() === '') return false
  return texts.every((text, cell) => fits(text, columns[cell] as ColumnEvidence, isOneOfMany))
}

export function filledCells(texts: readonly string[]): number[] {
  return texts.flatMap((text, cell) => (text.trim() === '' ? [] : [cell]))
}
