/** Makes the columns of a version, one after the other, and collects what the report says about each. */

import { setImmediate } from 'node:timers/promises'
import type { Value } from '../../engine/columns/column.ts'
import type { SortedEntries } from '../../engine/columns/dictionary.ts'
import {
  addColumnMemory,
  type ColumnMemory,
  memoryNeeded,
  NO_COLUMNS,
} from '../../engine/memory/open-dataset.ts'
import type { PlannedColumn } from '../../read/definition/columns.ts'
import type { Reading } from '../../read/read.ts'
import type { IngestProgress } from '../../read/report/progress.ts'
import { refuse } from '../../read/report/reasons.ts'
import { countRepairs, type Repair } from '../../read/report/repairs.ts'
import { refuseChanged } from '../../read/source/source.ts'
import { shareThread } from '../../read/table/thread-sharing.ts'
import type { Standardize } from '../../read/values/reference.ts'
import {
  encodeColumn,
  type ServedColumn,
  segmentBytes,
  standardizeColumn,
  valueOfCode,
} from '../../read/values/served-column.ts'
import type { LoadedColumn, Validation } from '../../read/values/validation.ts'
import type { DescriptorColumn } from '../../store/catalog/record.ts'
import { type ColumnRows, rowsOfBoth, rowsOfFile, type VersionRows } from './append.ts'
import type { Edition } from './edition.ts'
import type { Findings } from './findings.ts'
import type { QualityCounts } from './report.ts'

const LARGEST_DATASET = 2 ** 32

/** What a version is made of. */
export interface Subject {
  readonly edition: Edition
  readonly findings: Findings
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined
}

/** The result of a reading; `version` null: not published. */
export type Outcome = Awaited<ReturnType<VersionBuilder['finish']>> & { readonly version: number | null }

/** A column as it is served; its rows can be read until the next one is made. */
export interface BuiltColumn {
  readonly position: number
  readonly name: string
  readonly served: ServedColumn
  readonly rows: ColumnRows
}

/** A second thread, where there is one, sorts values and hashes the source meanwhile. */
export class VersionBuilder {
  readonly #reading: Reading
  readonly #subject: Subject
  readonly #shownRows: number
  readonly #sharing: ReturnType<typeof shareThread>
  readonly #rows: VersionRows
  readonly #columns: DescriptorColumn[] = []
  readonly #sample: Record<string, Value | null> = {}
  readonly #shown: Record<string, Value | null>[] = []
  readonly #repairs: Repair[] = []
  readonly #validation: Validation[] = []
  #memory: ColumnMemory = NO_COLUMNS

  /** @param shownRows how many of the file's first rows to return as they will be served */
  constructor(reading: Reading, subject: Subject, shownRows = 0) {
    const { records, columns, source } = reading
    const { appended, verdict } = subject.findings
    const isOfFile = appended === null || subject.edition.unchangedSince !== null
    this.#reading = reading
    this.#subject = subject
    this.#shownRows = shownRows
    this.#sharing = shareThread(records, columns, source)
    this.#rows = isOfFile ? rowsOfFile(records, verdict) : rowsOfBoth(records, verdict, appended)
  }

  /** Not 0 for each row to leave out; null: none. */
  get refused(): Uint16Array | null {
    return this.#rows.refused
  }

  /**
   * All columns in order; the caller must iterate to the end.
   * @throws CommandError `refused` when the dataset would need more than the engine's 4 GiB
   */
  async *columns(): AsyncGenerator<BuiltColumn> {
    const { columns, source } = this.#reading
    const { findings, onProgress } = this.#subject
    try {
      for (const [done, column] of columns.entries()) {
        const { imported } = findings.rows
        onProgress?.({ phase: 'writing', bytes: done, totalBytes: columns.length, rows: imported })
        yield* this.#add(column, await this.#sharing.orderOf(done))
        await setImmediate()
      }
    } catch (error) {
      // The other thread hashes the source meanwhile, and fails when the source is gone.
      refuseChanged(source)
      throw error
    }
  }

