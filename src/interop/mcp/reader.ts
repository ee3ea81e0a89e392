/** What the tools read with: the catalog, the engine, and how much of both the caller may use. */

import type { ApiError } from '../../base/errors.ts'
import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import type { OpenDatasets } from '../../query/open-datasets.ts'
import type { QueryShare } from '../../query/query-shares.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Places } from '../../store/catalog/places.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'

export interface ToolReader {
  readonly catalog: Catalog
  readonly openDatasets: OpenDatasets
  /** What of the catalog the caller may read. */
  readonly within: Places
  /** Absolute address of the service, without a slash at the end. */
  readonly base: string
  /** Whether the files of a dataset need no key. */
  isPublic(served: ServedDataset): boolean
  /** Whether the caller may read rows of a dataset. */
  readsRows(served: ServedDataset): boolean
  /**
   * Lets a query of rows through.
   * @throws ApiError `api_key_missing`, `rate_limited`
   */
  admit(served: ServedDataset): ValueOrPromise<void>
  /**
   * The caller's share of the queries that take long; undefined: as many as it likes.
   * @param query in the one query language
   */
  share(query: string): QueryShare | undefined
  /** Notes what was read, for the use of datasets. */
  note(served: ServedDataset, rows: number): void
  /** The refusal that tells the caller of a failure; what it must not know is logged. */
  refuse(error: unknown, query: string): ApiError
}
