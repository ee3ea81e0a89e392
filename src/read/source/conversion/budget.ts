/**
 * Limits on what a file may unpack to. Publishers' spreadsheets unpack to ten or thirty times their size, a bomb to a
 * thousand times: a file that exceeds a hundred times its size, or the room on the disk, is refused while it grows.
 */

import { statfsSync } from 'node:fs'
import type { CommandError } from '../../../base/errors.ts'
import { fromSources } from '../../../base/process/own-command.ts'
import { refuse } from '../../report/reasons.ts'
import type { Limits } from './limits-worker.ts'

const EXPANSION = 100
/** Small files may grow more: repeated cells compress very well, and this size is harmless. */
const ALWAYS_ALLOWED = 256 * 1024 * 1024
/** Share of the free disk space. */
const DISK_SHARE = 0.8

/** Cells of a table of objects, most of which may be empty: for each byte, in addition to those always allowed. */
const CELLS_PER_BYTE = 4
const CELLS_ALWAYS_ALLOWED = 10_000_000
/** Unpacked bytes of sheets that are searched for the table: more than workbooks have, and a few seconds of work. */
const LOOKED_AT_PER_BYTE = 30
const LOOKED_AT_ALWAYS = 24 * 1024 * 1024

export class Budget {
  /** Once the sheets of a workbook have unpacked to this many bytes, no further one is searched. */
  readonly lookedAt: number
  #left: number
  #cells: number
  readonly #refusal: () => CommandError

  /** @param sourceBytes size of the original file @param folder the folder of the work files */
  constructor(sourceBytes: number, folder: string) {
    const disk = statfsSync(folder)
    const onDisk = disk.bavail * disk.bsize * DISK_SHARE
    const expanded = Math.max(ALWAYS_ALLOWED, EXPANSION * sourceBytes)
    this.#left = Math.min(onDisk, expanded)
    this.#cells = CELLS_ALWAYS_ALLOWED + CELLS_PER_BYTE * sourceBytes
    this.lookedAt = LOOKED_AT_ALWAYS + LOOKED_AT_PER_BYTE * sourceBytes
    this.#refusal = () =>
      onDisk < expanded
        ? refuse('disk_full', {}, 'it has no room for what the file unpacks to')
        : refuse(
            'unsafe_file',
            {},
            `it unpacks to more than ${Math.round(expanded / 1e6)} MB, ${EXPANSION} times its size and more; unpack it yourself if it is to be trusted`,
          )
  }

  /** Whether a table may have this many more cells. */
  takeCells(count: number): boolean {
    this.#cells -= count
    return this.#cells >= 0
  }

  /** @throws CommandError when it exceeds what is left */
  take(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0) throw this.#refusal()
  }
}

/** In an executable all modules are in its root; only threads keep their paths. */
const WORKER = new URL(
  fromSources ? './limits-worker.ts' : './read/source/conversion/limits-worker.ts',
  import.meta.url,
)

/**
 * From now on the process is killed when it takes too much memory or time, or when its parent, which holds the other end of
 * its standard input, is gone.
 */
export function watchLimits(limits: Limits): void {
  const worker = new Worker(WORKER)
  worker.postMessage(limits)
  worker.unref()
}
