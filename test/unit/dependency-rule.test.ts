import { describe, expect, test } from 'bun:test'
import {
  findCircles,
  findStepsUp,
  findUnlisted,
  importsIn,
  importsOf,
  type Layers,
  listSources,
  readSourceGraph,
  type SourceGraph,
} from '../support/source-graph.ts'

/**
 * The layers, lowest first: a file imports only from its own folder and from folders before it in the list. A folder that
 * is a key here has layers of its own; files directly in it that its list does not name are its top layer. No file is
 * exempt.
 */
const LAYERS: Layers = {
  '': [
    'base',
    'http',
    'engine',
    'read',
    'db',
    'store',
    'query',
    'accounts',
    'upkeep',
    'publish',
    'interop',
    'app.ts',
    'pages',
    'server',
    'commands',
    'run-helper.ts',
    'run-program.ts',
    'main.ts',
  ],
  base: ['error-codes.ts', 'errors.ts', 'text', 'crypto', 'process', 'config'],
  engine: [
    'kernel',
    'columns',
    'operators.ts',
    'row-query.ts',
    'turns.ts',
    'memory',
    'filter',
    'sort',
    'aggregate',
    'render.ts',
    'export',
  ],
  store: ['files', 'objects', 'catalog'],
  publish: ['fetch', 'edition', 'ingest.ts', 'refresh', 'drafts', 'published'],
  upkeep: ['backup', 'certificates', 'desk-work.ts', 'object-sweeps.ts', 'alerts.ts', 'lease.ts', 'setup'],
  commands: ['cli', 'accounts', 'backup', 'config', 'datasets', 'demo', 'doctor', 'ingest', 'serve', 'open'],
  accounts: ['audit', 'limits', 'mail', 'keys', 'usage', 'people'],
  read: ['report', 'definition', 'source', 'records', 'structure', 'widths', 'cells', 'values', 'table'],
  pages: [
    'texts',
    'parts',
    'style',
    'layout',
    'feed',
    'status',
    'catalog',
    'chart',
    'question',
    'explorer',
    'dataset',
    'summary',
    'map',
    'picture',
    'embed',
    'signed-in',
    'account',
    'welcome',
    'desk',
    'operate',
    'setup',
    'docs',
    'client',
  ],
}

const files = listSources()
const graph = readSourceGraph()

test('every source file belongs to a layer', () => {
  expect(files.length).toBeGreaterThan(50)
  expect(findUnlisted(graph, LAYERS)).toEqual([])
})

test('a file imports from its own layer or from lower ones', () => {
  expect(findStepsUp(graph, LAYERS)).toEqual([])
})

test('reading knows no catalog, publication or protocol: it imports the engine and the base alone', () => {
  const reading = [...graph].filter(([file]) => file.startsWith('read/'))
  expect(reading.length).toBeGreaterThan(100)
  const others = reading.flatMap(([, imports]) =>
    imports.filter((path) => !/^(read|engine|base)\//.test(path)),
  )
  expect(others).toEqual([])
})

test('no file imports itself through others, types included', () => {
  expect([...findCircles(graph).values()]).toEqual([])
})

describe('the rules find planted faults', () => {
  const layers: Layers = { '': ['low', 'feature', 'main.ts'], feature: ['inner', 'outer'] }
  const planted = (edges: Record<string, readonly string[]>): SourceGraph => new Map(Object.entries(edges))

  test('a file in a folder without a layer', () => {
    const graph = planted({
      'low/a.ts': [],
      'stray/a.ts': [],
      'feature/stray/a.ts': [],
      'feature/a.ts': [],
      'main.ts': [],
    })
    expect(findUnlisted(graph, layers)).toEqual(['stray/a.ts', 'feature/stray/a.ts'])
  })

  test('imports of values, types, side effects, over several lines, re-exported or dynamic', () => {
    const text = `
import { a } from './a.ts'
import type { B } from './b.ts'
import {
  type C,
} from './c.ts'
import './d.ts'
export * from './e.ts'
export type { F } from './f.ts'
const g = await import('./g.ts')
type H = import('./h.ts').H
`
    expect(importsIn(text)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `./${name}.ts`))
  })

  test('a step up between folders, and within one', () => {
    const graph = planted({
      'low/a.ts': ['low/b.ts', 'feature/outer/a.ts'],
      'feature/inner/a.ts': ['low/a.ts', 'feature/outer/a.ts', 'feature/a.ts'],
      'feature/outer/a.ts': ['feature/inner/a.ts', 'main.ts'],
      'feature/a.ts': ['feature/outer/a.ts'],
      'main.ts': ['feature/inner/a.ts'],
    })
    expect(findStepsUp(graph, layers)).toEqual([
      'feature/inner/a.ts -> feature/a.ts',
      'feature/inner/a.ts -> feature/outer/a.ts',
      'feature/outer/a.ts -> main.ts',
      'low/a.ts -> feature/outer/a.ts',
    ])
  })

  test('cycles of one, two and more files, and none where files only lead to a cycle or share an import', () => {
    const graph = planted({
      'self.ts': ['self.ts'],
      'a.ts': ['b.ts', 'leaf.ts'],
      'b.ts': ['c.ts', 'leaf.ts'],
      'c.ts': ['leaf.ts', 'a.ts'],
      'd.ts': ['a.ts', 'leaf.ts'],
      'leaf.ts': [],
    })
    expect(Object.fromEntries(findCircles(graph))).toEqual({
      'self.ts': 'self.ts -> self.ts',
      'a.ts': 'a.ts -> b.ts -> c.ts -> a.ts',
      'b.ts': 'b.ts -> c.ts -> a.ts -> b.ts',
      'c.ts': 'c.ts -> a.ts -> b.ts -> c.ts',
    })
  })
})

test('only http, server and pages know the web framework', () => {
  const knowing = files.filter((file) => importsOf(file).some((name) => /^@?elysia/.test(name)))
  expect(knowing.length).toBeGreaterThan(0)
  expect(knowing.filter((file) => !/^(http|server|pages)\//.test(file))).toEqual([])
})

test('the engine knows neither SQL nor the file system beyond its kernel', () => {
  const outside = files
    .filter((file) => file.startsWith('engine/') && file !== 'engine/kernel/instantiate.ts')
    .flatMap((file) => importsOf(file).map((name) => `${file} -> ${name}`))
    .filter((edge) => /sqlite|drizzle|node:fs/.test(edge))
  expect(outside).toEqual([])
})
