/**
 * Compiles what is written in AssemblyScript: `bun run build:kernel` after a change in a folder called `assembly`. The
 * compiled modules are committed, so that running and building the program needs no compiler; a test compares the two.
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import asc from 'assemblyscript/asc'

const ROOT = join(import.meta.dir, '..')
/** Of each module, by its path, the fingerprint with which it was compiled. */
const FINGERPRINTS = join(import.meta.dir, 'compiled-modules.json')
const OPTIONS = [
  ...['--outFile', 'compiled.wasm', '-O3', '--noAssert', '--runtime', 'stub'],
  ...['--enable', 'simd,bulk-memory', '--importMemory'],
]

interface CompiledModule {
  /** Where its sources lie, all of them. */
  readonly sources: string
  /** Where it goes. */
  readonly file: string
}

/** The engine's inner loops, and the cutter of plain records. */
export const MODULES: readonly CompiledModule[] = [
  { sources: 'src/engine/kernel/assembly', file: 'src/engine/kernel/kernel.wasm' },
  { sources: 'src/read/records/assembly', file: 'src/read/records/plain-records.wasm' },
].map(({ sources, file }) => ({ sources: join(ROOT, sources), file: join(ROOT, file) }))

/**
 * The WebAssembly module of a folder of sources.
 * @throws Error with the compiler's messages when they do not compile
 */
export async function compileModule({ sources }: CompiledModule): Promise<Uint8Array> {
  const output = new Map<string, string | Uint8Array>()
  const files = readdirSync(sources).sort()
  const { error, stderr } = await asc.main([...files.map((file) => join(sources, file)), ...OPTIONS], {
    writeFile: (name, contents) => void output.set(name, contents),
  })
  const module = output.get('compiled.wasm')
  if (error || !(module instanceof Uint8Array)) throw new Error(`${sources} does not compile\n${stderr}`)
  return module
}

/** SHA-256 over the sources, the compiler's version and options, and the compiled module: all that may differ. */
export function fingerprintOf({ sources, file }: CompiledModule): string {
  const hash = createHash('sha256').update(JSON.stringify([asc.version, OPTIONS]))
  for (const name of readdirSync(sources).sort()) {
    const bytes = readFileSync(join(sources, name))
    hash.update(`${name} ${bytes.length}\n`).update(bytes)
  }
  return hash.update(readFileSync(file)).digest('hex')
}

/** The fingerprint with which a module was compiled; undefined where none was noted. */
export function readFingerprint({ file }: CompiledModule): string | undefined {
  return JSON.parse(readFileSync(FINGERPRINTS, 'utf8'))[relative(ROOT, file)]
}

if (import.meta.main) {
  for (const module of MODULES) {
    const bytes = await compileModule(module)
    writeFileSync(module.file, bytes)
    console.log(`${module.file}: ${bytes.length} bytes`)
  }
  const fingerprints = MODULES.map((module) => [relative(ROOT, module.file), fingerprintOf(module)])
  writeFileSync(FINGERPRINTS, `${JSON.stringify(Object.fromEntries(fingerprints), null, 2)}\n`)
}
