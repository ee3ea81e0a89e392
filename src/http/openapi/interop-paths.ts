/** The catalog in standard formats: the routes of `interop/routes.ts`, described. */

import { open } from './other-paths.ts'
import { type ExampleDataset, pathParameter } from './parameters.ts'
import { DOCUMENT_NOT_MODIFIED, documentResponse, errorResponses, MISSING_DATASET } from './responses.ts'
import type { Node } from './schemas.ts'

export function interopPaths(example: ExampleDataset): Record<string, Node> {
  const missing = errorResponses(
    MISSING_DATASET.slice(0, 1).map((error) => ({
      ...error,
      message: 'There is no dataset no_such_dataset.',
      request: '/datasets/no_such_dataset/datapackage.json',
    })),
  )
  return {
    '/catalog.jsonld': document(
      'exportCatalogAsJsonLd',
      'The catalog as DCAT-AP 3 in JSON-LD',
      'application/ld+json',
    ),
    '/catalog.ttl': document('exportCatalogAsTurtle', 'The catalog as DCAT-AP 3 in Turtle', 'text/turtle'),
    '/datasets/{id}/datapackage.json': document(
      'describeDataPackage',
      'One dataset as a Frictionless Data Package',
      'application/json',
      { ...missing },
      [pathParameter('id', 'Id of the dataset.', example.id)],
    ),
    '/sitemap.xml': document('listPages', 'Every page, for crawlers', 'application/xml'),
    '/robots.txt': document('instructCrawlers', 'What crawlers may look at', 'text/plain'),
    '/llms.txt': document('introduceService', 'The service on one page, for language models', 'text/plain'),
  }
}

function document(
  operationId: string,
  summary: string,
  contentType: string,
  refusals: Node = {},
  parameters: readonly Node[] = [],
): Node {
  const answers = { 200: documentResponse(`${summary}.`, contentType), 304: DOCUMENT_NOT_MODIFIED }
  return open(operationId, 'Interoperability', summary, { ...answers, ...refusals }, parameters)
}
