/** CKAN's reading actions (contract 9), from the catalog and the datastore. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { ApiError } from '../../base/errors.ts'
import { suggest } from '../../base/text/suggest.ts'
import { placeOf } from '../../interop/addresses.ts'
import type { ActionArguments } from '../../interop/ckan/arguments.ts'
import {
  FilterQueryError,
  LONGEST_FILTER_QUERY,
  type Matcher,
  readFilterQuery,
} from '../../interop/ckan/filter-query.ts'
import type { PackageEntry, PackageIndex } from '../../interop/ckan/package-index.ts'
import {
  CKAN_VERSION,
  datasetOfRows,
  organizationName,
  rowsId,
  toGroup,
  toLicence,
  toOrganization,
  toPackage,
  toResources,
  toTag,
} from '../../interop/ckan/shapes.ts'
import { LICENCES } from '../../interop/licences.ts'
import { holdsDataset } from '../../store/catalog/places.ts'
import type { Descriptor } from '../../store/catalog/record.ts'
import type { Call } from '../call.ts'
import type { ServerState } from '../state.ts'
import { guideAddress } from './ckan-error.ts'
import { answerSearch, describeResource } from './datastore.ts'

/** What an action needs. */
interface ActionCall {
  readonly app: App
  readonly state: ServerState
  readonly exchange: Call
  readonly given: ActionArguments
}

/** The `result` of an action; a Response where it sends its own. */
type Action = (call: ActionCall) => unknown

const MOST_PACKAGES = 1000
const USUAL_PACKAGES = 10

export const ACTIONS: Readonly<Record<string, Action>> = {
  status_show: showStatus,
  help_show: ({ exchange, given }) => {
    const name = given.requireText('name')
    given.finish()
    requireAction(name)
    return `${name}: its arguments and its answer are those of CKAN ${CKAN_VERSION}, as ${guideAddress(exchange.base)} says.`
  },
  package_list: listPackages,
  package_show: ({ given, ...call }) => {
    const id = given.requireText('id', 'name_or_id')
    given.finish()
    return packageOf(call, id)
  },
  package_search: searchPackages,
  current_package_list_with_resources: async (call) => {
    const { limit, offset } = readPaging(call.given)
    call.given.finish()
    const entries = (await entriesOf(call)).toSorted(latestFirst)
    return packagesOf(call, page(entries, limit, offset))
  },
  resource_show: (call) => {
    const id = call.given.requireText('id')
    call.given.finish()
    return resourceOf(call, id)
  },
  organization_list: (call) =>
    listNamed(
      call,
      ({ publisher }) => (publisher === null ? [] : [publisher]),
      toOrganization,
      organizationName,
    ),
  organization_show: (call) =>
    showNamed(
      call,
      ({ publisher }) => (publisher === null ? [] : [publisher]),
      toOrganization,
      organizationName,
    ),
  group_list: (call) =>
    listNamed(
      call,
      ({ domain }) => [domain],
      toGroup,
      (domain) => domain,
    ),
  group_show: (call) =>
    showNamed(
      call,
      ({ domain }) => [domain],
      toGroup,
      (domain) => domain,
    ),
  tag_list: listTags,
  license_list: async (call) => {
    call.given.finish()
    const used = (await entriesOf(call)).flatMap(({ license }) => license ?? [])
    const all = [...LICENCES.map(({ name }) => name), ...used].map(toLicence)
    return [...new Map(all.map((licence) => [licence.id, licence])).values()]
  },
  datastore_search: ({ app, state, exchange, given }) => answerSearch(app, state, exchange, given),
  datastore_info: (call) => {
    const id = call.given.requireText('id', 'resource_id')
    call.given.finish()
    return describeResource(descriptorOf(call, datasetOfRows(id)))
  },
  datastore_search_sql: ({ exchange }) => {
    const message = `SQL is not taken here. Groups, sums and counts: ${exchange.base}/v1/{domain}/{dataset}/aggregate`
    throw new ApiError('invalid_value', message, [{ location: 'query.sql', message }])
  },
}

