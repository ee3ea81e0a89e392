/** The routes of datasets: list and export, with an example of every refusal. */

import { FORMAT_TABLE } from '../../datasets/formats.ts'
import { type ExampleDataset, exportParameters, listParameters } from './parameters.ts'
import {
  COMMON_ERRORS,
  type ErrorExample,
  errorResponses,
  fileResponse,
  jsonResponse,
  KEY_ERRORS,
  keyed,
  LIMIT_HEADERS,
  MISSING_DATASET,
  NOT_MODIFIED,
} from './responses.ts'
import type { Node } from './schemas.ts'

export interface DatasetParts {
  readonly place: readonly Node[]
  readonly filters: readonly Node[]
  /** Schemas of the offset and of the cursor envelope. */
  readonly rows: readonly [Node, Node]
}

/** Media types of exports. */
export const FILE_TYPES = Object.values(FORMAT_TABLE).map((format) => format.contentType.split(';')[0]!)

/** @param path with or without path parameters, which `parts.place` then describes */
export function datasetPaths(
  path: string,
  example: ExampleDataset,
  parts: DatasetParts,
): Record<string, Node> {
  const endpoint = `/v1/${example.domain}/${example.id}`
  const unavailable: ErrorExample = {
    code: 'service_unavailable',
    message: 'This dataset cannot be read at the moment.',
  }
  const rows = jsonResponse(
    'A page of rows: the offset form, or the cursor form when `cursor` is given.',
    {
      oneOf: parts.rows,
    },
    ['ETag', 'Link', ...LIMIT_HEADERS],
  )
  return {
    [path]: {
      get: {
        ...keyed('listRows', 'Datasets', 'List rows'),
        parameters: [...parts.place, ...parts.filters, ...listParameters(example)],
        responses: {
          200: rows,
          304: NOT_MODIFIED,
          ...errorResponses([
            ...KEY_ERRORS,
            ...MISSING_DATASET,
            ...listErrors(endpoint, example),
            unavailable,
            ...COMMON_ERRORS,
          ]),
        },
      },
    },
    [`${path}/export`]: {
      get: {
        ...keyed('exportRows', 'Datasets', 'Export all matching rows in file order'),
        parameters: [...parts.place, ...parts.filters, ...exportParameters(example)],
        responses: {
          200: fileResponse('The file, streamed. A transfer that breaks off is incomplete.', FILE_TYPES),
          304: NOT_MODIFIED,
          ...errorResponses([
            ...KEY_ERRORS,
            ...MISSING_DATASET,
            ...queryErrors(`${endpoint}/export`, example),
            {
              code: 'invalid_format',
              message: 'Parameter "format" must be csv, ndjson or json, not "xml".',
              request: `${endpoint}/export?format=xml`,
            },
            unavailable,
            ...COMMON_ERRORS,
          ]),
        },
      },
    },
  }
}

/** Refusals that lists and exports share. */
export function queryErrors(at: string, { columns }: ExampleDataset): ErrorExample[] {
  const name = columns[0]!.name
  return [
    {
      code: 'unknown_column',
      message: 'Unknown column "no_such_column" in parameter "no_such_column".',
      request: `${at}?no_such_column=1`,
    },
    {
      code: 'unknown_operator',
      message: `Unknown operator "near" in parameter "${name}[near]".`,
      request: `${at}?${name}%5Bnear%5D=1`,
    },
    {
      code: 'invalid_value',
      message: `"maybe" is not a boolean; write true or false (column ${name}). Did you mean "true" or "false"?`,
      request: `${at}?${name}%5Bis_null%5D=maybe`,
    },
    {
      code: 'duplicate_parameter',
      message: 'Parameter "fields" is given twice: give it once.',
      request: `${at}?fields=${name}&fields=${name}`,
    },
    {
      code: 'invalid_fields',
      message: `Parameter "fields" names column "${name}" twice.`,
      request: `${at}?fields=${name},${name}`,
    },
    {
      code: 'unknown_parameter',
      message: 'The parameter belongs to lists and does not apply to exports, or the other way round.',
      request: /\/(export|download)$/.test(at) ? `${at}?limit=5` : `${at}?format=csv`,
    },
  ]
}

/** Refusals of lists. */
export function listErrors(at: string, example: ExampleDataset): ErrorExample[] {
  const name = example.columns[0]!.name
  return [
    ...queryErrors(at, example),
    {
      code: 'invalid_sort',
      message: `Parameter "sort" names column "${name}" twice.`,
      request: `${at}?sort=${name},-${name}`,
    },
    {
      code: 'invalid_limit',
      message: 'Parameter "limit" must be an integer from 1 to 1000, not "0".',
      request: `${at}?limit=0`,
    },
    {
      code: 'invalid_offset',
      message: 'Parameter "offset" must be an integer from 0 to 9007199254740991, not "-1".',
      request: `${at}?offset=-1`,
    },
    {
      code: 'invalid_cursor',
      message: 'The cursor is not one this service handed out. Start with cursor=start.',
      request: `${at}?cursor=made-up`,
    },
    {
      code: 'cursor_expired',
      message: 'The dataset was replaced since the walk began. Start again with cursor=start.',
    },
    {
      code: 'cursor_conflict',
      message: 'Parameter "cursor" cannot be combined with "offset".',
      request: `${at}?cursor=start&offset=0`,
    },
  ]
}
