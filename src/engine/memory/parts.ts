/** Kernel calls that may run at the same time: on threads where the work is long, else one after the other in turns. */

import { callKernel, type KernelCall, type Part } from '../kernel/kernel-calls.ts'
import { BLOCK_ROWS, blocksOf, type Work } from '../turns.ts'
import type { OpenDataset } from './open-dataset.ts'

/** How many threads work of this cost is divided among; 0: it stays on this thread. @param cost in nanoseconds */
export function threadsFor({ threads }: OpenDataset, cost: number): number {
  return threads !== null && cost > threads.leastCost && threads.start() ? threads.count : 0
}

/** Divides 0 to `size` into at most `parts` ranges of about the same size; each begins at a multiple of `step`. */
export function shareOut(size: number, parts: number, step: number): readonly (readonly [number, number])[] {
  const share = Math.ceil(size / parts / step) * step
  const ranges: [number, number][] = []
  for (let from = 0; from < size; from += share) ranges.push([from, Math.min(from + share, size)])
  return ranges
}

/**
 * A part for each share of rows, block by block. Shares begin at whole blocks.
 * @param cost of a call for one row, in nanoseconds @param callsOf gives the calls for a block of a share
 */
export function shareParts(
  shares: ReturnType<typeof shareOut>,
  cost: number,
  callsOf: (from: number, to: number, share: number) => readonly KernelCall[],
): readonly Part[] {
  return shares.map(([first, end], share) => ({
    calls: [...blocksOf(end, first)].flatMap(([from, to]) => callsOf(from, to, share)),
    cost: cost * BLOCK_ROWS,
  }))
}

/** Runs all parts. @throws Error when a thread fails */
export function* runParts(dataset: OpenDataset, parts: readonly Part[]): Work<void> {
  const cost = parts.reduce((sum, part) => sum + part.cost * part.calls.length, 0)
  if (threadsFor(dataset, cost) > 0) {
    // Long work may be refused where it first waits; here no thread is at work on the memory yet.
    yield Promise.resolve()
    yield dataset.threads!.run(dataset, parts)
    return
  }
  for (const { calls } of parts)
    for (const call of calls) {
      callKernel(dataset.kernel, call)
      yield
    }
}
