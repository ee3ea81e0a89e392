/**
 * The kernel: the engine's inner loops over codes, bit masks, row numbers and bytes in one linear memory. It is written in
 * AssemblyScript (https://www.assemblyscript.org) in `assembly/`, where comments say what each function does, and compiled
 * by `build/kernel.ts`, which also writes its functions as TypeScript sees them (`kernel-functions.ts`).
 *
 * Pointers are unsigned 32-bit and may be above 2 GiB: JavaScript passes them as they are but receives them signed, so a
 * returned pointer needs `>>> 0`. A mask holds one bit per row (or per code), least significant bit first, in words of 64
 * bits; a mask over rows ends with a whole line of 64 bytes, zero after the last row. Codes are padded so that whole words
 * of rows can be read, and every region is followed by 64 bytes of slack, because bytes are read and copied 16 at a time.
 */

import { readFileSync } from 'node:fs'
import kernelFile from './kernel.wasm' with { type: 'file' }
import type { Kernel } from './kernel-functions.ts'

/** Compiled once per process; all datasets share its machine code. */
const compiled = new WebAssembly.Module(readFileSync(kernelFile))

/** A kernel working on `memory`. */
export function instantiateKernel(memory: WebAssembly.Memory): Kernel {
  const instance = new WebAssembly.Instance(compiled, { env: { memory } })
  return instance.exports as unknown as Kernel
}
