/** The routes besides those of datasets: catalog, status, and the reference itself. */

import { type ExampleDataset, LIMIT, OFFSET, pathParameter, queryParameter } from './parameters.ts'
import {
  COMMON_ERRORS,
  DOCUMENT_NOT_MODIFIED,
  type ErrorExample,
  errorResponses,
  jsonResponse,
  KEY_ERRORS,
  keyed,
  LIMIT_HEADERS,
  MISSING_DATASET,
  NOT_MODIFIED,
} from './responses.ts'
import { type Node, ref } from './schemas.ts'

export function catalogPaths(example: ExampleDataset): Record<string, Node> {
  const slug = pathParameter('slug', 'Id of the dataset.', example.id)
  const word = { type: 'string', minLength: 1 }
  return {
    '/v1/search': catalogList('searchCatalog', 'Search the catalog; best match first', '/v1/search?q=a', [
      {
        ...queryParameter(
          'q',
          'Words that must all occur, the last one as a beginning; without regard to case and diacritics.',
          word,
          'judete',
        ),
        required: true,
      },
      LIMIT,
      OFFSET,
    ]),
    '/v1/datasets': catalogList('listDatasets', 'List the datasets by domain and id', '/v1/datasets?', [
      queryParameter('domain', 'Only this domain.', word, example.domain),
      LIMIT,
      OFFSET,
    ]),
    '/v1/datasets/{slug}': catalogRecord('describeDataset', 'Describe one dataset', 'Descriptor', '', slug),
    '/v1/datasets/{slug}/quality': catalogRecord(
      'reportQuality',
      'Report the quality of the data being served',
      'Quality',
      '/quality',
      slug,
    ),
  }
}

function catalogList(operationId: string, summary: string, at: string, parameters: readonly Node[]): Node {
  const and = at.endsWith('?') ? at : `${at}&`
  const errors: ErrorExample[] = [
    {
      code: 'invalid_limit',
      message: 'Parameter "limit" must be an integer from 1 to 1000, not "0".',
      request: `${and}limit=0`,
    },
    {
      code: 'invalid_offset',
      message: 'Parameter "offset" must be an integer from 0 to 9007199254740991, not "-1".',
      request: `${and}offset=-1`,
    },
    { code: 'unknown_parameter', message: 'Unknown parameter "sort".', request: `${and}sort=id` },
    {
      code: 'duplicate_parameter',
      message: 'Parameter "limit" is given twice: give it once.',
      request: `${and}limit=5&limit=5`,
    },
    ...(operationId === 'searchCatalog'
      ? [
          {
            code: 'invalid_value',
            message: 'Parameter "q", the text to search for, is required.',
            request: '/v1/search',
          } as const,
        ]
      : [
          {
            code: 'invalid_value',
            message: 'Parameter "domain" is empty: leave it out for all domains.',
            request: '/v1/datasets?domain=',
          } as const,
        ]),
  ]
  return {
    get: {
      ...keyed(operationId, 'Catalog', summary),
      parameters,
      responses: {
        200: jsonResponse('A page of datasets.', ref('CatalogList'), ['ETag', 'Link', ...LIMIT_HEADERS]),
        304: NOT_MODIFIED,
        ...errorResponses([...KEY_ERRORS, ...errors, ...COMMON_ERRORS]),
      },
    },
  }
}

function catalogRecord(operationId: string, summary: string, schema: string, tail: string, slug: Node): Node {
  const errors: ErrorExample[] = [
    {
      code: 'dataset_not_found',
      message: 'There is no dataset "no_such_dataset". GET /v1/datasets lists those there are.',
      request: `/v1/datasets/no_such_dataset${tail}`,
    },
    {
      code: 'unknown_parameter',
      message: 'Unknown parameter "limit".',
      request: `/v1/datasets/${slug.example}${tail}?limit=5`,
    },
  ]
  return {
    get: {
      ...keyed(operationId, 'Catalog', summary),
      parameters: [slug],
      responses: {
        200: jsonResponse(`${summary}.`, ref(schema), ['ETag', ...LIMIT_HEADERS]),
        304: NOT_MODIFIED,
        ...errorResponses([...KEY_ERRORS, ...errors, ...COMMON_ERRORS]),
      },
    },
  }
}

/** A route that needs no key. */
export function open(
  operationId: string,
  tag: string,
  summary: string,
  responses: Node,
  parameters: readonly Node[] = [],
): Node {
  const errors = errorResponses(COMMON_ERRORS)
  return {
    get: {
      operationId,
      tags: [tag],
      summary,
      security: [],
      parameters,
      responses: { ...responses, ...errors },
    },
  }
}

/** Described, since it is there, and left out of the page: nobody looks a page's own parts up in it. */
function unlisted(path: Node): Node {
  return { get: { ...(path.get as Node), 'x-scalar-ignore': true } }
}

export function statusPaths(): Record<string, Node> {
  return {
    '/health/live': open('checkLiveness', 'Status', 'Whether the process answers', {
      200: jsonResponse('It does.', ref('Health')),
    }),
    '/health/ready': open('checkReadiness', 'Status', 'Whether the instance can serve', {
      200: jsonResponse('It can; `degraded` when a single dataset cannot be read.', ref('Health')),
      503: jsonResponse('A dependency is unavailable.', ref('Health')),
    }),
    '/stats': open('readStatistics', 'Status', 'Aggregate counts, at most 10 seconds old', {
      200: jsonResponse('The counts.', ref('Stats')),
    }),
  }
}

export function documentPaths(example: ExampleDataset): Record<string, Node> {
  const document = jsonResponse('An OpenAPI 3.0 document.', { type: 'object' })
  const tagged = jsonResponse('An OpenAPI 3.0 document.', { type: 'object' }, ['ETag'])
  const page = { description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } }
  const script = {
    description: 'The script.',
    content: { 'text/javascript': { schema: { type: 'string' } } },
  }
  const missing = errorResponses(
    MISSING_DATASET.slice(0, 1).map((error) => ({
      ...error,
      request: '/openapi/economy/no_such_dataset.json',
    })),
  )
  return {
    '/docs': unlisted(open('openReference', 'Reference', 'The interactive reference', { 200: page })),
    '/docs/scalar.js': unlisted(
      open('loadReferenceScript', 'Reference', 'Program of the interactive reference', { 200: script }),
    ),
    '/docs/json': unlisted(
      open('describeServiceForReference', 'Reference', 'This description', { 200: document }),
    ),
    '/openapi.json': open('describeService', 'Reference', 'This description', { 200: document }),
    '/openapi/{domain}/{dataset}.json': open(
      'describeDatasetRoutes',
      'Reference',
      'The description of one dataset, with its own columns',
      { 200: tagged, 304: DOCUMENT_NOT_MODIFIED, ...missing },
      [
        pathParameter('domain', 'Domain of the dataset.', example.domain),
        pathParameter('dataset', 'Id of the dataset.', example.id),
      ],
    ),
  }
}
