/** The keys of objects, below the prefix of the setting. */

import type { BulkName } from '../files/bulk-folder.ts'
import type { VersionName } from '../files/remote-files.ts'

export const VERSIONS = 'versions/'
export const WHOLE_FILES = 'files/'
export const DRAFTS = 'drafts/'

/** Raised when whole datasets are written in another way, so that a node never takes the file of an older program. */
const WHOLE_FILE_FORM = 1
/** Hex digits of the version file's digest in the key of a whole dataset. */
const SHORT = 16

const VERSION_KEY = /^versions\/([^/]+)\/(\d+)-([0-9a-f]{64})\.db$/

/** The digest is in it: after a restore the same number may mean other data. */
export function versionKey({ id, version, file }: VersionName): string {
  return `${VERSIONS}${id}/${version}-${file.sha256}.db`
}

/** Of a whole dataset: the version, its digest, and how it is written. */
export function wholeFileKey({ id, version, versionSha256, format }: BulkName): string {
  return `${WHOLE_FILES}${id}/${version}-${versionSha256.slice(0, SHORT)}/${WHOLE_FILE_FORM}.${format}`
}

/** @param name of a file of the draft */
export function draftKey(draft: string, name: string): string {
  return `${DRAFTS}${draft}/${name}`
}

/** What the keys of whole datasets of a version begin with. @param key as `versionKey` gives it */
export function wholeFilesOf(key: string): string | undefined {
  const [, id, version, sha256] = VERSION_KEY.exec(key) ?? []
  return sha256 && `${WHOLE_FILES}${id}/${version}-${sha256.slice(0, SHORT)}/`
}
