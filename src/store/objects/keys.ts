/** The keys of objects, below the prefix of the setting. */

import type { BulkName } from '../files/bulk-folder.ts'
import type { VersionName } from '../files/remote-files.ts'

export const VERSIONS = 'versions/'
export const WHOLE_FILES = 'files/'
export const DRAFTS = 'drafts/'

/** Contains the digest: after a restore the same number may mean other data. */
export function versionKey({ id, version, file }: VersionName): string {
  return `${VERSIONS}${id}/${version}-${file.sha256}.db`
}

/** The key of a whole dataset: the version, the beginning of its digest, and the format. */
export function wholeFileKey({ id, version, versionSha256, format }: BulkName): string {
  // The `1` is raised when whole datasets are written differently, so that a node never uses a file of an older program.
  return `${WHOLE_FILES}${id}/${version}-${versionSha256.slice(0, 16)}/1.${format}`
}

/** @param name of a file of the draft */
export function draftKey(draft: string, name: string): string {
  return `${DRAFTS}${draft}/${name}`
}

/** The version that an object belongs to; undefined for other kinds of objects. */
export function numberOf(key: string): { readonly id: string; readonly version: number } | undefined {
  const [, id, version] = /^(?:versions|files)\/([^/]+)\/(\d+)-[0-9a-f]+[./]/.exec(key) ?? []
  return id === undefined ? undefined : { id, version: Number(version) }
}
