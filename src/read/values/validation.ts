/** Finds rows that violate the definition: values of another type, missing ones, repeated keys. */

import type { EncodedRecords } from '../cells/encoded-records.ts'
import type { PlannedColumn } from '../definition/columns.ts'
import type { Fault } from '../report/quarantine.ts'
import { INVALID, type TypedColumn } from './conversion.ts'

/** A rule that was checked, and the rows that failed it. */
export type Validation = Readonly<{ column: string; rule: string; failed: number }>

/** A typed column of the file, with its lane of the spill; -1 if the file lacks it (all null). */
export interface LoadedColumn {
  readonly plan: PlannedColumn
  readonly typed: TypedColumn
  readonly lane: number
}

export type Verdict = Readonly<ReturnType<typeof validateRows>>

/** Checks all rows and quarantines the refused ones, each with its first fault. */
export function validateRows(
  columns: readonly LoadedColumn[],
  primaryKey: readonly string[],
  records: EncodedRecords,
) {
  const refused = new RefusedRows(records.rows)
  for (const column of columns) checkColumn(refused, column, primaryKey.includes(column.plan.name), records)
  const keys = primaryKey
    .map((name) => columns.find(({ plan }) => plan.name === name))
    .filter((key) => key !== undefined)
  if (keys.length > 0 && keys.length === primaryKey.length) checkKeys(refused, keys, records)
  const { faultOf, count, validation, faults } = refused
  for (const { row, place } of count === 0 ? [] : records.placesOf(faultOf))
    records.quarantine.add(place, faults[(faultOf[row] as number) - 1] as Fault)
  return {
    /** Not 0 for each refused row. null: none is refused. */
    refused: count > 0 ? faultOf : null,
    accepted: records.rows - count,
    validation: validation as readonly Validation[],
  }
}

class RefusedRows {
  /** For each row: 0, or the index, from 1, of its first fault in `faults`. */
  readonly faultOf: Uint16Array
  readonly faults: Fault[] = []
  readonly validation: Validation[] = []
  count = 0

  constructor(rows: number) {
    this.faultOf = new Uint16Array(rows)
  }

  /** @returns the number with which rows are refused for this fault */
  addFault(column: string, reason: string): number {
    return this.faults.push({ column, reason })
  }

  refuse(row: number, fault: number): void {
    if (this.faultOf[row] !== 0) return
    this.faultOf[row] = fault
    this.count++
  }
}

const GOOD = 0
const WRONG_TYPE = 1
const MISSING = 2

function checkColumn(
  refused: RefusedRows,
  column: LoadedColumn,
  isKey: boolean,
  records: EncodedRecords,
): void {
  const { plan, typed, lane } = column
  const required = plan.required || isKey
  // By cell id.
  const verdicts = new Uint8Array((records.tables[lane]?.count ?? 0) + 1)
  if (required) verdicts[0] = MISSING
  const { valueIds } = typed
  for (let id = 1; valueIds !== null && id < valueIds.length; id++) {
    if (valueIds[id] === INVALID) verdicts[id] = WRONG_TYPE
    else if (valueIds[id] === 0 && required) verdicts[id] = MISSING
  }
  const wrong = refused.addFault(plan.name, `invalid_${typed.type}`)
  const missing = refused.addFault(plan.name, isKey ? 'key_missing' : 'required_missing')
  const failed = { [WRONG_TYPE]: 0, [MISSING]: 0 }
  let row = 0
  for (const ids of verdicts.some((verdict) => verdict !== GOOD) ? records.idsOf(lane) : [])
    for (let i = 0; i < ids.length; i++, row++) {
      const verdict = verdicts[ids[i] as number] as typeof GOOD | keyof typeof failed
      if (verdict === GOOD) continue
      failed[verdict]++
      refused.refuse(row, verdict === WRONG_TYPE ? wrong : missing)
    }
  if (plan.type !== null)
    refused.validation.push({ column: plan.name, rule: `type_${typed.type}`, failed: failed[WRONG_TYPE] })
  if (required)
    refused.validation.push({ column: plan.name, rule: isKey ? 'key' : 'required', failed: failed[MISSING] })
}

/** Of rows with the same key the first one stays. Rows refused already do not count. */
function checkKeys(refused: RefusedRows, keys: readonly LoadedColumn[], records: EncodedRecords): void {
  const identity = new Uint32Array(records.rows)
  for (const [position, key] of keys.entries()) {
    const valueIds = identifyValues(key.typed)
    const pairs = position === 0 ? null : new IdPairs()
    let row = 0
    for (const ids of records.idsOf(key.lane)) {
      for (let i = 0; i < ids.length; i++, row++) {
        const cell = ids[i] as number
        const value = valueIds === null ? cell : (valueIds[cell] as number)
        identity[row] = pairs === null ? value : pairs.idOf(identity[row] as number, value)
      }
    }
  }
  const names = keys.map(({ plan }) => plan.name).join(', ')
  const seen = new Uint8Array(identity.reduce((most, id) => Math.max(most, id), 0) + 1)
  const duplicate = refused.addFault(names, 'duplicate_key')
  let failed = 0
  for (let row = 0; row < identity.length; row++) {
    if (refused.faultOf[row] !== 0) continue
    const id = identity[row] as number
    if (seen[id] === 1) {
      failed++
      refused.refuse(row, duplicate)
    }
    seen[id] = 1
  }
  refused.validation.push({ column: names, rule: 'unique', failed })
}

/** A number for each cell id: equal values share it, as cells written differently may. null: cells are values. */
function identifyValues({ values, valueIds }: TypedColumn): Uint32Array | null {
  if (valueIds === null) return null
  const numbers = new Map<string, number>()
  const decoder = new TextDecoder('latin1')
  return valueIds.map((value) => {
    if (value === 0 || value === INVALID) return 0
    const text = decoder.decode(values.heap.subarray(values.offsets[value - 1], values.offsets[value]))
    const known = numbers.get(text) ?? numbers.size + 1
    numbers.set(text, known)
    return known
  })
}

const FIRST_SLOTS = 1024

export class IdPairs {
  #count = 0
  #mask = FIRST_SLOTS - 1
  /** For each slot: both numbers, and the pair's number, 0 if free. */
  #slots = new Uint32Array(FIRST_SLOTS * 3)

  /** The number of a pair, from 1; assigned at its first use. */
  idOf(a: number, b: number): number {
    const slot = this.#find(a, b)
    const slots = this.#slots
    const known = slots[slot + 2] as number
    if (known !== 0) return known
    slots[slot] = a
    slots[slot + 1] = b
    slots[slot + 2] = ++this.#count
    if (this.#count * 2 > this.#mask) this.#grow()
    return this.#count
  }

  /** The number of a pair that has one; else 0. */
  knownId(a: number, b: number): number {
    return this.#slots[this.#find(a, b) + 2] as number
  }

  #find(a: number, b: number): number {
    const slots = this.#slots,
      mask = this.#mask
    let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 0x7f4a7c15, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
    let at = (hash ^ (hash >>> 13)) & mask
    while (slots[at * 3 + 2] !== 0 && (slots[at * 3] !== a || slots[at * 3 + 1] !== b)) at = (at + 1) & mask
    return at * 3
  }

  #grow(): void {
    const old = this.#slots
    this.#mask = this.#mask * 2 + 1
    this.#slots = new Uint32Array((this.#mask + 1) * 3)
    for (let at = 0; at < old.length; at += 3) {
      if (old[at + 2] !== 0)
        this.#slots.set(old.subarray(at, at + 3), this.#find(old[at] as number, old[at + 1] as number))
    }
  }
}
