/** Which rows break what the definition declares: values of another type, missing ones, repeated keys. */

import type { EncodedRecords } from '../cells/encoded-records.ts'
import { IdPairs } from '../cells/id-pairs.ts'
import type { PlannedColumn } from '../definition/columns.ts'
import type { Fault } from '../report/quarantine.ts'
import { INVALID, type TypedColumn } from './conversion.ts'

/** A rule that was checked, and the rows that failed it. */
export interface Validation {
  readonly column: string
  readonly rule: string
  readonly failed: number
}

/** A column of the file, typed, with its lane of the spill; -1 when the file lacks it (all null). */
export interface LoadedColumn {
  readonly plan: PlannedColumn
  readonly typed: TypedColumn
  readonly lane: number
}

export interface Verdict {
  /** Not 0 for each refused row. null: none is. */
  readonly refused: Uint16Array | null
  /** Rows that are not. */
  readonly accepted: number
  readonly validation: readonly Validation[]
}

/** Judges all rows and puts the refused ones into quarantine, each with its first fault. */
export function validateRows(
  columns: readonly LoadedColumn[],
  primaryKey: readonly string[],
  records: EncodedRecords,
): Verdict {
  const judge = new Judge(records.rows)
  for (const column of columns) judgeColumn(judge, column, primaryKey.includes(column.plan.name), records)
  const keys = primaryKey
    .map((name) => columns.find(({ plan }) => plan.name === name))
    .filter((key) => key !== undefined)
  if (keys.length > 0 && keys.length === primaryKey.length) judgeKeys(judge, keys, records)
  quarantineRefused(judge, records)
  const { refused, refusals, validation } = judge
  return { refused: refusals > 0 ? refused : null, accepted: records.rows - refusals, validation }
}

class Judge {
  /** Per row: 0, or the place of its first fault in `faults`, from 1. */
  readonly refused: Uint16Array
  readonly faults: Fault[] = []
  readonly validation: Validation[] = []
  refusals = 0

  constructor(rows: number) {
    this.refused = new Uint16Array(rows)
  }

  /** @returns the number by which rows are refused for this fault */
  addFault(column: string, reason: string): number {
    return this.faults.push({ column, reason })
  }

  refuse(row: number, fault: number): void {
    if (this.refused[row] !== 0) return
    this.refused[row] = fault
    this.refusals++
  }
}

/** Verdicts on a distinct cell. */
const GOOD = 0
const WRONG_TYPE = 1
const MISSING = 2

function judgeColumn(judge: Judge, column: LoadedColumn, isKey: boolean, records: EncodedRecords): void {
  const { plan, typed, lane } = column
  const required = plan.required || isKey
  const verdicts = judgeCells(column, records, required)
  const wrong = judge.addFault(plan.name, `invalid_${typed.type}`)
  const missing = judge.addFault(plan.name, isKey ? 'key_missing' : 'required_missing')
  let wrongRows = 0
  let missingRows = 0
  const look = (row: number, verdict: number) => {
    if (verdict === GOOD) return
    if (verdict === WRONG_TYPE) wrongRows++
    else missingRows++
    judge.refuse(row, verdict === WRONG_TYPE ? wrong : missing)
  }
  if (verdicts.some((verdict) => verdict !== GOOD)) {
    let row = 0
    for (const ids of records.idsOf(lane)) {
      for (let i = 0; i < ids.length; i++, row++) look(row, verdicts[ids[i] as number] as number)
    }
  }
  if (plan.type !== null)
    judge.validation.push({ column: plan.name, rule: `type_${typed.type}`, failed: wrongRows })
  if (required)
    judge.validation.push({ column: plan.name, rule: isKey ? 'key' : 'required', failed: missingRows })
}

/** A verdict per cell id. */
function judgeCells({ typed, lane }: LoadedColumn, records: EncodedRecords, required: boolean): Uint8Array {
  const verdicts = new Uint8Array((records.tables[lane]?.count ?? 0) + 1)
  if (required) verdicts[0] = MISSING
  const { valueIds } = typed
  for (let id = 1; valueIds !== null && id < valueIds.length; id++) {
    if (valueIds[id] === INVALID) verdicts[id] = WRONG_TYPE
    else if (valueIds[id] === 0 && required) verdicts[id] = MISSING
  }
  return verdicts
}

/** Of rows with one key the first stays. Rows refused already do not count. */
function judgeKeys(judge: Judge, keys: readonly LoadedColumn[], records: EncodedRecords): void {
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
  const duplicate = judge.addFault(names, 'duplicate_key')
  let failed = 0
  for (let row = 0; row < identity.length; row++) {
    if (judge.refused[row] !== 0) continue
    const id = identity[row] as number
    if (seen[id] === 1) {
      failed++
      judge.refuse(row, duplicate)
    }
    seen[id] = 1
  }
  judge.validation.push({ column: names, rule: 'unique', failed })
}

/** One number per cell id and equal value: cells written differently may mean one value. null: cells are values. */
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

function quarantineRefused(judge: Judge, records: EncodedRecords): void {
  if (judge.refusals === 0) return
  for (const { row, place } of records.placesOf(judge.refused)) {
    records.quarantine.add(place, judge.faults[(judge.refused[row] as number) - 1] as Fault)
  }
}
