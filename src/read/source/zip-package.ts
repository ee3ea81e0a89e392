/** A ZIP archive, entry by entry: sizes and checksums are verified while they are read. */

import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { CommandError } from '../../base/errors.ts'
import { refuse } from '../report/reasons.ts'
import type { Budget } from './conversion/budget.ts'
import type { OnRead } from './conversion/conversion.ts'

/** A workbook has some dozens of parts, one sheet each at most. */
const MOST_ENTRIES = 20_000
const ENCRYPTED = 1

export class ZipPackage {
  readonly entries: readonly Entry[]
  /** Told how much of the archive has been read, as entries are. */
  onRead: OnRead = () => {}
  private doneBytes = 0
  private readonly file: ZipFile
  private readonly budget: Budget

  private constructor(file: ZipFile, entries: readonly Entry[], budget: Budget) {
    this.file = file
    this.entries = entries
    this.budget = budget
  }

  /** @throws CommandError `refused` when it is damaged or has too many entries */
  static async open(path: string, budget: Budget): Promise<ZipPackage> {
    try {
      const file = await openPromise(path, { lazyEntries: true, autoClose: false })
      const entries: Entry[] = []
      for await (const entry of file.eachEntry()) {
        if (entries.push(entry) > MOST_ENTRIES)
          throw refuse('unsafe_file', {}, `a ZIP archive of more than ${MOST_ENTRIES} files`)
      }
      return new ZipPackage(file, entries, budget)
    } catch (error) {
      throw damagedZip(error)
    }
  }

  /** An entry by its path, case aside, as some programs write it otherwise than they name it. */
  find(path: string): Entry | undefined {
    const wanted = path.replace(/^\/+/, '').toLowerCase()
    return this.entries.find(({ fileName }) => fileName.replaceAll('\\', '/').toLowerCase() === wanted)
  }

  /** @throws CommandError `refused` when it is damaged, encrypted, or unpacks to more than it may */
  async *read(entry: Entry): AsyncGenerator<Uint8Array> {
    if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0) throw refuse('password_file', {})
    let checksum = 0
    const packed = entry.compressedSize / Math.max(1, entry.uncompressedSize)
    try {
      const stream = await this.file.openReadStreamPromise(entry)
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        this.budget.take(chunk.length)
        checksum = crc32(chunk, checksum)
        this.doneBytes += chunk.length * packed
        this.onRead(this.doneBytes)
        yield chunk
      }
    } catch (error) {
      throw damagedZip(error)
    }
    if (checksum !== entry.crc32 >>> 0)
      throw refuse('damaged_file', {}, `the checksum of ${entry.fileName} is wrong`)
  }

  close(): void {
    this.file.close()
  }
}

function damagedZip(error: unknown): unknown {
  if (error instanceof CommandError) return error
  return refuse('damaged_file', {})
}
