/** The outcome for records of another width, decided together from all rows of the right width, also in words. */

import { listSome } from '../../base/text/fit-text.ts'
import { adviseOption } from '../definition/read-options.ts'
import type { RaggedPlaces } from '../records/ragged-reader.ts'
import type { RecordMender } from '../records/record-mender.ts'
import type { Decision } from '../report/decisions.ts'
import { explainCode, MENDED_WORDS } from '../report/finding-words.ts'
import { type Fault, Quarantine, type QuarantineCount } from '../report/quarantine.ts'
import type { Plan } from './plans.ts'

export type MendKind = keyof typeof MENDED_WORDS

export class WidthOutcome {
  /** Mended records, stored like quarantined ones; the reason is what was done. */
  readonly mended = new Quarantine()
  /** Reasons more precise than the width, by line. */
  readonly faults = new Map<number, Fault>()
  /** Rows of the right width that are not what they seem, by row number. */
  readonly refused = new Map<number, Fault>()
  readonly decisions: Decision[] = []
  /** Something was read differently from how it is written, because of the table as a whole. */
  hasReading = false
  /** For each column, the numbers of missing and of joined cells. */
  readonly missingCells: Float64Array
  readonly joinedCells: Float64Array
  rows = 0
  readonly #places: RaggedPlaces
  readonly #planOf: Uint32Array
  readonly #plans: Plan[] = []
  readonly #known = new Map<string, number>()

  constructor(places: RaggedPlaces, width: number) {
    this.#places = places
    this.#planOf = new Uint32Array(places.size)
    this.missingCells = new Float64Array(width)
    this.joinedCells = new Float64Array(width)
  }

  isRow(place: number): boolean {
    return this.#planOf[place] !== 0
  }

  /**
   * Makes a row of a record.
   * @param kind null: the whole table is read this way; @param filledWidth columns after it do not count
   */
  accept(place: number, plan: Plan, kind: MendKind | null, filledWidth: number): void {
    const key = `${plan.first}|${plan.last}`
    let id = this.#known.get(key)
    if (id === undefined) {
      id = this.#plans.push(plan)
      this.#known.set(key, id)
    }
    this.#planOf[place] = id
    this.rows++
    for (let column = 0; column < filledWidth; column++) {
      const first = plan.first[column] as number
      if (first < 0) this.missingCells[column]!++
      else if ((plan.last[column] as number) > first) this.joinedCells[column]!++
    }
    if (kind === null) return
    const { lines, offsets, lengths } = this.#places
    const [line, offset, length] = [lines[place], offsets[place], lengths[place]] as [number, number, number]
    this.mended.add({ line, offset, length }, { reason: kind, column: null })
  }

  /** For the second pass: finds the records by their lines, and expects them in file order. */
  mender(): RecordMender {
    let next = 0
    const { lines, size } = this.#places
    return (line, { starts, ends }) => {
      while (next < size && (lines[next] as number) < line) next++
      const id = next < size && lines[next] === line ? (this.#planOf[next] as number) : 0
      const plan = this.#plans[id - 1]
      if (plan === undefined) return null
      return {
        starts: plan.first.map((cell) => starts[cell] ?? 0),
        ends: plan.last.map((cell) => ends[cell] ?? 0),
      }
    }
  }
}

function decide(reason: string): Decision {
  return { kind: 'ragged', reason, override: adviseOption('ragged', 'quarantine') }
}

export function describeCut(rows: number, line: number, name: string, isDecimal: boolean): Decision {
  const what = isDecimal
    ? 'a decimal comma without quotes cuts the numbers'
    : 'a delimiter without quotes cuts the texts'
  const proof = isDecimal
    ? 'no fraction ends in 0, and the rows of the right width have whole numbers there'
    : 'every second half begins with a space'
  return decide(
    `${rows} rows, the first on line ${line}, have one cell too many: ${what} of '${name}' throughout, as ${proof}. The halves are joined`,
  )
}

export function describeBlock(
  rows: number,
  line: number,
  cells: number,
  plan: Plan,
  names: readonly string[],
): Decision {
  const lacking = names.filter((_, column) => (plan.first[column] as number) < 0).map((name) => `'${name}'`)
  return decide(
    `${rows} rows, the first on line ${line}, follow each other and have ${cells} cells: as a whole they fit the columns in one way only, so their ${listSome(lacking, 3)} are null`,
  )
}

export function describeLeftOff(rows: number, line: number): Decision {
  return decide(
    `${rows} rows, the first on line ${line}, end with their last value, as no row ends with a blank cell: the cells left off are null`,
  )
}

export function describeMends(mended: readonly QuarantineCount[]): Decision[] {
  return mended.map(({ reason, count, first_line: line }) => {
    const rows =
      count === 1
        ? `1 row, on line ${line}, is mended`
        : `${count} rows, the first on line ${line}, are mended`
    return decide(`${rows}: ${explainCode(MENDED_WORDS, reason)}`)
  })
}
