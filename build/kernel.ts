/**
 * Compiles what is written in AssemblyScript: `bun run build:kernel` after a change in a folder called `assembly`. The
 * compiled modules are committed, so that running and building the program needs no compiler; a test compares the two.
 */

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import asc from 'assemblyscript/asc'

const ROOT = join(import.meta.dir, '..')

interface CompiledModule {
  /** Where its sources lie, all of them. */
  readonly sources: string
  /** Where it goes. */
  readonly file: string
}

/** The engine's inner loops, and the cutter of plain records. */
export const MODULES: readonly CompiledModule[] = [
  { sources: 'src/engine/kernel/assembly', file: 'src/engine/kernel/kernel.wasm' },
  { sources: 'src/ingest/delimited/assembly', file: 'src/ingest/delimited/plain-records.wasm' },
].map(({ sources, file }) => ({ sources: join(ROOT, sources), file: join(ROOT, file) }))

/**
 * The WebAssembly module of a folder of sources.
 * @throws Error with the compiler's messages when they do not compile
 */
export async function compileModule({ sources }: CompiledModule): Promise<Uint8Array> {
  const output = new Map<string, string | Uint8Array>()
  const files = readdirSync(sources).sort()
  const { error, stderr } = await asc.main(
    [
      ...files.map((file) => join(sources, file)),
      ...['--outFile', 'compiled.wasm', '-O3', '--noAssert', '--runtime', 'stub'],
      ...['--enable', 'simd,bulk-memory', '--importMemory'],
    ],
    { writeFile: (name, contents) => void output.set(name, contents) },
  )
  const module = output.get('compiled.wasm')
  if (error || !(module instanceof Uint8Array)) throw new Error(`${sources} does not compile\n${stderr}`)
  return module
}

if (import.meta.main) {
  for (const module of MODULES) {
    const bytes = await compileModule(module)
    writeFileSync(module.file, bytes)
    console.log(`${module.file}: ${bytes.length} bytes`)
  }
}
