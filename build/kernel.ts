/**
 * Compiles the engine's kernel from AssemblyScript: `bun run build:kernel` after a change in `kernel/assembly`. The
 * compiled module is committed, so that running and building the program needs no compiler; a test compares the two.
 */

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

const SOURCES = [
  new URL('../src/engine/kernel/assembly/digits.ts', import.meta.url),
  new URL('../src/engine/kernel/assembly/masks.ts', import.meta.url),
  new URL('../src/engine/kernel/assembly/order.ts', import.meta.url),
  new URL('../src/engine/kernel/assembly/render.ts', import.meta.url),
  new URL('../src/engine/kernel/assembly/scan.ts', import.meta.url),
  new URL('../src/engine/kernel/assembly/settle.ts', import.meta.url),
  new URL('../src/engine/kernel/assembly/sort.ts', import.meta.url),
  new URL('../src/engine/kernel/assembly/text.ts', import.meta.url),
  new URL('../src/engine/kernel/assembly/ties.ts', import.meta.url),
]
const TARGET = fileURLToPath(new URL('../src/engine/kernel/kernel.wasm', import.meta.url))

/**
 * The kernel's WebAssembly module.
 * @throws Error with the compiler's messages when the source does not compile
 */
export async function compileKernel(): Promise<Uint8Array> {
  const output = new Map<string, string | Uint8Array>()
  const arguments_ = [
    ...SOURCES.map((source) => fileURLToPath(source)),
    ...['--outFile', 'kernel.wasm', '-O3', '--noAssert', '--runtime', 'stub'],
    ...['--enable', 'simd,bulk-memory', '--importMemory'],
  ]
  const { error, stderr } = await asc.main(arguments_, {
    writeFile: (name, contents) => void output.set(name, contents),
  })
  const module = output.get('kernel.wasm')
  if (error || !(module instanceof Uint8Array)) throw new Error(`the kernel does not compile\n${stderr}`)
  return module
}

if (import.meta.main) {
  const module = await compileKernel()
  writeFileSync(TARGET, module)
  console.log(`${TARGET}: ${module.length} bytes`)
}
