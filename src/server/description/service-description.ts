/** The descriptions that the service publishes: of all its routes, and of one dataset with its columns. */

import { type TSchema, t } from 'elysia'
import type { App } from '../../app.ts'
import { operatorsFor } from '../../engine/operators.ts'
import { functionsFor } from '../../query/aggregate/functions.ts'
import { RESERVED_PARAMETERS } from '../../query/query.ts'
import { listItem } from '../../query/values.ts'
import type { Descriptor } from '../../store/catalog/record.ts'
import { facetOf, facetsOf, GROUP, groupsOf, pageOf, VALUE_SCHEMAS } from '../bodies/dataset-bodies.ts'
import { FILTER_SYNTAX } from '../declaration/dataset-query.ts'
import type { Route } from '../declaration/route.ts'
import { nullable, oneOf, shape } from '../declaration/schema.ts'
import { describeRoutes } from './describe.ts'

/** The source of examples: an existing dataset, and a row of it. */
interface ExampleDataset extends Pick<Descriptor, 'domain' | 'id'> {
  readonly columns: readonly Pick<Descriptor['columns'][number], 'name' | 'type' | 'description'>[]
  readonly sample: NonNullable<Descriptor['sample_row']>
}

/** Used where there is no dataset to take examples from: one from the specification. */
const SPECIMEN: ExampleDataset = {
  domain: 'economy',
  id: 'eures_pclm_judete_2019',
  columns: [
    { name: 'county', type: 'string', description: null },
    { name: 'period', type: 'string', description: null },
    { name: 'person_count', type: 'integer', description: null },
  ],
  sample: { county: 'Alba', period: 'ianuarie', person_count: 12 },
}

const SERVICE_TEXT = [
  'Published open datasets as uniformly shaped JSON. Every `/v1` route needs an API key: `Authorization: Bearer rok_…`. ' +
    'Routes below `/account/api` work with the cookie of a browser session.',
  '',
  'Every route answers HEAD like GET without the body, and OPTIONS with 204. Errors have one shape everywhere; a path that ' +
    'does not exist is a 404 `not_found`, another method a 405 `method_not_allowed` with `Allow`, a request body over 1 MB (16 KB ' +
    'below `/account/api`, for a file below `/publish/api` the setting `max_upload`) a 413 `payload_too_large`. Timestamps are RFC 3339 in UTC with whole seconds.',
  '',
  'Guides: [a first call in a minute](/docs/guides/first-call), [the query language by example](/docs/guides/queries), ' +
    '[totals and groups](/docs/guides/totals), [paging correctly](/docs/guides/paging), [errors, one by one](/docs/guides/errors), [limits](/docs/guides/limits), ' +
    '[what stays as it is](/docs/guides/stability).',
].join('\n')

/**
 * Describes the whole service.
 * @param example the dataset that examples name, so that they can be called
 */
export function describeService(routes: readonly Route[], base: string, example: ExampleDataset = SPECIMEN) {
  return describeRoutes(routes, base, 'Izvor', SERVICE_TEXT, {
    ...examplesOf(example),
    url: `${base}/datasets/${example.id}`,
  })
}

/** Describes the routes with a key of one dataset, with its columns as filters and members of rows. */
export function describeDataset(
  routes: readonly Route[],
  base: string,
  title: string,
  dataset: ExampleDataset,
) {
  const row = shape(
    Object.fromEntries(
      dataset.columns.map(({ name, type, description }) => {
        const about = description === null ? {} : { description }
        return [name, t.Optional(t.Unsafe<unknown>({ ...nullable(VALUE_SCHEMAS[type]), ...about }))]
      }),
    ),
    { $id: 'Row' },
  )
  /** Bodies of successful answers, by the ids of their routes. */
  const bodies: Readonly<Record<string, TSchema>> = {
    listRows: pageOf(row),
    aggregateRows: groupsOf(GROUP),
    listFacets: facetsOf(facetOfDataset(dataset)),
  }
  // Made lazily, one by one: filters of thousands of columns take milliseconds.
  const own = routes
    .values()
    .filter(({ path }) => path.startsWith('/v1/:domain/:dataset'))
    .map((route) => ofDataset(route, dataset, bodies[route.described!.id]))
  return describeRoutes(own, base, title, FILTER_SYNTAX, examplesOf(dataset))
}

