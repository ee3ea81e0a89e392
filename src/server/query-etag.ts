/** Entity tags of lists. */

import type { ServedDataset } from '../store/catalog/record.ts'

/** 88 bits of the version file's SHA-256. */
const FILE_CHARACTERS = 22

/**
 * A weak tag for an answer about a version: part of the file's own hash, then 64 bits of what else decides the answer.
 * Tags are compared only with others of the same resource (RFC 9110, 8.8.3), and a client gains nothing by a collision,
 * so the second hash need not be a cryptographic one.
 */
export function queryEtag(
  { version, sha256 }: ServedDataset,
  base: string,
  query: string,
  scopes: string,
): string {
  const rest = Bun.hash(`${version}\n${base}\n${query}\n${scopes}`)
  return `W/"${sha256.slice(0, FILE_CHARACTERS)}-${rest.toString(36)}"`
}
