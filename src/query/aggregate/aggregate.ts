/** Answers an aggregate: a page of groups in the envelope of lists, or all of them as a file (contract 7). */

import { ApiError } from '../../base/errors.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import { aggregateRows, openGroups } from '../../engine/aggregate/aggregate.ts'
import { MOST_GROUPS, TooManyGroupsError } from '../../engine/aggregate/group-query.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import type { VersionRecord } from '../../store/catalog/record.ts'
import { FORMAT_WRITERS } from '../files/export-contents.ts'
import type { ExportFormat } from '../formats.ts'
import { withHints } from '../hints.ts'
import { AddressTemplate, type ListPlace } from '../list/links.ts'
import type { ListedPage } from '../list/list-page.ts'
import { offsetPage } from '../parameters.ts'
import type { QuerySchema } from '../query-schema.ts'
import type { AggregateRequest } from './aggregate-query.ts'
import { jsonRows } from './write-groups.ts'

const encoder = new TextEncoder()

/** A page of groups. @throws ApiError `too_many_groups`, possibly as a rejection */
export function listGroups(
  dataset: OpenDataset,
  request: AggregateRequest,
  schema: QuerySchema,
  place: ListPlace,
): ValueOrPromise<ListedPage> {
  const groups = refusingGroups(schema, () => aggregateRows(dataset, request.query))
  return withValue(groups, (page) => {
    const { query, results, parameters } = request
    const { pagination, targets } = offsetPage(page, query)
    const rows = encoder.encode(`[${page.rows.map(jsonRows(results)).join()}]`)
    const links = new AddressTemplate(parameters, 'offset').write(place, targets)
    // Without groups there is one row of results even when no row matches.
    if (page.count > 0 && query.groups.length > 0) return { rows, pagination, links }
    return withHints(dataset, { filters: query.filters, parameters }, { rows, pagination, links })
  })
}

/** Turns too many groups into a refusal. @throws ApiError `too_many_groups`, possibly as a rejection */
export function refusingGroups<T>(schema: QuerySchema, find: () => ValueOrPromise<T>): ValueOrPromise<T> {
  try {
    const found = find()
    return found instanceof Promise ? found.catch((error) => refuse(error, schema)) : found
  } catch (error) {
    return refuse(error, schema)
  }
}

/**
 * All groups as chunks of bytes, each valid until the next is requested; CSV starts with a header line.
 * @param record the version's record, for what a workbook and a Parquet file say about it
 * @param onRows gets the number of groups that the reader has taken
 * @throws ApiError `too_many_groups`, before the first chunk
 */
export async function* exportGroups(
  dataset: OpenDataset,
  request: AggregateRequest & { readonly format: ExportFormat },
  { schema, record }: { readonly schema: QuerySchema; readonly record: VersionRecord },
  onRows: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  const groups = await openGroups(dataset, request.query).catch((error) => refuse(error, schema))
  try {
    yield* FORMAT_WRITERS[request.format].groups(dataset, groups, request, record, onRows)
  } finally {
    groups.close()
  }
}

function refuse(error: unknown, { columns }: QuerySchema): never {
  if (!(error instanceof TooManyGroupsError)) throw error
  const { name } = columns[error.column]!
  const message = `The rows have more than ${MOST_GROUPS.toLocaleString('en')} groups, and column "${name}" has the most values: group by fewer columns or by a part of a date, or filter the rows.`
  throw new ApiError('too_many_groups', message, [{ location: 'query.group_by', message }])
}