/** @param body the schema of successful answers, where the dataset has its own */
function ofDataset({ described, path, ...route }: Route, dataset: ExampleDataset, body?: TSchema): Route {
  const { query, answers, ...rest } = described!
  const filters = filtersOf(dataset, rest.id === 'aggregateRows')
  return {
    ...route,
    path: path.replace(':domain', dataset.domain).replace(':dataset', dataset.id),
    described: {
      ...rest,
      query: t.Partial(t.Object({ ...query!.properties, filters })),
      answers: { ...answers, 200: { ...answers[200]!, ...(body && { body }) } },
    },
  }
}

/**
 * The filters of a dataset as one parameter with a member per column, and the operators once per type: a parameter for
 * every operator of every column takes 20 MB with 5,000 columns.
 * @param hasResults whether results, whose names the query decides, can be filtered, too
 */
function filtersOf({ columns }: ExampleDataset, hasResults: boolean): TSchema {
  const names = columns.map(({ name }) => name)
  const plain = names.filter((name) => !RESERVED_PARAMETERS.some((reserved) => reserved === name))
  const types = [...new Set(columns.map(({ type }) => type))]
  const of = hasResults ? 'column or result' : 'column'
  return t.Unsafe<unknown>({
    $id: hasResults ? 'GroupFilters' : 'Filters',
    type: 'object',
    description: `One member per ${of} and operator; see the description of the document.`,
    ...(!hasResults && { properties: Object.fromEntries(plain.map((name) => [name, { type: 'string' }])) }),
    propertyNames: { pattern: `^(${hasResults ? '[a-z0-9_]+' : names.join('|')})(\\[[a-z_]+\\])?$` },
    additionalProperties: { type: 'string' },
    'x-operators': Object.fromEntries(types.map((type) => [type, operatorsFor(type)])),
    ...(hasResults && { 'x-functions': Object.fromEntries(types.map((type) => [type, functionsFor(type)])) }),
  })
}

function facetOfDataset({ columns }: ExampleDataset): TSchema {
  const byType = Map.groupBy(columns, ({ type }) => type)
  return t.Unsafe<unknown>({
    $id: 'Facet',
    oneOf: [...byType].map(([type, alike]) =>
      shape(facetOf(oneOf(alike.map(({ name }) => name)), VALUE_SCHEMAS[type])),
    ),
  })
}

function examplesOf({ domain, id, columns, sample }: ExampleDataset): Readonly<Record<string, unknown>> {
  const names = columns.slice(0, 2).map(({ name }) => name)
  return {
    domain,
    dataset: id,
    id,
    slug: id,
    sort: names.map((name, index) => (index === 0 ? `-${name}` : name)).join(','),
    fields: names.join(','),
    group_by: names[0],
    columns: names.join(','),
    filters: Object.fromEntries(
      columns
        .filter(({ name }) => sample[name] !== null && sample[name] !== undefined)
        .slice(0, 2)
        .map(({ name }, index) => [`${name}[${index === 0 ? 'eq' : 'in'}]`, listItem(String(sample[name]))]),
    ),
  }
}

/** A dataset as an example; undefined when it does not exist. */
export function exampleOf({ catalog, config }: App, id: string): ExampleDataset | undefined {
  const descriptor = catalog.descriptor(id)
  if (descriptor === undefined) return undefined
  // The description needs no key, so it has no values of rows that need one.
  const isShown = config.public_browsing && catalog.find(id)?.open !== false
  const sample = isShown ? Object.entries(descriptor.sample_row ?? {}) : []
  const isShort = (value: unknown) => typeof value !== 'string' || value.length <= 200
  return { ...descriptor, sample: Object.fromEntries(sample.filter(([, value]) => isShort(value))) }
}