/** @throws ApiError `not_found`, which CKAN calls a bad request */
export function requireAction(name: string): Action {
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (action !== undefined) return action
  const near = suggest(name, Object.keys(ACTIONS))
  const meant = near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`
  throw new ApiError('not_found', `Action name not known: ${name.slice(0, 80)}.${meant}`)
}

type Asked = Omit<ActionCall, 'given'>

function readsOf({ exchange }: Asked) {
  return exchange.key?.scopes.reads ?? 'all'
}

function entriesOf(call: Asked): ReturnType<PackageIndex['entriesOf']> {
  return call.state.packages.entriesOf(call.app.catalog, readsOf(call))
}

function showStatus({ app, exchange, given }: ActionCall) {
  given.finish()
  const name = app.config.publisher ?? new URL(exchange.base).host
  return {
    ckan_version: CKAN_VERSION,
    site_title: name,
    site_description: '',
    site_url: exchange.base,
    error_emails_to: null,
    locale_default: 'ro',
    extensions: ['datastore'],
  }
}

async function listPackages(call: ActionCall) {
  const { limit, offset } = readPaging(call.given)
  call.given.finish()
  return page(await entriesOf(call), limit, offset).map(({ id }) => id)
}

/** Without a limit all, as in CKAN. */
function readPaging(given: ActionArguments) {
  const limit = given.integer('limit', Number.MAX_SAFE_INTEGER)
  return { limit, offset: given.integer('offset', 0) }
}

function page<T>(all: readonly T[], limit: number, offset: number): readonly T[] {
  return all.slice(offset, offset + limit)
}

function notFound(message: string): ApiError {
  return new ApiError('dataset_not_found', message)
}

/** @throws ApiError `dataset_not_found` */
function descriptorOf({ app, exchange }: Asked, id: string): Descriptor {
  const dataset = app.catalog.descriptor(id)
  if (dataset === undefined || !holdsDataset(exchange.key?.scopes.reads ?? 'all', dataset.domain, id))
    throw notFound(`There is no dataset ${id.slice(0, 80)}.`)
  return dataset
}

function packageOf(call: Asked, id: string) {
  const dataset = descriptorOf(call, id)
  const { app, exchange } = call
  return toPackage(placeOf(exchange.base, app.config, app.catalog.find(id)), dataset)
}

/** Packages that are made between two turns of the event loop. */
const PACKAGES_AT_ONCE = 50

/** The packages of a page, in its order. One that is removed meanwhile is left out. */
async function packagesOf(call: Asked, entries: readonly PackageEntry[]) {
  const packages: ReturnType<typeof packageOf>[] = []
  for (const [at, { id }] of entries.entries()) {
    if (at > 0 && at % PACKAGES_AT_ONCE === 0) await nextTurn()
    if (call.app.catalog.find(id) !== undefined) packages.push(packageOf(call, id))
  }
  return packages
}

function resourceOf(call: Asked, id: string) {
  const { app, exchange } = call
  const dataset = descriptorOf(call, id.split('-')[0]!)
  const place = placeOf(exchange.base, app.config, app.catalog.find(dataset.id))
  const resource = toResources(place, dataset).find((one) => one.id === id || one.id === rowsId(id))
  if (resource === undefined) throw notFound(`There is no resource ${id.slice(0, 80)}.`)
  return resource
}

async function searchPackages(call: ActionCall) {
  const { given, app } = call
  const q = given.text('q') ?? '*:*'
  const matches = readFilters(given)
  const order = readOrder(given, given.text('sort'))
  const limit = Math.min(MOST_PACKAGES, given.integer('rows', USUAL_PACKAGES))
  const offset = given.integer('start', 0)
  given.finish()
  const entries = await entriesOf(call)
  const found = /^[*:\s]*$/.test(q) ? entries.toSorted(latestFirst) : byRelevance(app, call, q, entries)
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

/** `fq` and `fq_list`, which together are as long as one may be. */
function readFilters(given: ActionArguments): readonly Matcher[] {
  const texts = [given.text('fq'), ...(given.list('fq_list') ?? [])].flatMap((text) => text ?? [])
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length <= LONGEST_FILTER_QUERY) return texts.map((text) => readFilter(given, text))
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

/** What the search of the catalog finds, best match first. */
function byRelevance(
  { catalog }: App,
  call: Asked,
  q: string,
  entries: readonly PackageEntry[],
): readonly PackageEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const { datasets } = catalog.search(q, { limit: entries.length, offset: 0 }, readsOf(call))
  return datasets.flatMap(({ id }) => byId.get(id) ?? [])
}

function latestFirst(a: PackageEntry, b: PackageEntry): number {
  if (a.modified !== b.modified) return a.modified < b.modified ? 1 : -1
  return a.id < b.id ? -1 : 1
}

type Order = (a: PackageEntry, b: PackageEntry) => number

const SORTED: Readonly<Record<string, (entry: PackageEntry) => string>> = {
  name: ({ id }) => id,
  id: ({ id }) => id,
  title: ({ title }) => title.toLowerCase(),
  title_string: ({ title }) => title.toLowerCase(),
  metadata_modified: ({ modified }) => modified,
  metadata_created: ({ modified }) => modified,
}

/** `metadata_modified desc, name asc`; undefined: by relevance. */
function readOrder(given: ActionArguments, text: string | undefined): Order | undefined {
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
  return (a, b) => {
    for (const { value, sign } of fields) {
      const [left, right] = [value(a), value(b)]
      if (left !== right) return left < right ? -sign : sign
    }
    return a.id < b.id ? -1 : 1
  }
}

type NamesOf = (entry: PackageEntry) => readonly string[]

/** Organizations and groups: their names, or all of them with `all_fields`. */
async function listNamed(
  call: ActionCall,
  namesOf: NamesOf,
  toNamed: (title: string) => object,
  nameOf: (title: string) => string,
) {
  const { limit, offset } = readPaging(call.given)
  const isWhole = call.given.flag('all_fields', false)
  const only = call.given.list('organizations') ?? call.given.list('groups')
  const order = readNamedOrder(call.given)
  call.given.finish()
  const counts = countNames(await entriesOf(call), namesOf)
  const titles = [...counts.keys()]
    .filter((title) => only === undefined || only.includes(nameOf(title)))
    .sort((a, b) => order(nameOf(a), nameOf(b), counts.get(a)! - counts.get(b)!))
  return page(titles, limit, offset).map((title) =>
    isWhole ? { ...toNamed(title), package_count: counts.get(title) } : nameOf(title),
  )
}

/** By name, or by the number of packages. */
function readNamedOrder(given: ActionArguments): (a: string, b: string, difference: number) => number {
  const parts = /^(name|title|package_count|packages)(?:\s+(asc|desc))?$/.exec(
    given.text('sort') ?? 'name asc',
  )
  if (parts === null) given.refuse('sort', 'is name, title or package_count, with asc or desc behind it')
  const sign = parts?.[2] === 'desc' ? -1 : 1
  const isCounted = parts?.[1]?.startsWith('package') === true
  return (a, b, difference) => {
    const byName = a < b ? -1 : 1
    return isCounted ? sign * difference || byName : sign * byName
  }
}

function countNames(entries: readonly PackageEntry[], namesOf: NamesOf): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of entries.flatMap(namesOf)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** One of them, with its packages. */
async function showNamed(
  call: ActionCall,
  namesOf: NamesOf,
  toNamed: (title: string) => object,
  nameOf: (title: string) => string,
) {
  const id = call.given.requireText('id')
  call.given.finish()
  const entries = (await entriesOf(call)).filter((entry) =>
    namesOf(entry).some((title) => nameOf(title) === id),
  )
  const title = entries.flatMap(namesOf).find((one) => nameOf(one) === id)
  if (title === undefined) throw notFound(`There is nothing called ${id.slice(0, 80)}.`)
  const packages = await packagesOf(call, page(entries, MOST_PACKAGES, 0))
  return { ...toNamed(title), package_count: entries.length, packages }
}

async function listTags(call: ActionCall) {
  const query = call.given.text('query')?.toLowerCase() ?? ''
  const isWhole = call.given.flag('all_fields', false)
  call.given.finish()
  const tags = new Set((await entriesOf(call)).flatMap(({ keywords }) => keywords))
  const found = [...tags].filter((tag) => tag.toLowerCase().includes(query)).sort()
  return isWhole ? found.map(toTag) : found
}
