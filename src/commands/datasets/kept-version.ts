/** Finding and opening the kept versions of a dataset, for the commands that look into them. */

import { CommandError } from '../../base/errors.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { VersionRecord } from '../../store/catalog/record.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { VersionFile } from '../../store/files/open-version.ts'

export interface KeptVersion {
  readonly record: VersionRecord
  /** The caller closes it. */
  readonly file: VersionFile
}

/**
 * @param wanted a version's number; undefined: the one being served
 * @throws CommandError `failed` when there is no such dataset or version; DamagedFileError
 */
export async function openKeptVersion(
  catalog: Catalog,
  folder: DataDir,
  id: string,
  wanted: number | undefined,
): Promise<KeptVersion> {
  const versions = catalog.versions(id)
  if (versions.length === 0) throw new CommandError('failed', `there is no dataset ${id}`)
  const found = versions.find((one) => (wanted === undefined ? one.served : one.version === wanted))
  if (found === undefined) {
    const kept = versions.map(({ version }) => version).join(', ')
    throw new CommandError('failed', `version ${wanted} of ${id} is not kept; those that are: ${kept}`)
  }
  const { version } = found
  const record = catalog.record(id, version)
  // Another process may have published and dropped it since it was listed.
  if (record === undefined)
    throw new CommandError('failed', `version ${version} of ${id} was just replaced: try again`)
  const path = await folder.localVersion({ id, version, file: record.file })
  return { record, file: VersionFile.open(path) }
}
