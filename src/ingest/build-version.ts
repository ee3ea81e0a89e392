/** Writes the columns of a version file, one after the other, and gathers what is to be told about each. */

import { setImmediate } from 'node:timers/promises'
import type { DescriptorColumn, SampleRow } from '../catalog/record.ts'
import type { Value } from '../engine/column.ts'
import type { SortedEntries } from '../engine/dictionary.ts'
import { addColumnMemory, type ColumnMemory, memoryNeeded, NO_COLUMNS } from '../engine/memory.ts'
import { CommandError } from '../errors.ts'
import type { VersionWriter } from '../storage/write-version.ts'
import type { PlannedColumn } from './definition/columns.ts'
import type { Repair, Validation } from './quality.ts'
import type { EncodedRecords } from './records/encode.ts'
import { standardizeColumn } from './values/canonical.ts'
import { countCells } from './values/cell-counts.ts'
import type { Standardize } from './values/reference.ts'
import { countRepairs } from './values/repairs.ts'
import {
  encodeColumn,
  type ServedColumn,
  segmentBytes,
  valueOfCode,
  writeServedColumn,
} from './values/served-column.ts'
import type { LoadedColumn, Verdict } from './values/validation.ts'

const LARGEST_DATASET = 2 ** 32

export interface BuildRequest {
  readonly columns: readonly LoadedColumn[]
  readonly records: EncodedRecords
  readonly verdict: Verdict
  readonly primaryKey: readonly string[]
  /** Reference tables by name, for the columns that ask for one. */
  readonly references: ReadonlyMap<string, Standardize>
  /** null: a dry run, nothing is written. */
  readonly writer: VersionWriter | null
  /** The order of a column's values (by its place among the columns), where another thread finds it out. */
  readonly orderOf: (column: number) => Promise<SortedEntries | undefined>
  readonly onColumn?: (done: number) => void
}

export interface BuiltVersion {
  readonly columns: readonly DescriptorColumn[]
  readonly sampleRow: SampleRow | null
  readonly repairs: readonly Repair[]
  /** Of the canonical columns. */
  readonly validation: readonly Validation[]
}

/**
 * @throws CommandError `refused` when the dataset would need more than the engine's 4 GiB; `failed` on a full disk
 */
export async function buildVersion(request: BuildRequest): Promise<BuiltVersion> {
  const builder = new VersionBuilder(request)
  for (const [done, column] of request.columns.entries()) {
    request.onColumn?.(done)
    builder.add(column, await request.orderOf(done))
    await setImmediate()
  }
  return builder.finish()
}

class VersionBuilder {
  private readonly request: BuildRequest
  private readonly columns: DescriptorColumn[] = []
  private readonly sample: Record<string, Value | null> = {}
  private readonly repairs: Repair[] = []
  private readonly validation: Validation[] = []
  private memory: ColumnMemory = NO_COLUMNS

  constructor(request: BuildRequest) {
    this.request = request
  }

  add(column: LoadedColumn, sorted: SortedEntries | undefined): void {
    const { plan, typed, lane } = column
    const { records, verdict } = this.request
    const counts = countCells(records, lane, verdict.refused)
    const served = encodeColumn(typed, counts, sorted)
    this.addRepairs(column, counts)
    this.write(plan, plan.name, served, lane)
    if (plan.canonical === null) return
    const standardize = this.request.references.get(plan.canonical) as Standardize
    const { typed: canonical, unknown } = standardizeColumn(served, standardize)
    const name = `${plan.name}_canonical`
    this.validation.push({ column: name, rule: `reference_${plan.canonical}`, failed: unknown })
    const description = `${plan.name} in the spelling of the reference table ${plan.canonical}`
    this.write(
      { ...plan, required: false, sourceName: null, description },
      name,
      encodeColumn(canonical, counts),
      lane,
    )
  }

  finish(): BuiltVersion {
    const { columns, repairs, validation } = this
    return {
      columns,
      repairs,
      validation,
      sampleRow: this.request.verdict.accepted === 0 ? null : this.sample,
    }
  }

  private addRepairs({ plan, typed, lane }: LoadedColumn, counts: Uint32Array): void {
    const column = plan.name
    if (typed.repairs)
      for (const repair of countRepairs(typed.repairs, counts)) this.repairs.push({ column, ...repair })
    const { strayQuotes, missingCells, joinedCells } = this.request.records
    const told = {
      stray_quote: strayQuotes,
      missing_cells: missingCells,
      inner_delimiter: joinedCells,
    } as const
    for (const kind of ['stray_quote', 'missing_cells', 'inner_delimiter'] as const) {
      const count = told[kind][lane] ?? 0
      if (count > 0) this.repairs.push({ column, kind, count })
    }
    this.addConverted(column, lane)
  }

  private addConverted(column: string, lane: number): void {
    const { converted, cells } = this.request.records
    const cell = cells[lane]
    if (converted === null || cell === undefined) return
    const told = { merged_cell: converted.merged(cell), error_cell: converted.errors(cell) } as const
    for (const kind of ['merged_cell', 'error_cell'] as const)
      if (told[kind] > 0) this.repairs.push({ column, kind, count: told[kind] })
  }

  private write(plan: PlannedColumn, name: string, served: ServedColumn, lane: number): void {
    const { records, verdict, writer, primaryKey } = this.request
    const { distinct } = served.dictionary
    const position = this.columns.length
    const layout = { codeWidth: served.codeWidth, segments: segmentBytes(served, verdict.accepted) }
    this.memory = addColumnMemory(this.memory, layout)
    this.refuseTooLarge()
    if (writer) writeServedColumn(writer, position, name, served, records.idsOf(lane), verdict.refused)
    this.columns.push({
      name,
      type: served.type,
      required: plan.required || primaryKey.includes(name),
      description: plan.description,
      source_name: plan.sourceName,
      null_count: served.counts[0] as number,
      distinct_count: distinct,
      min: distinct === 0 ? null : valueOfCode(served, 1),
      max: valueOfCode(served, distinct),
    })
    if (verdict.accepted > 0)
      this.sample[name] = valueOfCode(served, served.codeOf[this.firstCell(lane)] as number)
  }

  /** The cell id of the first imported row. */
  private firstCell(lane: number): number {
    const { records, verdict } = this.request
    const { refused } = verdict
    let row = refused === null ? 0 : refused.indexOf(0)
    for (const ids of records.idsOf(lane)) {
      if (row < ids.length) return ids[row] as number
      row -= ids.length
    }
    return 0
  }

  private refuseTooLarge(): void {
    const bytes = memoryNeeded(this.request.verdict.accepted, this.memory)
    if (bytes <= LARGEST_DATASET) return
    const gigabytes = (bytes / 2 ** 30).toFixed(1)
    throw new CommandError(
      'refused',
      `the dataset would need ${gigabytes} GiB of memory to be served, and may need 4 at most: split the file, or leave columns out ("other_columns": "drop" in a definition)`,
    )
  }
}
