/** What becomes of the records of another width, judged together when all rows of the right width are known. */

import type { RaggedPlaces } from '../records/ragged-places.ts'
import type { CutRecord, MendedRecord, RecordMender } from '../records/record-mender.ts'
import type { Decision } from '../report/decisions.ts'
import { type Fault, Quarantine } from '../report/quarantine.ts'
import type { Plan } from './joins.ts'
import type { MendKind } from './record-mends.ts'

/** Of a mended record, one object per kind. */
const MENDED: Readonly<Record<MendKind, Fault>> = {
  surplus_blanks: mendedAs('surplus_blanks'),
  joined: mendedAs('joined'),
  left_off: mendedAs('left_off'),
}

function mendedAs(reason: MendKind): Fault {
  return { reason, column: null }
}

export class Judgement {
  /** Mended records, kept as quarantined ones are; the reason is what was done. */
  readonly mended = new Quarantine()
  /** Reasons that say more than the width, by line. */
  readonly faults = new Map<number, Fault>()
  /** Rows of the right width that are not what they seem, by their place among these. */
  readonly refused = new Map<number, Fault>()
  readonly decisions: Decision[] = []
  /** Something was read otherwise than it stands, by what the table shows as a whole. */
  hasReading = false
  /** Per column, cells that are missing, and cells put together. */
  readonly missingCells: Float64Array
  readonly joinedCells: Float64Array
  /** Records that become rows. */
  rows = 0
  private readonly places: RaggedPlaces
  private readonly planOf: Uint32Array
  private readonly plans: Plan[] = []
  private readonly known = new Map<string, number>()

  constructor(places: RaggedPlaces, width: number) {
    this.places = places
    this.planOf = new Uint32Array(places.size)
    this.missingCells = new Float64Array(width)
    this.joinedCells = new Float64Array(width)
  }

  isRow(place: number): boolean {
    return this.planOf[place] !== 0
  }

  /**
   * Makes a row of a record.
   * @param kind null: the table is read so; @param filledWidth columns behind it are no columns
   */
  accept(place: number, plan: Plan, kind: MendKind | null, filledWidth: number): void {
    const key = `${plan.first}|${plan.last}`
    let id = this.known.get(key)
    if (id === undefined) {
      id = this.plans.push(plan)
      this.known.set(key, id)
    }
    this.planOf[place] = id
    this.rows++
    for (let column = 0; column < filledWidth; column++) {
      const first = plan.first[column] as number
      if (first < 0) this.missingCells[column]!++
      else if ((plan.last[column] as number) > first) this.joinedCells[column]!++
    }
    if (kind === null) return
    const { lines, offsets, lengths } = this.places
    const where = {
      line: lines[place] as number,
      offset: offsets[place] as number,
      length: lengths[place] as number,
    }
    this.mended.add(where, MENDED[kind])
  }

  /** For reading the file again: knows the records by their lines, and takes them in file order. */
  mender(): RecordMender {
    let next = 0
    const { lines, size } = this.places
    return {
      mostCells: Number.POSITIVE_INFINITY,
      mend: (record: CutRecord): MendedRecord | null => {
        while (next < size && (lines[next] as number) < record.line) next++
        const id = next < size && lines[next] === record.line ? (this.planOf[next] as number) : 0
        const plan = this.plans[id - 1]
        if (plan === undefined) return null
        const { starts, ends } = record
        return {
          starts: plan.first.map((cell) => (cell < 0 ? 0 : (starts[cell] as number))),
          ends: plan.last.map((cell) => (cell < 0 ? 0 : (ends[cell] as number))),
        }
      },
    }
  }
}
