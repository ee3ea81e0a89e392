/** Runs beside the converter, in a thread of its own, so that no long step of the conversion can hide from it. */

import { createReadStream, writeFileSync } from 'node:fs'

export interface Limits {
  readonly memoryBytes: number
  readonly seconds: number
  /** Takes the reason when the converter has to be stopped: `memory` or `time`. */
  readonly reasonFile: string
}

const INTERVAL_MS = 50
const STANDARD_INPUT = 0

declare const self: Worker

self.onmessage = ({ data: { memoryBytes, seconds, reasonFile } }: MessageEvent<Limits>) => {
  const started = performance.now()
  const stop = (reason?: 'memory' | 'time') => {
    if (reason) writeFileSync(reasonFile, reason)
    process.kill(process.pid, 'SIGKILL')
  }
  setInterval(() => {
    if (process.memoryUsage.rss() > memoryBytes) stop('memory')
    else if (performance.now() - started > seconds * 1000) stop('time')
  }, INTERVAL_MS)
  // A pipe whose other end the ingest holds: it ends when that process does, however that comes about.
  createReadStream('', { fd: STANDARD_INPUT })
    .on('end', () => stop())
    .on('error', () => stop())
    .resume()
}
