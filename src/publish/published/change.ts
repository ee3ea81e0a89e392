/** What publishers change about a dataset without a file: its texts, open pages, its schedule, and whether it exists. */

import { noteChange } from '../../accounts/audit/audit.ts'
import type { Publisher } from '../../accounts/people/publisher.ts'
import type { Config } from '../../base/config/config.ts'
import { ApiError } from '../../base/errors.ts'
import { suggest } from '../../base/text/suggest.ts'
import type { AccountsDb } from '../../db/accounts.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { changedFields } from '../../store/catalog/edit.ts'
import type { ColumnTexts, DatasetTexts, ServedDataset } from '../../store/catalog/record.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { requireAddress } from '../fetch/request.ts'
import { describePublished, type PublishedDataset, requirePublished } from './published.ts'
import { type TakeDownPlace, takeDatasetDown } from './take-down.ts'

export interface PublishingPlace {
  readonly catalog: Catalog
  readonly dataDir: DataDir
  readonly accounts: AccountsDb
  readonly config: Pick<Config, 'publish_private_addresses'>
  readonly now: () => Date
}

/** Fields that are left out stay unchanged. */
export interface DatasetChange extends Partial<DatasetTexts> {
  readonly columns?: readonly ColumnChange[]
  readonly open?: boolean
}

interface ColumnChange extends Partial<ColumnTexts> {
  readonly name: string
}

/**
 * Changes texts and open pages; versions, cursors and digests of files stay.
 * @throws ApiError `dataset_not_found`, `role_missing`, `scope_missing`, `invalid_body` for an unknown column
 */
export async function changePublished(
  { catalog, accounts, now }: PublishingPlace,
  publisher: Publisher,
  id: string,
  { columns = [], open, ...dataset }: DatasetChange,
): Promise<PublishedDataset> {
  const served = requirePublished(catalog, publisher, id)
  refuseUnknownColumns(served, columns)
  const texts = Object.fromEntries(columns.map(({ name, ...rest }) => [name, rest]))
  const edit = { dataset, columns: texts, open }
  const fields = changedFields(edit)
  if (fields.length > 0) {
    await catalog.edit(id, edit)
    await noteChange(accounts, publisher, 'dataset_changed', `${id}: ${fields.join(', ')}`, now())
  }
  return describePublished(catalog, id)
}

function refuseUnknownColumns({ id, columns }: ServedDataset, changes: readonly ColumnChange[]): void {
  const names = columns.map(({ name }) => name)
  const problems = changes
    .filter(({ name }) => !names.includes(name))
    .map(({ name }) => {
      const suggestions = suggest(name, names)
      const hint = suggestions.length > 0 ? ` Did you mean ${suggestions.join(' or ')}?` : ''
      const message = `${id} has no column ${name}.${hint}`
      return { location: `body.columns.${name}`, message, ...(suggestions.length > 0 && { suggestions }) }
    })
  if (problems.length === 0) return
  throw new ApiError('invalid_body', problems.map(({ message }) => message).join(' '), problems)
}

/**
 * Removes a dataset with all its versions.
 * @throws ApiError `dataset_not_found`, `role_missing`, `scope_missing`
 */
export async function removePublished(
  place: PublishingPlace & TakeDownPlace,
  publisher: Publisher,
  id: string,
): Promise<void> {
  const { catalog, accounts, now } = place
  const { domain } = requirePublished(catalog, publisher, id)
  await takeDatasetDown(place, id)
  await noteChange(accounts, publisher, 'dataset_removed', `${domain}/${id}`, now())
}

export interface RefreshSchedule {
  /** `https://…`, `http://…` or `ckan:…` */
  readonly source_url: string
  /** A cron pattern in UTC, already validated. */
  readonly refresh: string
}

/**
 * Sets a schedule by which a dataset is fetched, and read as its last file was.
 * @throws ApiError `invalid_body` for an address that may not be fetched for publishers; as `requirePublished`
 */
export async function scheduleRefresh(
  { catalog, accounts, config, now }: PublishingPlace,
  publisher: Publisher,
  id: string,
  { source_url, refresh: schedule }: RefreshSchedule,
): Promise<PublishedDataset> {
  const { lastUpdated: at } = requirePublished(catalog, publisher, id)
  const address = await requireAddress(source_url, config)
  const { provenance, definition } = catalog.record(id)!
  const published = { options: { definition }, sha256: provenance.source_sha256, at }
  await catalog.sources.setSchedule(id, { address, schedule }, published, now())
  await noteChange(accounts, publisher, 'dataset_scheduled', `${id}: ${schedule}`, now())
  return describePublished(catalog, id)
}

/** Ends the schedule; the address stays known. @throws ApiError as `requirePublished` */
export async function endRefreshes(
  { catalog, accounts, now }: PublishingPlace,
  publisher: Publisher,
  id: string,
): Promise<void> {
  requirePublished(catalog, publisher, id)
  if (catalog.sources.find(id)?.schedule == null) return
  await catalog.sources.endSchedule(id)
  await noteChange(accounts, publisher, 'dataset_scheduled', `${id}: no more`, now())
}
