/** Writes the columns of a version file, one after the other, and collects what the report says about each. */

import { setImmediate } from 'node:timers/promises'
import { CommandError } from '../../base/errors.ts'
import type { Value } from '../../engine/columns/column.ts'
import type { SortedEntries } from '../../engine/columns/dictionary.ts'
import {
  addColumnMemory,
  type ColumnMemory,
  memoryNeeded,
  NO_COLUMNS,
} from '../../engine/memory/open-dataset.ts'
import type { EncodedRecords } from '../../read/cells/encoded-records.ts'
import type { PlannedColumn } from '../../read/definition/columns.ts'
import { because } from '../../read/report/reasons.ts'
import { countRepairs, type Repair } from '../../read/report/repairs.ts'
import type { Standardize } from '../../read/values/reference.ts'
import {
  encodeColumn,
  type ServedColumn,
  segmentBytes,
  standardizeColumn,
  valueOfCode,
  writeServedColumn,
} from '../../read/values/served-column.ts'
import type { LoadedColumn, Validation } from '../../read/values/validation.ts'
import type { DescriptorColumn, SampleRow } from '../../store/catalog/record.ts'
import type { VersionWriter } from '../../store/files/write-version.ts'
import type { ColumnRows, VersionRows } from './version-rows.ts'

const LARGEST_DATASET = 2 ** 32

export interface BuildRequest {
  readonly columns: readonly LoadedColumn[]
  /** Tell what was repaired while the file was read. */
  readonly records: EncodedRecords
  readonly rows: VersionRows
  readonly primaryKey: readonly string[]
  /** Reference tables by name, for the columns that ask for one. */
  readonly references: ReadonlyMap<string, Standardize>
  /** null: a dry run, nothing is written. */
  readonly writer: VersionWriter | null
  /** The order of a column's values (by its place among the columns), where another thread finds it out. */
  readonly orderOf: (column: number) => Promise<SortedEntries | undefined>
  /** The first rows of the file that are wanted as they will be served; none when left out. */
  readonly shownRows?: number | undefined
  readonly onColumn?: (done: number) => void
}

export interface BuiltVersion {
  readonly columns: readonly DescriptorColumn[]
  readonly sampleRow: SampleRow | null
  /** The first rows of the file. */
  readonly shownRows: readonly SampleRow[]
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
  private readonly shown: Record<string, Value | null>[] = []
  private readonly repairs: Repair[] = []
  private readonly validation: Validation[] = []
  private memory: ColumnMemory = NO_COLUMNS

  constructor(request: BuildRequest) {
    this.request = request
  }

  add(column: LoadedColumn, sorted: SortedEntries | undefined): void {
    const { plan } = column
    const rows = this.request.rows.column(column)
    // The order is that of the file's own values.
    const served = encodeColumn(rows.typed, rows.counts, rows.typed === column.typed ? sorted : undefined)
    this.addRepairs(column, rows.fileCounts)
    this.write(plan, plan.name, served, rows)
    if (plan.canonical === null) return
    const standardize = this.request.references.get(plan.canonical) as Standardize
    const { typed: canonical, unknown } = standardizeColumn(served, standardize)
    const name = `${plan.name}_canonical`
    this.validation.push({ column: name, rule: `reference_${plan.canonical}`, failed: unknown })
    const description = `${plan.name} in the spelling of the reference table ${plan.canonical}`
    this.write(
      { ...plan, required: false, sourceName: null, title: null, unit: null, description },
      name,
      encodeColumn(canonical, rows.counts),
      rows,
    )
  }

  finish(): BuiltVersion {
    const { columns, repairs, validation } = this
    return {
      columns,
      repairs,
      validation,
      sampleRow: this.request.rows.accepted === 0 ? null : this.sample,
      shownRows: this.shown,
    }
  }

  private addRepairs({ plan, typed, lane }: LoadedColumn, counts: Uint32Array): void {
    const column = plan.name
    if (typed.repairs)
      for (const repair of countRepairs(typed.repairs, counts)) this.repairs.push({ column, ...repair })
    const { strayQuotes, missingCells, joinedCells } = this.request.records
    const counted = {
      stray_quote: strayQuotes,
      missing_cells: missingCells,
      inner_delimiter: joinedCells,
    } as const
    for (const kind of ['stray_quote', 'missing_cells', 'inner_delimiter'] as const) {
      const count = counted[kind][lane] ?? 0
      if (count > 0) this.repairs.push({ column, kind, count })
    }
    this.addConverted(column, lane)
  }

  private addConverted(column: string, lane: number): void {
    const { converted, cells } = this.request.records
    const cell = cells[lane]
    if (converted === null || cell === undefined) return
    const counted = { merged_cell: converted.merged(cell), error_cell: converted.errors(cell) } as const
    for (const kind of ['merged_cell', 'error_cell'] as const)
      if (counted[kind] > 0) this.repairs.push({ column, kind, count: counted[kind] })
  }

  private write(plan: PlannedColumn, name: string, served: ServedColumn, rows: ColumnRows): void {
    const { writer, primaryKey } = this.request
    const { accepted, refused } = this.request.rows
    const { distinct } = served.dictionary
    const position = this.columns.length
    const layout = { codeWidth: served.codeWidth, segments: segmentBytes(served, accepted) }
    this.memory = addColumnMemory(this.memory, layout)
    this.refuseTooLarge()
    if (writer) writeServedColumn(writer, position, name, served, rows.ids(), refused)
    this.columns.push({
      name,
      title: plan.title,
      unit: plan.unit,
      type: served.type,
      required: plan.required || primaryKey.includes(name),
      description: plan.description,
      source_name: plan.sourceName,
      null_count: served.counts[0] as number,
      distinct_count: distinct,
      min: distinct === 0 ? null : valueOfCode(served, 1),
      max: valueOfCode(served, distinct),
    })
    const shownAs = (cell: number) => valueOfCode(served, served.codeOf[cell] as number)
    for (const cell of firstCells(rows, refused, 0, 1)) this.sample[name] = shownAs(cell)
    const { shownRows = 0, rows: all } = this.request
    for (const [i, cell] of [...firstCells(rows, refused, all.before, shownRows)].entries()) {
      this.shown[i] ??= {}
      this.shown[i][name] = shownAs(cell)
    }
  }

  private refuseTooLarge(): void {
    const bytes = memoryNeeded(this.request.rows.accepted, this.memory)
    if (bytes <= LARGEST_DATASET) return
    const gigabytes = (bytes / 2 ** 30).toFixed(1)
    throw new CommandError(
      'refused',
      `the dataset would need ${gigabytes} GiB of memory to be served, and may need 4 at most: split the file, or leave columns out ("other_columns": "drop" in a definition)`,
      null,
      because('too_large', {}),
    )
  }
}

/** The cell ids of the first imported rows from one on. */
function* firstCells(
  rows: ColumnRows,
  refused: Uint16Array | null,
  from: number,
  most: number,
): Generator<number> {
  if (most === 0) return
  let left = most
  let row = 0
  for (const ids of rows.ids()) {
    for (let i = Math.max(0, from - row); i < ids.length && left > 0; i++) {
      if (refused !== null && refused[row + i] !== 0) continue
      yield ids[i] as number
      left--
    }
    if (left === 0) return
    row += ids.length
  }
}
