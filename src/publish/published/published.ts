/** Datasets as their publishers see them: the catalog's facts, and the outcome of refreshes and ingests. */

import { type Publisher, requireDomain } from '../../accounts/people/publisher.ts'
import { requireDataset } from '../../query/query-schema.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { VersionSummary } from '../../store/catalog/lookups.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { DatasetSource, RefreshState } from '../../store/catalog/sources.ts'

export type LastFailure = NonNullable<ReturnType<typeof lastFailure>>
export type PublishedDataset = ReturnType<typeof describePublished>
export type PublishedEntry = ReturnType<typeof listPublished>['datasets'][number]

/** A kept version, without the place of its file. */
export type KeptVersion = Omit<VersionSummary, 'file' | 'sha256'>

/** The datasets that a publisher may change, ordered by domain, then id. */
export function listPublished(
  catalog: Catalog,
  { domains }: Publisher,
  page: { readonly limit: number; readonly offset: number },
) {
  const { total, datasets } = catalog.list(page, domains === 'all' ? 'all' : new Set(domains))
  const entries = datasets.map((entry) => {
    const { version = 0, open = true } = catalog.find(entry.id) ?? {}
    const source = catalog.sources.find(entry.id)
    const next_refresh_at = source?.next_run_at ?? null
    return { ...entry, version, open, next_refresh_at, last_failure: lastFailure(catalog, entry.id, source) }
  })
  return { total, datasets: entries }
}

/**
 * The datasets whose last file was refused or could not be fetched, by id; `title` is null if the dataset is not published.
 */
export function listFailed(catalog: Catalog) {
  const refused = catalog.refusals.list(new Date(0)).map(({ dataset }) => dataset)
  return [...new Set([...refused, ...catalog.sources.failing()])].sort().flatMap((id) => {
    const failure = lastFailure(catalog, id, catalog.sources.find(id))
    return failure === null ? [] : [{ id, failure, title: catalog.descriptor(id)?.title ?? null }]
  })
}

/**
 * A dataset that the publisher may change.
 * @throws ApiError `dataset_not_found`, `role_missing`, `scope_missing`
 */
export function requirePublished(catalog: Catalog, publisher: Publisher, id: string): ServedDataset {
  const served = requireDataset(catalog, id)
  requireDomain(publisher, served.domain)
  return served
}

/** @throws ApiError `dataset_not_found` */
export function describePublished(catalog: Catalog, id: string) {
  const { open } = requireDataset(catalog, id)
  const source = catalog.sources.find(id)
  return {
    ...catalog.descriptor(id)!,
    open,
    refresh: source === undefined ? null : toRefreshState(source),
    last_failure: lastFailure(catalog, id, source),
  }
}

/** Newest first. */
export function keptVersions(catalog: Catalog, id: string): KeptVersion[] {
  return catalog.versions(id).map(({ file: _, sha256: __, ...version }) => version)
}

/** Details for publishers and operators that the public descriptor leaves out. */
function toRefreshState(source: DatasetSource): RefreshState {
  const { address, schedule, checked_at, changed_at, failed_at, error, failures, next_run_at } = source
  return { address, schedule, checked_at, changed_at, failed_at, error, failures, next_run_at }
}

/**
 * The last time since publication that a file was refused or could not be fetched. `at`: RFC 3339 UTC; `reason`: in words
 * for people; `reasons`: the same for pages.
 */
function lastFailure(catalog: Catalog, id: string, source: DatasetSource | undefined) {
  const refused = catalog.refusals.find(id)
  const { failed_at = null, error, reasons } = source ?? {}
  const ofRefresh = failed_at !== null && (refused === undefined || failed_at > refused.at)
  if (ofRefresh)
    return { kind: 'refresh' as const, at: failed_at, reason: error ?? '', reasons: reasons ?? [] }
  if (refused === undefined) return null
  const { at, reason } = refused
  return { kind: 'ingest' as const, at, reason, reasons: refused.reasons ?? [] }
}
