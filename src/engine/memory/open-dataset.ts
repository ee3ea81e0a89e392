/** A dataset version opened for queries: its columns in the memory of one kernel instance, loaded on first use. */

import { withValue } from '../../base/value-or-promise.ts'
import type { ColumnLayout, SegmentKind, SegmentSource } from '../columns/column.ts'
import { instantiateKernel } from '../kernel/instantiate.ts'
import type { Kernel } from '../kernel/kernel-functions.ts'
import type { KernelMemory, KernelThreads } from '../kernel/kernel-threads.ts'
import type { SortField } from '../row-query.ts'
import { runInTurns, TurnKeeper, type Work } from '../turns.ts'
import { KeptRegions, type MayGrow, Regions, regionSize } from './regions.ts'

/**
 * Bounds on what is kept between queries; one result is always kept, however large. Masks take no more memory than the
 * dataset itself, so that small datasets stay small.
 */
const ORDER_BYTES = 64 * 2 ** 20
const MASK_BYTES = 64 * 2 ** 20
const COMBINATION_BYTES = 16 * 2 ** 20
const ASKED_BYTES = 2 ** 20

const WORD_ROWS = 64
/** The most counters, of four bytes, for a sort of matching rows. A sort of all rows uses fewer than rows, or 1024. */
export const MOST_COUNTERS = 2 ** 21
/** Assumed number of masks of exports and lists under way at one time. */
const MASKS_IN_USE = 40
/** Row numbers, names, needles, and the chunks of forty exports. */
const SMALL_SCRATCH = 2 ** 23
/** The longest row that the bound on memory allows for, twice, because the output buffer grows by doubling. */
const LONGEST_ROW = 64 * 2 ** 20

/** 64-bit words of a mask over `size` rows or codes. */
export function maskWords(size: number): number {
  return Math.ceil(size / WORD_ROWS)
}

/** A mask over rows ends with a whole line of 64 bytes. */
const LINE_ROWS = 512

/** Lines of a mask over `rows` rows. */
export function maskLines(rows: number): number {
  return Math.ceil(rows / LINE_ROWS)
}

/** Bytes of a mask over `rows` rows. */
export function maskBytes(rows: number): number {
  return maskLines(rows) * (LINE_ROWS / 8)
}

/** What each kind of work reads of a column, and the bit that says that this is loaded. */
const READ = {
  tested: { bit: 1, kinds: ['codes'] },
  ordered: { bit: 2, kinds: ['codes', 'ranks'] },
  searched: { bit: 4, kinds: ['codes', 'offsets', 'heap'] },
  folded: { bit: 8, kinds: ['codes', 'fold_offsets', 'fold_heap'] },
  valued: { bit: 16, kinds: ['codes', 'ranks', 'offsets', 'heap'] },
  json: { bit: 32, kinds: ['codes', 'offsets', 'heap', 'flags', 'json_codes', 'json_offsets', 'json_heap'] },
  csv: { bit: 64, kinds: ['codes', 'offsets', 'heap', 'flags', 'csv_codes', 'csv_offsets', 'csv_heap'] },
} as const satisfies Record<string, { readonly bit: number; readonly kinds: readonly SegmentKind[] }>

/** Columns, and the kind of work that reads them. */
export type Needs = readonly (readonly [columns: readonly number[], read: keyof typeof READ])[]

export interface OpenOptions {
  readonly defaultSort?: readonly SortField[]
  readonly turns?: TurnKeeper
  /** When it returns false, kept results are evicted, and an allocation without room is refused. */
  readonly mayGrow?: MayGrow
  /** Threads among which long work is divided; left out: it is done in turns. */
  readonly threads?: KernelThreads
}

let opened = 0

export class OpenDataset implements KernelMemory {
  readonly number = ++opened
  readonly rows: number
  readonly columns: readonly ColumnLayout[]
  /** The order of rows without a sort, and of rows that tie in a sort; empty: as in the file. */
  readonly defaultSort: readonly SortField[]
  readonly regions: Regions
  readonly kernel: Kernel
  /** Row numbers by sort, of all rows or of those that filters match; numbers of columns by row; short texts by code. */
  readonly orders: KeptRegions
  /** Row masks with their totals, by condition. */
  readonly masks: KeptRegions
  /** The same by combination of conditions: there are many more of these, and they are quickly made from `masks`. */
  readonly combinations: KeptRegions
  /** Conditions that were tested without keeping a mask, without regions: the second time a mask is kept. */
  readonly asked: KeptRegions
  readonly turns: TurnKeeper
  readonly threads: KernelThreads | null
  /** Set while a mask or an order is being built in turns: one at a time, so that scratch stays bounded. */
  building: Promise<void> | null = null
  /** The same for groups whose numbering or measures take much scratch. */
  grouping: Promise<void> | null = null
  /** Set while columns are loaded in turns, for one piece of work at a time; it never fails. */
  loading: Promise<void> | null = null
  readonly #source: SegmentSource
  readonly #segments: Map<SegmentKind, number>[]
  /** What each column is loaded for, in bits of `READ`. */
  readonly #loaded: Uint8Array

