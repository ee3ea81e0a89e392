/** What the converter says on its way, a line of JSON at a time on standard output, and how it is understood. */

import { writeSync } from 'node:fs'
import type { IngestProgress } from '../../report/progress.ts'

export interface ConversionStep {
  readonly phase: Extract<IngestProgress['phase'], 'unpacking' | 'converting'>
  /** Of the file that is unpacked or converted, as far as it was read. */
  readonly bytes: number
  readonly totalBytes: number
}

export type OnStep = (step: ConversionStep) => void
/** Takes how many bytes of a file have been read. */
export type OnRead = (bytes: number) => void

const INTERVAL_MS = 100
const STANDARD_OUTPUT = 1

/** Reports of one phase, at most ten a second. */
export function reportReading(phase: ConversionStep['phase'], totalBytes: number, onStep: OnStep): OnRead {
  let last = Number.NEGATIVE_INFINITY
  return (bytes) => {
    const now = performance.now()
    if (now - last < INTERVAL_MS) return
    last = now
    onStep({ phase, bytes: Math.min(Math.round(bytes), totalBytes), totalBytes })
  }
}

/** Tells the ingest; when that is gone there is nobody to tell, and the watch ends this process. */
export function printStep(step: ConversionStep): void {
  try {
    writeSync(STANDARD_OUTPUT, `${JSON.stringify(step)}\n`)
  } catch {}
}

/** Reads what the converter prints until it ends. */
export async function followSteps(output: AsyncIterable<Uint8Array>, onStep: OnStep): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of output) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onStep(JSON.parse(line) as ConversionStep)
  }
}
