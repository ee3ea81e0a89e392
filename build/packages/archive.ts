/** An archive of the executable for people without a package manager: tar.gz, for Windows zip. */

import { zipSync } from 'fflate'
import { bytesOf, type Entry, pack, packEntries, type Release } from './entries.ts'

/** @param folder that it unpacks to */
export async function makeTarGz(
  folder: string,
  entries: readonly Entry[],
  release: Release,
): Promise<Uint8Array<ArrayBuffer>> {
  return pack(await packEntries(entries, release, `${folder}/`))
}

/** @param folder that it unpacks to */
export function makeZip(
  folder: string,
  entries: readonly Entry[],
  { date }: Release,
): Uint8Array<ArrayBuffer> {
  // ZIP stores local times; the file must not depend on this machine's time zone.
  const mtime = new Date(date.getTime() + date.getTimezoneOffset() * 60_000)
  return zipSync(Object.fromEntries(entries.map((entry) => [`${folder}/${entry.path}`, bytesOf(entry)])), {
    mtime,
  })
}
