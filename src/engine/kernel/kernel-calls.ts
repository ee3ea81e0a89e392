/** Calls of the kernel's functions as data, for threads. */

import type { Kernel } from './kernel-functions.ts'

/** A call of a kernel function whose result is not needed. */
export type KernelCall = {
  [N in keyof Kernel]: readonly [name: N, ...numbers: Parameters<Kernel[N]>]
}[keyof Kernel]

/** Calls made one after the other. No part reads or writes what another part writes. */
export interface Part {
  readonly calls: readonly KernelCall[]
  /** Cost of each call, in nanoseconds. */
  readonly cost: number
}

export function callKernel(kernel: Kernel, [name, ...numbers]: KernelCall): void {
  ;(kernel[name] as (...numbers: number[]) => unknown)(...numbers)
}

/** How `bringIn` combines two entries, as `assembly/steps.ts` numbers it. */
export const BRINGING = { sum: 0, wideSum: 1, least: 2, greatest: 3 } as const
