/** The OpenAPI description of the service (version 0.1.0): every route, bound, answer and error. */

import { datasetPaths } from './dataset-paths.ts'
import { catalogPaths, documentPaths, statusPaths } from './other-paths.ts'
import { anyFilters, columnFilters, type ExampleDataset, filterSyntax, pathParameter } from './parameters.ts'
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
  return describe(base, 'Izvor', SERVICE_TEXT, {
    ...statusPaths(),
    ...documentPaths(example),
    ...catalogPaths(example),
    ...datasetPaths('/v1/{domain}/{dataset}', example, {
      place: [
        pathParameter('domain', 'Domain of the dataset.', example.domain),
        pathParameter('dataset', 'Id of the dataset.', example.id),
      ],
      filters: [anyFilters(example)],
      rows: [ref('DatasetList'), ref('DatasetCursorList')],
    }),
  })
}

/** Describes the two routes of one dataset, with its own columns as parameters and rows. */
export function describeDataset(base: string, title: string, dataset: ExampleDataset): Description {
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
    filters: columnFilters(dataset),
    rows: [listSchema(row), cursorListSchema(row)],
  })
  return describe(base, title, filterSyntax(), paths)
}

const SERVICE_TEXT = [
  'Published open datasets as uniformly shaped JSON. Every `/v1` route needs an API key: `Authorization: Bearer rok_…`.',
  '',
  'Every route answers HEAD like GET without the body, and OPTIONS with 204. Errors have one shape everywhere; a path that ' +
    'does not exist is a 404 `not_found`, another method a 405 `method_not_allowed` with `Allow`, a request body over 1 MB a ' +
    '413 `payload_too_large`. Timestamps are RFC 3339 in UTC with whole seconds.',
].join('\n')

function describe(base: string, title: string, text: string, paths: Record<string, Node>): Description {
  return {
    openapi: '3.0.3',
    info: {
      title,
      version: DESCRIPTION_VERSION,
      description: text,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: base }],
    tags: [
      { name: 'Datasets', description: 'Rows of one dataset: lists and bulk export.' },
      { name: 'Catalog', description: 'Which datasets there are, and what is known of them.' },
      { name: 'Status', description: 'Health probes and statistics; no key needed.' },
      { name: 'Reference', description: 'This description; no key needed.' },
    ],
    paths,
    components: {
      securitySchemes: { ApiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `rok_…`' } },
      headers: HEADERS,
      schemas: SCHEMAS,
    },
  }
}