  /** The result, once all columns were iterated. `counts`: of the file, except for columns; `sha256`: of the source. */
  async finish() {
    const { source, records, unproven } = this.#reading
    const { rows, verdict } = this.#subject.findings
    const sha256 = await this.#sharing.sha256().finally(() => refuseChanged(source))
    const built = {
      columns: this.#columns,
      sampleRow: this.#rows.accepted === 0 ? null : this.#sample,
      shownRows: this.#shown,
    }
    const counts: QualityCounts = {
      rows,
      columns: this.#columns,
      repairs: this.#repairs,
      validation: [...verdict.validation, ...this.#validation],
      quarantine: records.quarantine.counts(),
      leftOut: records.leftOut.counts(),
      mended: records.mended.counts(),
      unproven,
    }
    return { built, counts, sha256 }
  }

  *#add(column: LoadedColumn, sorted: SortedEntries | undefined): Generator<BuiltColumn> {
    const { plan } = column
    const rows = this.#rows.column(column)
    // The sorted order is valid only for the file's own values.
    const served = encodeColumn(rows.typed, rows.counts, rows.typed === column.typed ? sorted : undefined)
    this.#addRepairs(column, rows.fileCounts)
    yield this.#describe(plan, plan.name, served, rows)
    if (plan.canonical === null) return
    const standardize = this.#subject.edition.references.get(plan.canonical) as Standardize
    const { typed: canonical, unknown } = standardizeColumn(served, standardize)
    const name = `${plan.name}_canonical`
    this.#validation.push({ column: name, rule: `reference_${plan.canonical}`, failed: unknown })
    const title = plan.title && `${plan.title} (canonic)`
    const description = `${plan.name} in the spelling of the reference table ${plan.canonical}`
    yield this.#describe(
      { ...plan, required: false, sourceName: null, title, unit: null, description },
      name,
      encodeColumn(canonical, rows.counts),
      rows,
    )
  }

  #addRepairs({ plan, typed, lane }: LoadedColumn, counts: Uint32Array): void {
    const column = plan.name
    if (typed.repairs)
      for (const repair of countRepairs(typed.repairs, counts)) this.#repairs.push({ column, ...repair })
    const { strayQuotes, missingCells, joinedCells, converted, cells } = this.#reading.records
    const cell = cells[lane]
    const counted = [
      ['stray_quote', strayQuotes[lane]],
      ['missing_cells', missingCells[lane]],
      ['inner_delimiter', joinedCells[lane]],
      ['merged_cell', cell === undefined ? 0 : converted?.merged(cell)],
      ['error_cell', cell === undefined ? 0 : converted?.errors(cell)],
    ] as const
    for (const [kind, count = 0] of counted) if (count > 0) this.#repairs.push({ column, kind, count })
  }

  #describe(plan: PlannedColumn, name: string, served: ServedColumn, rows: ColumnRows): BuiltColumn {
    const { primaryKey } = this.#subject.findings
    const { accepted, refused, before } = this.#rows
    const { distinct } = served.dictionary
    const position = this.#columns.length
    const layout = { codeWidth: served.codeWidth, segments: segmentBytes(served, accepted) }
    this.#memory = addColumnMemory(this.#memory, layout)
    const bytes = memoryNeeded(this.#rows.accepted, this.#memory)
    if (bytes > LARGEST_DATASET)
      throw refuse(
        'too_large',
        {},
        `it would need ${(bytes / 2 ** 30).toFixed(1)} GiB of memory to be served, and may need 4`,
      )
    this.#columns.push({
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
    for (const cell of firstCells(rows, refused, 0, 1)) this.#sample[name] = shownAs(cell)
    for (const [i, cell] of [...firstCells(rows, refused, before, this.#shownRows)].entries()) {
      this.#shown[i] ??= {}
      this.#shown[i][name] = shownAs(cell)
    }
    return { position, name, served, rows }
  }
}

/** The cell ids of the first imported rows, starting at row `from`. */
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
