/** Which source file imports which, and the two rules about imports: none from a higher layer, no cycle. */

import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'

/** Files, by their paths below `src/`, and the files that each imports. */
export type SourceGraph = ReadonlyMap<string, readonly string[]>

/** The layers of each folder that has layers, lowest first; `''` is `src/` itself. */
export type Layers = Readonly<Record<string, readonly string[]>>

const SOURCE = join(import.meta.dir, '../../src')
const IMPORT = /^\s*(?:import|export)\b[^'"]*?from\s+'([^']+)'|^\s*import\s+'([^']+)'|\bimport\('([^']+)'\)/gm

/** All source files, by their paths below `src/`, in order. */
export function listSources(): string[] {
  return [...new Glob('**/*.{ts,tsx}').scanSync(SOURCE)].filter((file) => !file.endsWith('.d.ts')).sort()
}

export function readSource(file: string): string {
  return readFileSync(join(SOURCE, file), 'utf8')
}

/** What a source text imports, as written there, including packages and types. */
export function importsIn(text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => (match[1] ?? match[2] ?? match[3])!)
}

/** What a source file imports. */
export function importsOf(file: string): string[] {
  return importsIn(readSource(file))
}

/** The imports between all source files, type imports included. */
export function readSourceGraph(): SourceGraph {
  const neighbours = (file: string) =>
    importsOf(file)
      .filter((specifier) => specifier.startsWith('.') && /\.tsx?$/.test(specifier))
      .map((specifier) => normalize(join(dirname(file), specifier)))
  return new Map(listSources().map((file) => [file, neighbours(file)]))
}

/** The layer of a path within `folder`; undefined where its list does not name one. */
function layerIn(layers: Layers, folder: string, path: string): number | undefined {
  const rest = folder === '' ? path : path.slice(folder.length + 1)
  const [name, ...inside] = rest.split('/')
  const list = layers[folder]!
  const layer = list.indexOf(name!)
  if (layer !== -1) return layer
  return inside.length === 0 && folder !== '' ? list.length : undefined
}

/** The folders with layers that hold all of the paths. */
function foldersAround(layers: Layers, ...paths: string[]): string[] {
  return Object.keys(layers).filter((folder) =>
    paths.every((path) => folder === '' || path.startsWith(`${folder}/`)),
  )
}

/** The files that belong to no layer of a folder around them. */
export function findUnlisted(graph: SourceGraph, layers: Layers): string[] {
  return [...graph.keys()].filter((file) =>
    foldersAround(layers, file).some((folder) => layerIn(layers, folder, file) === undefined),
  )
}

/** The imports from a higher layer, as `from -> to`, in order. */
export function findStepsUp(graph: SourceGraph, layers: Layers): string[] {
  const leadsUp = (from: string, to: string) =>
    foldersAround(layers, from, to).some(
      (folder) => (layerIn(layers, folder, to) ?? -1) > (layerIn(layers, folder, from) ?? -1),
    )
  const steps = [...graph].flatMap(([from, targets]) =>
    targets.filter((to) => leadsUp(from, to)).map((to) => `${from} -> ${to}`),
  )
  return [...new Set(steps)].sort()
}

/** For each file that imports itself, directly or through others, a shortest way back to it, as `a -> b -> a`. */
export function findCircles(graph: SourceGraph): Map<string, string> {
  const ways = [...graph.keys()].map((file) => [file, wayBack(graph, file)] as const)
  return new Map(ways.flatMap(([file, way]) => (way === undefined ? [] : [[file, way.join(' -> ')]])))
}

function wayBack(graph: SourceGraph, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const file of queue)
    for (const target of graph.get(file) ?? []) {
      if (target === start) return [...pathTo(cameFrom, start, file), start]
      if (cameFrom.has(target)) continue
      cameFrom.set(target, file)
      queue.push(target)
    }
  return undefined
}

function pathTo(cameFrom: ReadonlyMap<string, string>, start: string, end: string): string[] {
  const path = [end]
  while (path[0] !== start) path.unshift(cameFrom.get(path[0]!)!)
  return path
}
