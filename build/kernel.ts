/**
 * Compiles the AssemblyScript sources: `bun run build:kernel` after a change in a folder called `assembly`. The compiled
 * modules are committed, so running and building the program needs no compiler; a test compares their fingerprints.
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import asc from 'assemblyscript/asc'

const ROOT = join(import.meta.dir, '..')
/** The fingerprint of each module when it was compiled, by its path. */
const FINGERPRINTS = join(import.meta.dir, 'compiled-modules.json')
const OPTIONS = [
  ...['--outFile', 'compiled.wasm', '-O3', '--noAssert', '--runtime', 'stub'],
  ...['--enable', 'simd,bulk-memory', '--importMemory', '--bindings', 'raw'],
]

/** For a memory that threads share. Its maximum size in pages must be given: here all that can be addressed. */
const SHARED = ['--enable', 'threads', '--sharedMemory', '--maximumMemory', '65536']

interface CompiledModule {
  /** The folder of all its sources. */
  readonly sources: string
  /** The compiled module. */
  readonly file: string
  /** Whether threads share its memory. */
  readonly isShared?: boolean
  /** The file for the types of its functions. */
  readonly types?: string
}

/** The engine's inner loops, and the cutter of plain records. */
export const MODULES: readonly CompiledModule[] = [
  {
    sources: join(ROOT, 'src/engine/kernel/assembly'),
    file: join(ROOT, 'src/engine/kernel/kernel.wasm'),
    types: join(ROOT, 'src/engine/kernel/kernel-functions.ts'),
    isShared: true,
  },
  {
    sources: join(ROOT, 'src/read/records/assembly'),
    file: join(ROOT, 'src/read/records/plain-records.wasm'),
  },
]

/**
 * The WebAssembly module of a folder of sources, and its functions as TypeScript sees them.
 * @throws Error with the compiler's messages when they do not compile
 */
export async function compileModule({
  sources,
  isShared = false,
}: CompiledModule): Promise<{ readonly module: Uint8Array; readonly types: string }> {
  const output = new Map<string, string | Uint8Array>()
  const files = readdirSync(sources).sort()
  const options = [...OPTIONS, ...(isShared ? SHARED : [])]
  const { error, stderr } = await asc.main([...files.map((file) => join(sources, file)), ...options], {
    writeFile: (name, contents) => void output.set(name, contents),
  })
  const module = output.get('compiled.wasm')
  if (error || !(module instanceof Uint8Array)) throw new Error(`${sources} does not compile\n${stderr}`)
  return { module, types: typesOf(String(output.get('compiled.d.ts'))) }
}

/** One line for each function. Booleans are 1 and 0. */
function typesOf(declarations: string): string {
  const functions = [...declarations.matchAll(/export function (\w+)(\(.*\)): (\w+);/g)]
  const lines = functions.map(
    ([, name, parameters, result]) =>
      `  readonly ${name}: ${parameters!.replaceAll('boolean', 'number')} => ${result!.replace('boolean', 'number')}`,
  )
  return `// Written by build/kernel.ts from the functions in \`assembly/\`.\nexport interface Kernel {\n${lines.join('\n')}\n}\n`
}

/** SHA-256 over everything that may differ: sources, compiler version and options, types, compiled module. */
export function fingerprintOf({ sources, file, types }: CompiledModule): string {
  const hash = createHash('sha256').update(JSON.stringify([asc.version, OPTIONS, SHARED]))
  for (const name of readdirSync(sources).sort()) {
    const bytes = readFileSync(join(sources, name))
    hash.update(`${name} ${bytes.length}\n`).update(bytes)
  }
  if (types !== undefined) hash.update(readFileSync(types))
  return hash.update(readFileSync(file)).digest('hex')
}

/** The fingerprint of a module when it was compiled; undefined if none was recorded. */
export function readFingerprint({ file }: CompiledModule): string | undefined {
  return JSON.parse(readFileSync(FINGERPRINTS, 'utf8'))[relative(ROOT, file)]
}

if (import.meta.main) {
  for (const module of MODULES) {
    const compiled = await compileModule(module)
    writeFileSync(module.file, compiled.module)
    if (module.types !== undefined) writeFileSync(module.types, compiled.types)
    console.log(`${module.file}: ${compiled.module.length} bytes`)
  }
  const fingerprints = MODULES.map((module) => [relative(ROOT, module.file), fingerprintOf(module)])
  writeFileSync(FINGERPRINTS, `${JSON.stringify(Object.fromEntries(fingerprints), null, 2)}\n`)
}
