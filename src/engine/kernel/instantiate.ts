/**
 * The kernel: the engine's inner loops over codes, bit masks, row numbers and bytes in one linear memory, written in
 * AssemblyScript (https://www.assemblyscript.org) in `assembly/` and compiled by `build/kernel.ts`; and its functions
 * as TypeScript sees them (`kernel-functions.ts`, written by the same build).
 *
 * Pointers are unsigned 32-bit and may lie above 2 GiB: JavaScript hands them over as they are, but receives them signed, so a
 * returned pointer needs `>>> 0`. The comments in `assembly/` say what each function does. A mask holds one bit per row (or per code), least significant
 * bit first, in words of 64; one over rows ends with a whole line of 64 bytes, zero behind the last row. Codes are padded so that whole words of rows can be read, and every region has 64 bytes
 * of slack behind it, because bytes are read and copied 16 at a time.
 */

import { readFileSync } from 'node:fs'
import kernelFile from './kernel.wasm' with { type: 'file' }
import type { Kernel } from './kernel-functions.ts'

/** Compiled once per process; its machine code is shared by all datasets. */
const compiled = new WebAssembly.Module(readFileSync(kernelFile))

/** A kernel working on `memory`. */
export function instantiateKernel(memory: WebAssembly.Memory): Kernel {
  const instance = new WebAssembly.Instance(compiled, { env: { memory } })
  return instance.exports as unknown as Kernel
}
