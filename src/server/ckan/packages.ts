/** Finds, sorts and describes CKAN's packages. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { ApiError } from '../../base/errors.ts'
import { placeOf } from '../../interop/addresses.ts'
import type { ActionArguments } from '../../interop/ckan/arguments.ts'
import {
  FilterQueryError,
  LONGEST_FILTER_QUERY,
  type Matcher,
  readFilterQuery,
} from '../../interop/ckan/filter-query.ts'
import type { PackageEntry, PackageIndex } from '../../interop/ckan/package-index.ts'
import { toPackage } from '../../interop/ckan/shapes.ts'
import type { Descriptor } from '../../store/catalog/record.ts'
import { holdsDataset, type Places } from '../../store/catalog/search/places.ts'
import type { Call } from '../call.ts'
import type { ServerState } from '../state.ts'

export interface ActionCall {
  readonly app: App
  readonly state: ServerState
  readonly exchange: Call
  readonly given: ActionArguments
}

export type Asked = Omit<ActionCall, 'given'>

/** What the key of a call may read; everything without a key. */
export function readsOf({ key }: Call): Places {
  return key?.scopes.reads ?? 'all'
}

export function entriesOf(call: Asked): ReturnType<PackageIndex['entriesOf']> {
  return call.state.packages.entriesOf(call.app.catalog, readsOf(call.exchange))
}

export function notFound(message: string): ApiError {
  return new ApiError('dataset_not_found', message)
}

/** @throws ApiError `dataset_not_found` */
export function descriptorOf({ app, exchange }: Asked, id: string): Descriptor {
  const dataset = app.catalog.descriptor(id)
  if (dataset === undefined || !holdsDataset(readsOf(exchange), dataset.domain, id))
    throw notFound(`There is no dataset ${id.slice(0, 80)}.`)
  return dataset
}

/** Without a limit the page holds everything, as in CKAN. */
export function readPaging(given: ActionArguments) {
  const limit = given.integer('limit', Number.MAX_SAFE_INTEGER)
  return { limit, offset: given.integer('offset', 0) }
}

export function page<T>(all: readonly T[], limit: number, offset: number): readonly T[] {
  return all.slice(offset, offset + limit)
}

export const MOST_PACKAGES = 1000

export async function searchPackages(call: ActionCall) {
  const { given, app } = call
  const q = given.text('q') ?? '*:*'
  const matches = readFilters(given)
  const order = readOrder(given, given.text('sort'))
  const limit = Math.min(MOST_PACKAGES, given.integer('rows', 10))
  const offset = given.integer('start', 0)
  given.finish()
  const entries = await entriesOf(call)
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const all = { limit: entries.length, offset: 0 }
  const isAll = /^[*:\s]*$/.test(q)
  const reads =
    isAll || call.exchange.key !== undefined ? 'all' : await call.state.open.readsValues(call.exchange)
  const found = isAll
    ? entries.toSorted(latestFirst)
    : // Best match first.
      app.catalog
        .search(q, all, { within: readsOf(call.exchange), reads })
        .datasets.flatMap(({ id }) => byId.get(id) ?? [])
  const passing = found.filter(({ fields }) => matches.every((passes) => passes(fields)))
  const ordered = order === undefined ? passing : passing.toSorted(order)
  return {
    count: passing.length,
    sort: given.text('sort') ?? 'score desc, metadata_modified desc',
    facets: {},
    search_facets: {},
    results: await packagesOf(call, page(ordered, limit, offset)),
  }
}

/** `fq` and `fq_list`, which share one limit of length. */
function readFilters(given: ActionArguments): readonly Matcher[] {
  const texts = [given.text('fq'), ...(given.list('fq_list') ?? [])].flatMap((text) => text ?? [])
  if (texts.join('').length <= LONGEST_FILTER_QUERY) return texts.map((text) => readFilter(given, text))
  given.refuse('fq', `takes up to ${LONGEST_FILTER_QUERY} characters, with fq_list`)
  return []
}

function readFilter(given: ActionArguments, text: string): Matcher {
  try {
    return readFilterQuery(text)
  } catch (error) {
    if (!(error instanceof FilterQueryError)) throw error
    given.refuse('fq', error.message)
    return () => true
  }
}

export function latestFirst(a: PackageEntry, b: PackageEntry): number {
  if (a.modified !== b.modified) return a.modified < b.modified ? 1 : -1
  return a.id < b.id ? -1 : 1
}

const SORTED: Readonly<Record<string, (entry: PackageEntry) => string>> = {
  name: ({ id }) => id,
  id: ({ id }) => id,
  title: ({ title }) => title.toLowerCase(),
  title_string: ({ title }) => title.toLowerCase(),
  metadata_modified: ({ modified }) => modified,
  metadata_created: ({ modified }) => modified,
}

/** `metadata_modified desc, name asc`; undefined sorts by relevance. */
function readOrder(given: ActionArguments, text: string | undefined) {
  const fields = (text ?? '').split(',').flatMap((item) => {
    const [name = '', direction = 'asc', ...rest] = item.trim().toLowerCase().split(/\s+/)
    if (name === '' || name === 'score' || name === 'views_recent' || name === 'rank') return []
    const value = Object.hasOwn(SORTED, name) ? SORTED[name] : undefined
    if (value !== undefined && rest.length === 0 && (direction === 'asc' || direction === 'desc'))
      return [{ value, sign: direction === 'asc' ? 1 : -1 }]
    given.refuse('sort', `"${item.trim()}" is not one of ${Object.keys(SORTED).join(', ')}, with asc or desc`)
    return []
  })
  if (fields.length === 0) return undefined
  return (a: PackageEntry, b: PackageEntry) => {
    for (const { value, sign } of fields) {
      const [left, right] = [value(a), value(b)]
      if (left !== right) return left < right ? -sign : sign
    }
    return a.id < b.id ? -1 : 1
  }
}

export function packageOf(call: Asked, id: string) {
  const dataset = descriptorOf(call, id)
  const { app, exchange } = call
  return toPackage(placeOf(exchange.base, app.config, app.catalog.find(id)), dataset)
}

/** The packages of a page, in its order, 50 per turn of the event loop. One removed meanwhile is omitted. */
export async function packagesOf(call: Asked, entries: readonly PackageEntry[]) {
  const packages: ReturnType<typeof packageOf>[] = []
  for (const [at, { id }] of entries.entries()) {
    if (at > 0 && at % 50 === 0) await nextTurn()
    if (call.app.catalog.find(id) !== undefined) packages.push(packageOf(call, id))
  }
  return packages
}
