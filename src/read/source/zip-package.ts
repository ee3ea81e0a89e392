/** A ZIP archive, entry by entry: sizes and checksums are verified while they are read. */

import { crc32 } from 'node:zlib'
import { type Entry, openPromise } from 'yauzl'
import { CommandError } from '../../base/errors.ts'
import { refuse } from '../report/reasons.ts'
import type { Budget } from './conversion/budget.ts'
import type { OnRead } from './conversion/conversion.ts'

/** A workbook has some dozens of parts, one sheet each at most. */
const MOST_ENTRIES = 20_000
const ENCRYPTED = 1

export type ZipPackage = Awaited<ReturnType<typeof openZip>>

/** @throws CommandError `refused` when it is damaged or has too many entries */
export async function openZip(path: string, budget: Budget) {
  const entries: Entry[] = []
  const file = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(refuseZip)
  try {
    for await (const entry of file.eachEntry())
      if (entries.push(entry) > MOST_ENTRIES)
        throw refuse('unsafe_file', {}, `a ZIP archive of more than ${MOST_ENTRIES} files`)
  } catch (error) {
    refuseZip(error)
  }
  let doneBytes = 0
  return {
    entries: entries as readonly Entry[],
    /** Told how much of the archive has been read, as entries are. */
    onRead: (() => {}) as OnRead,
    close: () => file.close(),

    /** An entry by its path, case aside, as some programs write it otherwise than they name it. */
    find(path: string): Entry | undefined {
      const wanted = path.replace(/^\/+/, '').toLowerCase()
      return entries.find(({ fileName }) => fileName.replaceAll('\\', '/').toLowerCase() === wanted)
    },

    /** @throws CommandError `refused` when it is damaged, encrypted, or unpacks to more than it may */
    async *read(entry: Entry): AsyncGenerator<Uint8Array> {
      if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0) throw refuse('password_file', {})
      let checksum = 0
      const packed = entry.compressedSize / Math.max(1, entry.uncompressedSize)
      try {
        for await (const chunk of (await file.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
          budget.take(chunk.length)
          checksum = crc32(chunk, checksum)
          doneBytes += chunk.length * packed
          this.onRead(doneBytes)
          yield chunk
        }
      } catch (error) {
        refuseZip(error)
      }
      if (checksum !== entry.crc32 >>> 0)
        throw refuse('damaged_file', {}, `the checksum of ${entry.fileName} is wrong`)
    },
  }
}

function refuseZip(error: unknown): never {
  throw error instanceof CommandError ? error : refuse('damaged_file', {})
}
