/** Rows and files without a key, as the pages use them: the same query language, limited by address. */

import { FILE_TYPES, listErrors, queryErrors } from './dataset-paths.ts'
import { open } from './other-paths.ts'
import {
  anyFilters,
  type ExampleDataset,
  exportParameters,
  listParameters,
  pathParameter,
} from './parameters.ts'
import {
  DOCUMENT_NOT_MODIFIED,
  type ErrorExample,
  errorResponses,
  fileResponse,
  jsonResponse,
  MISSING_DATASET,
} from './responses.ts'
import { type Node, ref } from './schemas.ts'

/** While the operator shows rows to everybody, it does not occur. */
const CLOSED: ErrorExample = {
  code: 'api_key_missing',
  message: 'Rows are not shown here without a key: read /v1/economy/trade with one.',
}
const TOO_MANY: ErrorExample = {
  code: 'rate_limited',
  message: 'One address may make 120 requests a minute without a key; try again in 1 s.',
}
const UNAVAILABLE: ErrorExample = {
  code: 'service_unavailable',
  message: 'This dataset cannot be read at the moment.',
}

export function publicPaths(example: ExampleDataset): Record<string, Node> {
  const [rows, download] = ['rows', 'download'].map((name) => `/datasets/${example.id}/${name}`) as [
    string,
    string,
  ]
  const place = pathParameter('id', 'Id of the dataset.', example.id)
  const page = jsonResponse(
    'A page of rows: the offset form, or the cursor form when `cursor` is given.',
    { oneOf: [ref('DatasetList'), ref('DatasetCursorList')] },
    ['ETag', 'Link'],
  )
  const file = fileResponse('The file, streamed. A transfer that breaks off is incomplete.', FILE_TYPES, [])
  return {
    '/datasets/{id}/rows': open(
      'browseRows',
      'Datasets',
      'List rows without a key, for people',
      { 200: page, 304: DOCUMENT_NOT_MODIFIED, ...refusals(listErrors(rows, example), 'rows') },
      [place, anyFilters(example), ...listParameters(example)],
    ),
    '/datasets/{id}/download': open(
      'downloadRows',
      'Datasets',
      'Download all matching rows without a key, in file order',
      { 200: file, 304: DOCUMENT_NOT_MODIFIED, ...refusals(queryErrors(download, example), 'download') },
      [place, anyFilters(example), ...exportParameters(example)],
    ),
  }
}

function refusals(ofTheQuery: readonly ErrorExample[], name: string): Record<string, Node> {
  const missing = MISSING_DATASET.slice(0, 1).map((error) => ({
    ...error,
    message: 'There is no dataset no_such_dataset.',
    request: `/datasets/no_such_dataset/${name}`,
  }))
  return {
    // By itself: what stands beside it would be taken for routes that need a key.
    ...errorResponses([CLOSED]),
    ...errorResponses([...missing, ...ofTheQuery, TOO_MANY, UNAVAILABLE]),
  }
}
