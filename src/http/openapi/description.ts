/** The OpenAPI description of the service (version 0.1.0): every route, bound, answer and error. */

import { CSRF_HEADER, sessionCookieName } from '../session.ts'
import { accountPaths } from './account-paths.ts'
import { ACCOUNT_SCHEMAS } from './account-schemas.ts'
import { datasetPaths } from './dataset-paths.ts'
import { interopPaths } from './interop-paths.ts'
import { keyPaths, usagePaths } from './key-paths.ts'
import { catalogPaths, documentPaths, statusPaths } from './other-paths.ts'
import { anyFilters, columnFilters, type ExampleDataset, filterSyntax, pathParameter } from './parameters.ts'
import { publicPaths } from './public-paths.ts'
import { HEADERS } from './responses.ts'
import { cursorListSchema, listSchema, type Node, ref, SCHEMAS, valueSchema } from './schemas.ts'

/** Version of the interface (specification 9), not of the program. */
const DESCRIPTION_VERSION = '0.1.0'

export interface Description {
  readonly openapi: '3.0.3'
  readonly info: Node
  readonly servers: readonly Node[]
  readonly tags: readonly Node[]
  readonly paths: Readonly<Record<string, Node>>
  readonly components: Node
}

/** Stands in where no dataset is there to take examples from: the shape of one that the specification shows. */
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

/**
 * Describes the whole service.
 * @param base where the service is, without a slash at the end
 * @param example the dataset that examples name, so that they can be called
 */
export function describeService(base: string, example: ExampleDataset = SPECIMEN): Description {
  const paths = {
    ...statusPaths(),
    ...documentPaths(example),
    ...interopPaths(example),
    ...catalogPaths(example),
    ...datasetPaths('/v1/{domain}/{dataset}', example, {
      place: [
        pathParameter('domain', 'Domain of the dataset.', example.domain),
        pathParameter('dataset', 'Id of the dataset.', example.id),
      ],
      filters: [anyFilters(example)],
      rows: [ref('DatasetList'), ref('DatasetCursorList')],
    }),
    ...publicPaths(example),
    ...accountPaths(),
    ...keyPaths(),
    ...usagePaths(),
  }
  return describe({
    ...{ base, title: 'Izvor', text: SERVICE_TEXT, paths },
    tags: [...API_TAGS, ...ACCOUNT_TAGS],
    schemas: { ...SCHEMAS, ...ACCOUNT_SCHEMAS },
    securitySchemes: { ...KEY_SCHEME, ...sessionSchemes(base) },
  })
}

/** Columns whose filters are written at a time: some 200 KB. */
const COLUMNS_WRITTEN = 100
/** Where the filters go. No string has it in it, since quotes in a string are escaped, and no column has capitals. */
const FILTERS = { FILTERS: true }

/**
 * Writes the description of the two routes of one dataset, with its own columns as parameters and rows. In parts, since
 * both have all filters of all columns.
 */
export function* writeDatasetDescription(
  base: string,
  title: string,
  dataset: ExampleDataset,
): Generator<string> {
  const text = JSON.stringify(describeDataset(base, title, dataset))
  // Other parameters always follow, so that the comma is part of the place.
  for (const [index, part] of text.split(`${JSON.stringify(FILTERS)},`).entries()) {
    if (index > 0) yield* writeFilters(dataset)
    yield part
  }
}

function* writeFilters(dataset: ExampleDataset): Generator<string> {
  for (let from = 0; from < dataset.columns.length; from += COLUMNS_WRITTEN) {
    const columns = dataset.columns.slice(from, from + COLUMNS_WRITTEN)
    const filters = columnFilters({ ...dataset, columns })
    yield filters.map((filter) => `${JSON.stringify(filter)},`).join('')
  }
}

function describeDataset(base: string, title: string, dataset: ExampleDataset): Description {
  const row = {
    type: 'object',
    properties: Object.fromEntries(
      dataset.columns.map(({ name, type, description }) => [
        name,
        { ...valueSchema(type), nullable: true, ...(description !== null && { description }) },
      ]),
    ),
    additionalProperties: false,
  }
  const paths = datasetPaths(`/v1/${dataset.domain}/${dataset.id}`, dataset, {
    place: [],
    filters: [FILTERS],
    rows: [listSchema(row), cursorListSchema(row)],
  })
  return describe({
    ...{ base, title, text: filterSyntax(), paths, tags: API_TAGS },
    ...{ schemas: SCHEMAS, securitySchemes: KEY_SCHEME },
  })
}

const SERVICE_TEXT = [
  'Published open datasets as uniformly shaped JSON. Every `/v1` route needs an API key: `Authorization: Bearer rok_…`. ' +
    'Routes below `/account/api` work with the cookie of a browser session.',
  '',
  'Every route answers HEAD like GET without the body, and OPTIONS with 204. Errors have one shape everywhere; a path that ' +
    'does not exist is a 404 `not_found`, another method a 405 `method_not_allowed` with `Allow`, a request body over 1 MB a ' +
    '413 `payload_too_large`. Timestamps are RFC 3339 in UTC with whole seconds.',
  '',
  'Guides: [a first call in a minute](/docs/guides/first-call), [the query language by example](/docs/guides/queries), ' +
    '[paging correctly](/docs/guides/paging), [errors, one by one](/docs/guides/errors), [limits](/docs/guides/limits), ' +
    '[what stays as it is](/docs/guides/stability).',
].join('\n')

const API_TAGS = [
  { name: 'Datasets', description: 'Rows of one dataset: lists and bulk export.' },
  { name: 'Catalog', description: 'Which datasets there are, and what is known of them.' },
  { name: 'Status', description: 'Health probes and statistics; no key needed.' },
  { name: 'Interoperability', description: 'The catalog in standard formats; no key needed.' },
  { name: 'Reference', description: 'This description; no key needed.' },
]

const ACCOUNT_TAGS = [
  { name: 'Account', description: 'Registering, signing in, sessions, passwords; by browser session.' },
  { name: 'API keys', description: 'Keys of the account; by browser session.' },
  { name: 'Usage', description: 'What the keys of the account were used for; by browser session.' },
]

const KEY_SCHEME = { ApiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `rok_…`' } }

function sessionSchemes(base: string): Node {
  return {
    Session: {
      ...{ type: 'apiKey', in: 'cookie', name: sessionCookieName(base) },
      description: 'Set by sign-up and login.',
    },
    CsrfToken: {
      ...{ type: 'apiKey', in: 'header', name: CSRF_HEADER },
      description: 'The `csrf_token` of the session, with every call that changes something.',
    },
  }
}

interface Parts {
  readonly base: string
  readonly title: string
  readonly text: string
  readonly tags: readonly Node[]
  readonly paths: Record<string, Node>
  readonly schemas: Node
  readonly securitySchemes: Node
}

function describe({ base, title, text, tags, paths, schemas, securitySchemes }: Parts): Description {
  return {
    openapi: '3.0.3',
    info: {
      title,
      version: DESCRIPTION_VERSION,
      description: text,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: base }],
    tags,
    paths,
    components: { securitySchemes, headers: HEADERS, schemas },
  }
}
