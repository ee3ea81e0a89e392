import { ApiError } from '../../base/errors.ts'
import { suggest } from '../../base/text/suggest.ts'
import { placeOf } from '../../interop/addresses.ts'
import type { ActionArguments } from '../../interop/ckan/arguments.ts'
import type { PackageEntry } from '../../interop/ckan/package-index.ts'
import {
  CKAN_VERSION,
  datasetOfRows,
  organizationName,
  rowsId,
  toGroup,
  toLicence,
  toOrganization,
  toResources,
  toTag,
} from '../../interop/ckan/shapes.ts'
import { LICENCES } from '../../interop/licences.ts'
import { guideAddress } from './ckan-error.ts'
import { answerSearch, describeResource } from './datastore.ts'
import {
  type ActionCall,
  descriptorOf,
  entriesOf,
  latestFirst,
  MOST_PACKAGES,
  notFound,
  packageOf,
  packagesOf,
  page,
  readPaging,
  searchPackages,
} from './packages.ts'

/** Returns the `result` of the action, or a Response of its own. */
type Action = (call: ActionCall) => unknown

export const ACTIONS: Readonly<Record<string, Action>> = {
  status_show: ({ app, exchange, given }) => {
    given.finish()
    return {
      ckan_version: CKAN_VERSION,
      site_title: app.config.publisher ?? new URL(exchange.base).host,
      site_description: '',
      site_url: exchange.base,
      error_emails_to: null,
      locale_default: 'ro',
      extensions: ['datastore'],
    }
  },
  help_show: ({ exchange, given }) => {
    const name = given.requireText('name')
    given.finish()
    requireAction(name)
    return `${name}: its arguments and its answer are those of CKAN ${CKAN_VERSION}, as ${guideAddress(exchange.base)} says.`
  },
  package_list: async (call) => {
    const { limit, offset } = readPaging(call.given)
    call.given.finish()
    return page(await entriesOf(call), limit, offset).map(({ id }) => id)
  },
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
    const { app, exchange } = call
    const dataset = descriptorOf(call, id.split('-')[0]!)
    const place = placeOf(exchange.base, app.config, app.catalog.find(dataset.id))
    const resource = toResources(place, dataset).find((one) => one.id === id || one.id === rowsId(id))
    if (resource === undefined) throw notFound(`There is no resource ${id.slice(0, 80)}.`)
    return resource
  },
  organization_list: (call) => listNamed(call, ORGANIZATIONS),
  organization_show: (call) => showNamed(call, ORGANIZATIONS),
  group_list: (call) => listNamed(call, GROUPS),
  group_show: (call) => showNamed(call, GROUPS),
  tag_list: async (call) => {
    const query = call.given.text('query')?.toLowerCase() ?? ''
    const isWhole = call.given.flag('all_fields', false)
    call.given.finish()
    const tags = new Set((await entriesOf(call)).flatMap(({ keywords }) => keywords))
    const found = [...tags].filter((tag) => tag.toLowerCase().includes(query)).sort()
    return isWhole ? found.map(toTag) : found
  },
  license_list: async (call) => {
    call.given.finish()
    const used = (await entriesOf(call)).flatMap(({ license }) => license ?? [])
    const all = [...LICENCES.map(({ name }) => name), ...used].map(toLicence)
    return [...new Map(all.map((licence) => [licence.id, licence])).values()]
  },
  datastore_search: answerSearch,
  datastore_info: (call) => {
    const id = call.given.requireText('id', 'resource_id')
    call.given.finish()
    return describeResource(descriptorOf(call, datasetOfRows(id)))
  },
  datastore_search_sql: ({ exchange }) => {
    const message = `SQL is not accepted here. Groups, sums and counts: ${exchange.base}/v1/{domain}/{dataset}/aggregate`
    throw new ApiError('invalid_value', message, [{ location: 'query.sql', message }])
  },
}

/** @throws ApiError `not_found`, for which CKAN answers 400 Bad Request */
export function requireAction(name: string): Action {
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (action !== undefined) return action
  const near = suggest(name, Object.keys(ACTIONS))
  const meant = near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`
  throw new ApiError('not_found', `Action name not known: ${name.slice(0, 80)}.${meant}`)
}

interface Named {
  readonly titlesOf: (entry: PackageEntry) => readonly string[]
  readonly nameOf: (title: string) => string
  readonly describe: (title: string, call: ActionCall) => object
}

const ORGANIZATIONS: Named = {
  titlesOf: ({ publisher }) => (publisher === null ? [] : [publisher]),
  nameOf: organizationName,
  describe: toOrganization,
}
const GROUPS: Named = {
  titlesOf: ({ domain }) => [domain],
  nameOf: (domain) => domain,
  describe: (domain, { app }) => toGroup(app.config.domain_labels, domain),
}

async function listNamed(call: ActionCall, { titlesOf, nameOf, describe }: Named) {
  const { limit, offset } = readPaging(call.given)
  const isWhole = call.given.flag('all_fields', false)
  const only = call.given.list('organizations') ?? call.given.list('groups')
  const order = readNamedOrder(call.given)
  call.given.finish()
  const counts = new Map<string, number>()
  for (const title of (await entriesOf(call)).flatMap(titlesOf))
    counts.set(title, (counts.get(title) ?? 0) + 1)
  const titles = [...counts.keys()]
    .filter((title) => only === undefined || only.includes(nameOf(title)))
    .sort((a, b) => order(nameOf(a), nameOf(b), counts.get(a)! - counts.get(b)!))
  return page(titles, limit, offset).map((title) =>
    isWhole ? { ...describe(title, call), package_count: counts.get(title) } : nameOf(title),
  )
}

function readNamedOrder(given: ActionArguments): (a: string, b: string, difference: number) => number {
  const parts = /^(name|title|package_count|packages)(?:\s+(asc|desc))?$/.exec(
    given.text('sort') ?? 'name asc',
  )
  if (parts === null) given.refuse('sort', 'is name, title or package_count, with asc or desc after it')
  const sign = parts?.[2] === 'desc' ? -1 : 1
  const isCounted = parts?.[1]?.startsWith('package') === true
  return (a, b, difference) => {
    const byName = a < b ? -1 : 1
    return isCounted ? sign * difference || byName : sign * byName
  }
}

async function showNamed(call: ActionCall, { titlesOf, nameOf, describe }: Named) {
  const id = call.given.requireText('id')
  call.given.finish()
  const entries = (await entriesOf(call)).filter((entry) =>
    titlesOf(entry).some((title) => nameOf(title) === id),
  )
  const title = entries.flatMap(titlesOf).find((one) => nameOf(one) === id)
  if (title === undefined) throw notFound(`There is nothing called ${id.slice(0, 80)}.`)
  const packages = await packagesOf(call, page(entries, MOST_PACKAGES, 0))
  return { ...describe(title, call), package_count: entries.length, packages }
}
