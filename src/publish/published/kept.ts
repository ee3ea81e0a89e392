/**
 * Kept versions of a dataset, for its publishers: serving one, comparing two, and the records that are not among the rows.
 */

import { noteChange } from '../../accounts/audit/audit.ts'
import type { Publisher } from '../../accounts/people/publisher.ts'
import { closing } from '../../base/closing.ts'
import { ApiError } from '../../base/errors.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { VersionRecord } from '../../store/catalog/record.ts'
import { VersionFile } from '../../store/files/open-version.ts'
import type { VersionDiff } from '../edition/version-diff.ts'
import type { PublishingPlace } from './change.ts'
import { describePublished, type PublishedDataset, requirePublished } from './published.ts'
import { type TakeDownPlace, type TakenDown, type TakenDownVersions, takeDown } from './take-down.ts'
import type { WholeFiles } from './whole-files.ts'

export interface KeptPlace extends PublishingPlace {
  readonly wholeFiles: WholeFiles
}

/**
 * Serves a kept version, an earlier or a later one, exactly as it was.
 * @throws ApiError `version_not_found`, `service_unavailable` when its file is damaged; as `requirePublished`
 */
export async function serveKept(
  { catalog, accounts, wholeFiles, now }: KeptPlace,
  publisher: Publisher,
  id: string,
  version: number,
): Promise<PublishedDataset> {
  const served = requirePublished(catalog, publisher, id)
  requireVersion(catalog, id, version)
  if (served.version !== version) {
    await wholeFiles.serve(id, version)
    await noteChange(accounts, publisher, 'dataset_served', `${id} version ${version}`, now())
  }
  return describePublished(catalog, id)
}

/**
 * Takes down a kept version and every copy of it.
 * @param prove proves that the account's owner asks; throws otherwise
 * @throws ApiError `version_not_found`, `version_served`; what `prove` throws; as `requirePublished`
 */
export async function takeVersionDown(
  place: KeptPlace & TakeDownPlace & { readonly takenDown: TakenDownVersions },
  publisher: Publisher,
  id: string,
  version: number,
  prove: () => Promise<unknown>,
): Promise<TakenDown> {
  const { catalog, accounts, takenDown, now } = place
  const served = requirePublished(catalog, publisher, id)
  requireVersion(catalog, id, version)
  if (served.version === version)
    throw new ApiError('version_served', `Version ${version} of ${id} is served: publish another one first.`)
  await prove()
  const done = await takeDown(place, id, [version])
  await takenDown.look()
  await noteChange(accounts, publisher, 'versions_dropped', `${id} version ${version}`, now())
  return done
}

/**
 * What changed between two kept versions.
 * @param from by default the kept version before `to`
 * @throws ApiError as `serveKept`
 */
export async function compareKept(
  { catalog, wholeFiles }: KeptPlace,
  publisher: Publisher,
  id: string,
  { from, to }: { readonly from: number | undefined; readonly to: number },
): Promise<VersionDiff> {
  requirePublished(catalog, publisher, id)
  requireVersion(catalog, id, to)
  const earlier = from ?? catalog.versions(id).find(({ version }) => version < to)?.version
  if (earlier === undefined) throw versionNotFound(`No version of ${id} before ${to} is kept`, catalog, id)
  requireVersion(catalog, id, earlier)
  return await wholeFiles.compare(id, earlier, to)
}

/**
 * The records of a version that were not imported, or those that were mended.
 * @param wanted a kept version; left out: the served one
 * @returns `rows`: starts at an offset; keeps the file open while it is read
 * @throws ApiError `version_not_found`; as `requirePublished`; DamagedFileError
 */
export async function keptRecords(
  { catalog, dataDir }: PublishingPlace,
  publisher: Publisher,
  id: string,
  kind: 'quarantine' | 'repaired',
  wanted: number | undefined,
) {
  const served = requirePublished(catalog, publisher, id)
  const version = wanted ?? served.version
  const { file: expected } = requireVersion(catalog, id, version)
  const path = await dataDir.localVersion({ id, version, file: expected })
  using file = closing(VersionFile.open(path))
  return {
    total: kind === 'quarantine' ? file.header.quarantined : (file.header.mended ?? 0),
    *rows(offset: number) {
      using file = closing(VersionFile.open(path))
      yield* kind === 'quarantine' ? file.quarantine(offset) : file.mended(offset)
    },
  }
}

/** @throws ApiError `version_not_found` */
function requireVersion(catalog: Catalog, id: string, version: number): VersionRecord {
  const record = catalog.record(id, version)
  if (record !== undefined) return record
  const what = version === 0 ? 'This is not the number of a version' : `Version ${version}`
  throw versionNotFound(`${what} of ${id}${version === 0 ? '' : ' is not kept'}`, catalog, id)
}

function versionNotFound(what: string, catalog: Catalog, id: string): ApiError {
  const kept = catalog.versions(id).map(({ version }) => version)
  return new ApiError('version_not_found', `${what}; those that are: ${kept.join(', ')}.`)
}