  /** Opens a version without reading anything yet. */
  constructor(source: SegmentSource, options: OpenOptions = {}) {
    const { defaultSort = [], turns = new TurnKeeper(), mayGrow = () => true } = options
    this.turns = turns
    this.threads = options.threads ?? null
    this.rows = source.rows
    this.columns = source.columns
    this.defaultSort = defaultSort
    this.#source = source
    this.#segments = source.columns.map(() => new Map())
    this.#loaded = new Uint8Array(source.columns.length)
    this.regions = new Regions(
      () => this.orders.giveUpOldest() || this.combinations.giveUpOldest() || this.masks.giveUpOldest(),
      mayGrow,
    )
    this.kernel = instantiateKernel(this.regions.memory)
    this.orders = new KeptRegions(this.regions, ORDER_BYTES)
    const lengths = source.columns.flatMap(({ segments }) => Object.values(segments))
    const size = lengths.reduce((sum, length) => sum + length, 0)
    this.masks = new KeptRegions(this.regions, Math.min(MASK_BYTES, size))
    this.combinations = new KeptRegions(this.regions, Math.min(COMBINATION_BYTES, size / 4))
    this.asked = new KeptRegions(this.regions, Math.min(ASKED_BYTES, size / 16))
  }

  get memory(): WebAssembly.Memory {
    return this.regions.memory
  }

  /** Memory taken now, in bytes. It grows with what queries read and never shrinks. */
  get bytes(): number {
    return this.regions.memory.buffer.byteLength
  }

  /**
   * The address of a segment, loading it on first use; 0 when the column has none of that kind. A segment that fails
   * to load is tried again next time.
   * @throws DamagedFileError from the source
   * @throws MemoryFullError, MemoryRefusedError
   */
  segment(column: number, kind: SegmentKind): number {
    const segments = this.#segments[column]!
    const known = segments.get(kind)
    if (known !== undefined) return known
    for (const _ of this.#load(column, kind));
    return segments.get(kind) ?? 0
  }

  /** Has the threads release the memory; call it when there are no more queries of the dataset. */
  close(): void {
    this.threads?.forget(this)
  }

  /**
   * Loads what work reads of columns: at once where that takes less than a turn, else in turns. Other callers wait and load
   * afterwards.
   * @throws as `segment`
   */
  load(needs: Needs): void | Promise<void> {
    if (this.#hasLoaded(needs)) return
    if (this.loading) return this.loading.then(() => this.load(needs))
    const loading = runInTurns(this.#loadAll(needs))
    if (!loading) return
    const end = () => {
      this.loading = null
    }
    this.loading = loading.then(end, end)
    return loading
  }

  /**
   * Runs work as `turns` does, once its columns are loaded. Loading is not long work and does not count towards its time.
   * @throws as `load` and `TurnKeeper.run`
   */
  run<T>(needs: Needs, work: Work<T>): T | Promise<T> {
    return withValue(this.load(needs), () => this.turns.run(work))
  }

  #hasLoaded(needs: Needs): boolean {
    for (const [columns, read] of needs) {
      const bit = READ[read].bit
      for (const column of columns) if ((this.#loaded[column]! & bit) === 0) return false
    }
    return true
  }

  *#loadAll(needs: Needs): Work<void> {
    for (const [columns, read] of needs) {
      const { kinds, bit } = READ[read]
      for (const column of columns) {
        for (const kind of kinds) if (!this.#segments[column]!.has(kind)) yield* this.#load(column, kind)
        this.#loaded[column]! |= bit
      }
    }
  }

  *#load(column: number, kind: SegmentKind): Work<void> {
    const { segments, codeWidth } = this.columns[column]!
    const length = segments[kind]
    if (length === undefined) return
    // Codes are read in whole words of rows; rows after the last one read as null.
    const size = kind === 'codes' ? maskWords(this.rows) * WORD_ROWS * codeWidth : length
    const at = this.regions.allocateForGood(size)
    try {
      let to = at
      for (const part of this.#source.parts(column, kind)) {
        this.regions.bytes.set(part, to)
        to += part.length
        yield
      }
      this.regions.bytes.fill(0, to, at + size)
    } catch (error) {
      this.regions.release(at)
      throw error
    }
    // Work that declares no needs may have loaded it meanwhile.
    if (this.#segments[column]!.has(kind)) this.regions.release(at)
    else this.#segments[column]!.set(kind, at)
  }
}

/** What columns add to the memory of their dataset, in bytes; `text` is an upper bound on the text of one row. */
export interface ColumnMemory {
  readonly columns: number
  readonly bytes: number
  readonly text: number
}

export const NO_COLUMNS: ColumnMemory = { columns: 0, bytes: 0, text: 0 }

/** The sum with one more column, so that a growing dataset can be checked after each. */
export function addColumnMemory(
  sum: ColumnMemory,
  { codeWidth, segments }: Pick<ColumnLayout, 'codeWidth' | 'segments'>,
): ColumnMemory {
  // The description of the column, and its name in the output.
  let bytes = 2 * regionSize(128)
  for (const length of Object.values(segments)) bytes += regionSize(length)
  bytes += WORD_ROWS * codeWidth
  // Two code masks for the column's filters.
  bytes += 2 * regionSize((segments.offsets ?? 0) / 32 + 8)
  const text = (segments.heap ?? 0) + (segments.json_heap ?? 0) + (segments.csv_heap ?? 0)
  return { columns: sum.columns + 1, bytes: sum.bytes + bytes, text: sum.text + text }
}

/**
 * An upper bound on the memory, in bytes, that a dataset needs when every column is loaded, one sort is kept while
 * another is made, and pages and exports are under way. More than 4 GiB cannot be served.
 */
export function memoryNeeded(rows: number, { columns, bytes, text }: ColumnMemory): number {
  const mask = regionSize(maskBytes(rows))
  const order = regionSize(rows * 4)
  // While a combination is made, one more mask of each column may be in use. Orders: the one that is kept and, for the
  // next, two lists and either keys with their rows or counters with joint codes. The ties of one value take 8 MiB.
  const scratch = SMALL_SCRATCH + 4 * MOST_COUNTERS + 5 * order + (MASKS_IN_USE + columns) * mask
  return scratch + bytes + 3 * Math.min(text, LONGEST_ROW)
}
