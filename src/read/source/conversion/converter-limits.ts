/** Starts the watch over a converter. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fromSources } from '../../../base/process/own-command.ts'
import { type ConversionRequest, LIMIT_FILE } from './conversion.ts'
import type { Limits } from './limits-worker.ts'

/** Together with the ingest itself a file must stay below 1 GB. */
const MEMORY_BYTES = 768 * 1024 * 1024
const SECONDS = 60
const SECONDS_PER_MEGABYTE = 1

/** In an executable all modules of the program lie in its root; its threads keep their paths. */
const WORKER = new URL(
  fromSources ? './limits-worker.ts' : './read/source/conversion/limits-worker.ts',
  import.meta.url,
)

/** The limits of the process that converts a file. */
export function watchConverter({ path, folder, limits: asked = {} }: ConversionRequest): void {
  watchLimits({
    memoryBytes: asked.memoryBytes ?? MEMORY_BYTES,
    seconds: asked.seconds ?? SECONDS + (statSync(path).size / 1e6) * SECONDS_PER_MEGABYTE,
    reasonFile: join(folder, LIMIT_FILE),
  })
}

/**
 * From now on the process is killed when it takes too much memory or time, or when the one that started it, and holds the
 * other end of its standard input, is gone.
 */
export function watchLimits(limits: Limits): void {
  const worker = new Worker(WORKER)
  worker.postMessage(limits)
  worker.unref()
}
