/** The whole of a version file checked, as `datasets verify` and the ingest do. */

import { sha256File } from '../../base/crypto/sha256.ts'
import { DamagedFileError } from '../../base/errors.ts'
import { VersionFile } from './open-version.ts'

/**
 * @param sha256 lower-case hex of the whole file as the catalog holds it; left out when there is none yet
 * @throws DamagedFileError saying what is wrong first
 */
export function verifyVersionFile(path: string, sha256?: string): void {
  const file = VersionFile.open(path)
  try {
    file.verify()
  } finally {
    file.close()
  }
  if (sha256 === undefined) return
  const found = sha256File(path).sha256
  if (found !== sha256)
    throw new DamagedFileError(path, `its SHA-256 is ${found}, the catalog holds ${sha256}`)
}
