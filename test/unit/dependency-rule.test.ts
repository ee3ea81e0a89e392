import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'

/**
 * The floors of `src/`, ground first. A file imports from its own room and from lower floors only; rooms on one floor
 * do not know each other. The first pattern that fits a path decides.
 */
const FLOORS: readonly { readonly rooms: readonly RegExp[] }[] = [
  { rooms: [/^errors\.ts$/, /^text\//, /^crypto\//, /^process\//] },
  { rooms: [/^setting-values\.ts$/] },
  { rooms: [/^engine\//, /^db\//, /^config\.ts$/] },
  { rooms: [/^storage\//, /^audit\//] },
  { rooms: [/^mail\//] },
  { rooms: [/^catalog\/(?!routes\.ts)/, /^keys\/(?!routes\.ts)/, /^usage\/(?!routes\.ts)/] },
  {
    rooms: [/^ingest\//, /^refresh\//, /^backup\//, /^datasets\/(?!routes\.ts)/, /^accounts\/(?!routes\.ts)/],
  },
  { rooms: [/^interop\/(?!routes\.ts)/] },
  { rooms: [/^http\/(?!server\.ts|listen\.ts)/] },
  { rooms: [/^pages\/(?!routes\.ts)/] },
  { rooms: [/^[a-z]+\/routes\.ts$/] },
  { rooms: [/^http\/(server|listen)\.ts$/] },
  { rooms: [/^app\.ts$/] },
  { rooms: [/^commands\//] },
  { rooms: [/^run-program\.ts$/] },
  { rooms: [/^main\.ts$/] },
]

interface Place {
  readonly floor: number
  readonly room: RegExp
}

const SOURCE = join(import.meta.dir, '../../src')
const IMPORT = /^\s*(?:import|export)\b[^'"]*?from\s+'([^']+)'|^\s*import\s+'([^']+)'|\bimport\('([^']+)'\)/gm
const files = [...new Glob('**/*.{ts,tsx}').scanSync(SOURCE)].filter((file) => !file.endsWith('.d.ts')).sort()

function placeOf(file: string): Place | undefined {
  for (const [floor, { rooms }] of FLOORS.entries()) {
    const room = rooms.find((pattern) => pattern.test(file))
    if (room) return { floor, room }
  }
  return undefined
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(SOURCE, file), 'utf8')
  return [...text.matchAll(IMPORT)].map((match) => (match[1] ?? match[2] ?? match[3])!)
}

function mayImport(from: Place, to: Place): boolean {
  return to.floor < from.floor || to.room === from.room
}

test('every source file stands on a floor', () => {
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter((file) => placeOf(file) === undefined)).toEqual([])
})

test('imports lead to lower floors or stay in their room', () => {
  const broken: string[] = []
  for (const file of files) {
    for (const specifier of importsOf(file)) {
      if (!specifier.startsWith('.') || !/\.tsx?$/.test(specifier)) continue
      const target = normalize(join(dirname(file), specifier))
      const [from, to] = [placeOf(file), placeOf(target)]
      if (from && to && !mayImport(from, to)) broken.push(`${file} -> ${target}`)
    }
  }
  expect(broken).toEqual([])
})

test('only http and the routes know the web framework', () => {
  const knowing = files.filter((file) => importsOf(file).some((name) => /^@?elysia/.test(name)))
  expect(knowing.length).toBeGreaterThan(0)
  expect(knowing.filter((file) => !/^http\/|\/routes\.ts$/.test(file))).toEqual([])
})

test('the engine knows neither SQL nor the file system beyond its kernel', () => {
  const outside = files
    .filter((file) => file.startsWith('engine/') && file !== 'engine/kernel/instantiate.ts')
    .flatMap((file) => importsOf(file).map((name) => `${file} -> ${name}`))
    .filter((edge) => /sqlite|drizzle|node:fs|\.\.\/(db|storage|http|catalog)\//.test(edge))
  expect(outside).toEqual([])
})
