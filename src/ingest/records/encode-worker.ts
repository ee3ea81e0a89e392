/**
 * The thread that encodes some of a large file's columns, while the main one splits the next block and encodes the
 * others. `EncodeAside` is its only client. Columns share nothing, so nothing is locked and each is encoded as ever:
 * its ids do not depend on who gave them. Blocks are moved here and back, not copied by the message.
 */

import { CommandError, type FailureKind } from '../../errors.ts'
import { CellTable, type SealedTable } from './cell-table.ts'
import { Spill, type SpillIndex } from './spill.ts'

/** What there is to do, once, before any block. */
export interface AsideStart {
  readonly seed: number
  /** The cells of a record that become columns here. */
  readonly cells: readonly number[]
  /** Takes their lanes; must not exist. */
  readonly spillPath: string
}

/** Rows of one block: the starts of their cells, the ends of their cells (`CellBlock`), then the bytes. */
interface AsideBlock {
  readonly buffer: ArrayBuffer
  readonly rows: number
  readonly width: number
}

export type AsideTask = { readonly start: AsideStart } | { readonly block: AsideBlock } | 'seal' | 'stop'

export type AsideAnswer =
  /** A block is encoded: its buffer comes back, and how much memory the tables take by now. */
  | { readonly buffer: ArrayBuffer; readonly bytes: number }
  | { readonly sealed: { readonly tables: readonly SealedTable[]; readonly spill: SpillIndex } }
  | { readonly failed: Failed }

/** `kind` of a `CommandError`, `code` of the system's error. */
export interface Failed {
  readonly message: string
  readonly kind?: FailureKind | undefined
  readonly code?: string | undefined
}

declare const self: Worker

self.onmessage = ({ data }: MessageEvent<AsideTask>) => {
  try {
    handle(data)
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    answer({ failed: { message, kind: error instanceof CommandError ? error.kind : undefined, code } })
  }
}

let cells: readonly number[] = []
let tables: CellTable[] = []
let spill: Spill | null = null
let ids = new Uint32Array(0)

function handle(task: AsideTask): void {
  if (task === 'stop') end()
  else if (task === 'seal') seal()
  else if ('block' in task) encode(task.block)
  else prepare(task.start)
}

function prepare(start: AsideStart): void {
  cells = start.cells
  tables = cells.map(() => new CellTable(start.seed))
  spill = new Spill(start.spillPath, cells.length)
}

function encode({ buffer, rows, width }: AsideBlock): void {
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

function seal(): void {
  if (spill === null) return
  spill.flush()
  const sealed = tables.map((table) => table.take())
  const moved = sealed.flatMap(({ heap, offsets }) => [heap.buffer, offsets.buffer])
  answer({ sealed: { tables: sealed, spill: spill.index } }, moved)
}

function end(): void {
  spill?.close()
  process.exit(0)
}

function answer(message: AsideAnswer, moved: ArrayBuffer[] = []): void {
  self.postMessage(message, moved)
}
