/** Waits for a version file that this machine does not have yet, where the data directory is a cache. */

import { ApiError, CommandError, DamagedFileError, saysDamage } from '../base/errors.ts'
import type { ServedDataset } from '../store/catalog/record.ts'
import type { RemoteFiles } from '../store/files/remote-files.ts'

/** The fetch continues after those who waited for it have been refused. */
const LONGEST_WAIT_MS = 10_000
const RETRY_S = 5

/**
 * Resolves when the file is in place.
 * @throws ApiError `service_unavailable` when it takes longer, or is not available for now; DamagedFileError when the
 * object is missing or damaged
 */
export async function awaitLocalVersion(remote: RemoteFiles, served: ServedDataset): Promise<void> {
  const { id, version, sha256, bytes } = served
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(refuse(`The data of '${id}' is being brought to this server`)),
      LONGEST_WAIT_MS,
    )
  })
  try {
    await Promise.race([remote.ensureLocal({ id, version, file: { sha256, bytes } }), late])
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    if (saysDamage(error)) throw new DamagedFileError(served.file, error.message)
    throw refuse(`The data of '${id}' cannot be brought to this server now`)
  } finally {
    clearTimeout(timer)
  }
}

function refuse(what: string): ApiError {
  return new ApiError('service_unavailable', `${what}; try again in ${RETRY_S} s.`, undefined, RETRY_S)
}
