/** Calls of the kernel's functions as data, for threads. */

import type { Kernel } from './kernel-functions.ts'

/** A call of a function of the kernel whose answer does not matter. */
export type KernelCall = {
  [N in keyof Kernel]: readonly [name: N, ...numbers: Parameters<Kernel[N]>]
}[keyof Kernel]

/** Calls that follow one another. No part reads or writes what another one writes. */
export interface Part {
  readonly calls: readonly KernelCall[]
  /** What one of the calls costs, in nanoseconds. */
  readonly cost: number
}

export function callKernel(kernel: Kernel, [name, ...numbers]: KernelCall): void {
  ;(kernel[name] as (...numbers: number[]) => unknown)(...numbers)
}

/** How `bringIn` brings two entries together, as `assembly/steps.ts` numbers it. */
export const BRINGING = { sum: 0, wideSum: 1, least: 2, greatest: 3 } as const
