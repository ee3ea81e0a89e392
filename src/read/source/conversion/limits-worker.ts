/** Watches the converter from a separate thread, so that no long step of the conversion can block it. */

import { createReadStream, writeFileSync } from 'node:fs'

export interface Limits {
  readonly memoryBytes: number
  readonly seconds: number
  /** Gets the reason when the converter has to be stopped: `memory` or `time`. */
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
  // The ingest holds the other end of this pipe, which closes when that process ends, however that happens.
  createReadStream('', { fd: STANDARD_INPUT })
    .on('end', () => stop())
    .on('error', () => stop())
    .resume()
}
