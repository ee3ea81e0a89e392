/** When and from where a dataset is fetched again, as its publisher sets it. */

import { noteChange } from '../../accounts/audit/publications.ts'
import type { Publisher } from '../../accounts/people/publisher.ts'
import type { Config } from '../../base/config/config.ts'
import { requireAddress } from '../fetch/publishers-address.ts'
import type { PublishingPlace } from './change.ts'
import { describePublished, type PublishedDataset, requirePublished } from './published.ts'

export interface SchedulePlace extends PublishingPlace {
  readonly config: Pick<Config, 'publish_private_addresses'>
}

export interface RefreshSchedule {
  /** `https://…`, `http://…` or `ckan:…` */
  readonly source_url: string
  /** A cron pattern in UTC, found to be one. */
  readonly refresh: string
}

/**
 * Has a dataset fetched by a schedule from now on, read as its last file was.
 * @throws ApiError `invalid_body` for an address that may not be fetched for publishers; as `requirePublished`
 */
export async function scheduleRefresh(
  { catalog, accounts, config, now }: SchedulePlace,
  publisher: Publisher,
  id: string,
  { source_url, refresh: schedule }: RefreshSchedule,
): Promise<PublishedDataset> {
  const { lastUpdated: at } = requirePublished(catalog, publisher, id)
  const address = await requireAddress(source_url, config)
  const { provenance, definition } = catalog.record(id)!
  const published = { options: { definition, read: {} }, sha256: provenance.source_sha256, at }
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
