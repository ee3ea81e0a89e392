/**
 * The thread that encodes some of a large file's columns while the main one splits the next block and encodes the others;
 * afterwards it sorts and hashes while the main one writes. `SecondThread` is its only client. Columns share nothing, so
 * there are no locks, and a column's ids do not depend on the thread that encodes it. Messages transfer blocks both ways
 * instead of copying them.
 */

import { sha256File } from '../../base/crypto/sha256.ts'
import { CommandError, type FailureKind, type Reason } from '../../base/errors.ts'
import type { ColumnType, RawEntries } from '../../engine/columns/column.ts'
import { type SortedEntries, sortEntries } from '../../engine/columns/dictionary.ts'
import { CellTable, type SealedTable } from './cell-table.ts'
import { Spill, type SpillIndex } from './spill.ts'

/** The cells of a record that become columns here, and the file for their lanes, which must not exist. */
export type ThreadStart = Readonly<{ seed: number; cells: readonly number[]; spillPath: string }>

/** Rows of one block: the starts of their cells, the ends of their cells (`CellBlock`), then the bytes. */
type ThreadBlock = Readonly<{ buffer: ArrayBuffer; rows: number; width: number }>

/** A column's distinct values, to be sorted. */
type ThreadSort = Readonly<{ type: ColumnType; entries: RawEntries }>

/** The result of all blocks. */
export type Sealed = Readonly<{ tables: readonly SealedTable[]; spill: SpillIndex }>

export type ThreadTask =
  /** Once, before any block. */
  | { readonly start: ThreadStart }
  | { readonly block: ThreadBlock }
  | 'seal'
  | { readonly sort: ThreadSort }
  /** The path of a file. */
  | { readonly hash: string }
  | 'stop'

/** One for each block and each question, in order. */
export type ThreadAnswer =
  /** A block is encoded: its buffer comes back, with the memory that the tables take now. */
  | { readonly buffer: ArrayBuffer; readonly bytes: number }
  /** The answer to a seal, a sort, or a hash in lower-case hex. */
  | { readonly answer: Sealed | SortedEntries | string }
  | { readonly failed: Failed }

/** `kind` of a `CommandError`, `code` of a system error. */
export interface Failed {
  readonly message: string
  readonly kind?: FailureKind | undefined
  readonly code?: string | undefined
  readonly reasons?: readonly Reason[] | undefined
}

declare const self: Worker

self.onmessage = ({ data: task }: MessageEvent<ThreadTask>) => {
  try {
    if (task === 'stop') {
      spill?.close()
      process.exit(0)
    } else if (task === 'seal') seal()
    else if ('block' in task) encode(task.block)
    else if ('sort' in task) sort(task.sort)
    else if ('hash' in task) answer({ answer: sha256File(task.hash).sha256 })
    else {
      const { seed, spillPath } = task.start
      cells = task.start.cells
      tables = cells.map(() => new CellTable(seed))
      spill = new Spill(spillPath, cells.length)
    }
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    const known = error instanceof CommandError ? error : undefined
    answer({ failed: { message, kind: known?.kind, reasons: known?.reasons, code } })
  }
}

let cells: readonly number[] = []
let tables: CellTable[] = []
let spill: Spill | null = null
let ids = new Uint32Array(0)

function encode({ buffer, rows, width }: ThreadBlock): void {
  const starts = new Uint32Array(buffer, 0, rows * width)
  const ends = new Uint32Array(buffer, starts.byteLength, rows * width)
  const block = { view: new DataView(buffer, 2 * starts.byteLength), starts, ends, width, rows }
  if (ids.length < rows) ids = new Uint32Array(rows)
  spill?.writeBlock(rows, (lane) => {
    const table = tables[lane] as CellTable
    table.encode(block, cells[lane] as number, ids)
    return { values: ids, largest: table.count }
  })
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
  answer({ buffer, bytes }, [buffer])
}

/** Leaves no file open, so the main thread may end this one at any moment from now on. */
function seal(): void {
  if (spill === null) return
  spill.flush()
  spill.close()
  const sealed = tables.map((table) => table.take())
  const moved = sealed.flatMap(({ heap, offsets }) => [heap.buffer, offsets.buffer])
  answer({ answer: { tables: sealed, spill: spill.index } }, moved)
  spill = null
}

function sort({ type, entries }: ThreadSort): void {
  const { order, startsGroup, foldLengths } = sortEntries(type, entries)
  // A subarray would transfer its whole buffer.
  const sorted = {
    order: order.slice(),
    startsGroup: startsGroup.slice(),
    foldLengths: foldLengths?.slice() ?? null,
  }
  answer(
    { answer: sorted },
    Object.values(sorted).flatMap((array) => array?.buffer ?? []),
  )
}

function answer(message: ThreadAnswer, moved: ArrayBuffer[] = []): void {
  self.postMessage(message, moved)
}
