/** A ZIP archive (PKWARE APPNOTE 6.3) as a stream: sizes and checksums follow each entry and are repeated at the end. */

import { crc32, createDeflateRaw } from 'node:zlib'
import { packStream } from '../../../base/pack-stream.ts'

/** Cells are so repetitive that a higher level gains little. */
const LEVEL = 3

const SIGNATURE = { entry: 0x04034b50, descriptor: 0x08074b50, central: 0x02014b50, end: 0x06054b50 } as const
const SIGNATURE64 = { end: 0x06064b50, locator: 0x07064b50 } as const
/** Names are UTF-8; sizes follow the data. */
const FLAGS = 0x0808
const DEFLATED = 8
const VERSION = 20
const VERSION64 = 45
/** Written instead of a number that needs 64 bits. */
const BEYOND_32 = 0xffffffff
const ZIP64_EXTRA = 1

interface Entry {
  readonly name: Buffer
  readonly at: number
  crc: number
  bytes: number
  packedBytes: number
}

/** Writes the entries of an archive one after the other; call `end` after the last one. */
export class ZipWriter {
  readonly #entries: Entry[] = []
  readonly #time: number
  #at = 0

  /** @param changed the time of all entries, written as MS-DOS date and time: to two seconds, none before 1980 */
  constructor(changed: Date) {
    const date = changed.getUTCFullYear() < 1980 ? new Date(Date.UTC(1980, 0, 1)) : changed
    const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
    const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
    this.#time = ((day << 16) | time) >>> 0
  }

  /** Writes an entry, compressed on another thread. A chunk of its contents is not read once the next one is requested. */
  async *entry(
    path: string,
    contents: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    const name = Buffer.from(path)
    const entry: Entry = { name, at: this.#at, crc: 0, bytes: 0, packedBytes: 0 }
    async function* measured() {
      for await (const chunk of contents) {
        entry.crc = crc32(chunk, entry.crc)
        entry.bytes += chunk.length
        yield chunk
      }
    }
    yield this.#count(Buffer.concat([localHeader(name, this.#time), name]))
    const packedFrom = this.#at
    for await (const chunk of packStream(measured(), createDeflateRaw({ level: LEVEL })))
      yield this.#count(chunk)
    entry.packedBytes = this.#at - packedFrom
    this.#entries.push(entry)
    yield this.#count(descriptor(entry))
  }

  /** The directory. */
  end(): Uint8Array {
    const central = Buffer.concat(this.#entries.map((entry) => centralHeader(entry, this.#time)))
    return Buffer.concat([central, directoryEnd(this.#entries.length, central.length, this.#at)])
  }

  #count<T extends Uint8Array>(bytes: T): T {
    this.#at += bytes.length
    return bytes
  }
}

/** Whole numbers one after the other, the lowest byte first. @param widths a digit for each number: its bytes */
function fields(widths: string, ...values: readonly number[]): Buffer {
  const made = Buffer.alloc([...widths].reduce((sum, width) => sum + Number(width), 0))
  let at = 0
  for (const [index, width] of [...widths].entries()) {
    if (width === '8') made.writeBigUInt64LE(BigInt(values[index]!), at)
    else made.writeUIntLE(values[index]!, at, Number(width))
    at += Number(width)
  }
  return made
}

/** Checksum and sizes are in the descriptor. */
function localHeader({ length }: Buffer, time: number): Buffer {
  return fields('4222444422', SIGNATURE.entry, VERSION, FLAGS, DEFLATED, time, 0, 0, 0, length, 0)
}

function descriptor({ crc, bytes, packedBytes }: Entry): Buffer {
  const widths = Math.max(bytes, packedBytes) >= BEYOND_32 ? '4488' : '4444'
  return fields(widths, SIGNATURE.descriptor, crc, packedBytes, bytes)
}

function centralHeader({ name, at, crc, bytes, packedBytes }: Entry, time: number): Buffer {
  const large = [bytes, packedBytes, at].filter((value) => value >= BEYOND_32)
  const sizes = large.length === 0 ? [] : [ZIP64_EXTRA, large.length * 8, ...large]
  const extra = fields(large.length === 0 ? '' : `22${'8'.repeat(large.length)}`, ...sizes)
  const version = large.length === 0 ? VERSION : VERSION64
  const [packed, unpacked, from] = [packedBytes, bytes, at].map((value) => Math.min(value, BEYOND_32))
  const about = [SIGNATURE.central, version, version, FLAGS, DEFLATED, time, crc, packed!, unpacked!]
  // No comment, the first disk, no attributes.
  const header = fields('4222244442222244', ...about, name.length, extra.length, 0, 0, 0, 0, from!)
  return Buffer.concat([header, name, extra])
}

function directoryEnd(entries: number, length: number, at: number): Buffer {
  const from = Math.min(at, BEYOND_32)
  const end = fields('42222442', SIGNATURE.end, 0, 0, entries, entries, length, from, 0)
  if (at < BEYOND_32) return end
  const about = [SIGNATURE64.end, 44, VERSION64, VERSION64, 0, 0, entries, entries, length, at]
  const locator = fields('4484', SIGNATURE64.locator, 0, at + length, 1)
  return Buffer.concat([fields('4822448888', ...about), locator, end])
}
