/** A ZIP archive (PKWARE APPNOTE 6.3) as a stream: sizes and checksums stand behind each entry, and once more at the end. */

import { crc32, createDeflateRaw } from 'node:zlib'

/** Cells repeat themselves so much that more effort finds little. */
const LEVEL = 3

const SIGNATURE = { entry: 0x04034b50, descriptor: 0x08074b50, central: 0x02014b50, end: 0x06054b50 } as const
const SIGNATURE64 = { end: 0x06064b50, locator: 0x07064b50 } as const
/** Names are UTF-8; sizes follow the data. */
const FLAGS = 0x0808
const DEFLATED = 8
const VERSION = 20
const VERSION64 = 45
/** Stands for what only fits 64 bits. */
const BEYOND_32 = 0xffffffff
const ZIP64_EXTRA = 1

interface Entry {
  readonly name: Buffer
  readonly at: number
  readonly crc: number
  readonly bytes: number
  readonly packedBytes: number
}

/** The parts of an archive, one after the other; `end` behind the last one. */
export class ZipWriter {
  readonly #entries: Entry[] = []
  readonly #time: number
  #at = 0

  constructor(changed: Date) {
    this.#time = dosTime(changed)
  }

  /** Writes an entry, compressed on another thread. A chunk of its contents is not read after the next one was asked for. */
  async *entry(
    path: string,
    contents: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    const name = Buffer.from(path)
    const at = this.#at
    yield this.#count(localHeader(name, this.#time))
    const sums = { crc: 0, bytes: 0 }
    const packedFrom = this.#at
    for await (const chunk of deflate(measured(contents, sums))) yield this.#count(chunk)
    const entry = { name, at, ...sums, packedBytes: this.#at - packedFrom }
    this.#entries.push(entry)
    yield this.#count(descriptor(entry))
  }

  end(): Uint8Array {
    const central = Buffer.concat(this.#entries.map((entry) => centralHeader(entry, this.#time)))
    return Buffer.concat([central, directoryEnd(this.#entries.length, central.length, this.#at)])
  }

  #count<T extends Uint8Array>(bytes: T): T {
    this.#at += bytes.length
    return bytes
  }
}

async function* measured(
  contents: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sums: { crc: number; bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of contents) {
    sums.crc = crc32(chunk, sums.crc)
    sums.bytes += chunk.length
    yield chunk
  }
}

async function* deflate(source: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const packer = createDeflateRaw({ level: LEVEL })
  const feeding = feed(source, packer)
  try {
    yield* packer
  } finally {
    packer.destroy()
    await source.return(undefined)
    await feeding
  }
}

async function feed(
  source: AsyncGenerator<Uint8Array>,
  packer: ReturnType<typeof createDeflateRaw>,
): Promise<void> {
  try {
    for await (const chunk of source) {
      if (packer.destroyed) return
      await new Promise<void>((resolve) => {
        packer.once('close', resolve)
        packer.write(chunk, () => {
          packer.off('close', resolve)
          resolve()
        })
      })
    }
    packer.end()
  } catch (error) {
    packer.destroy(error as Error)
  }
}

function localHeader(name: Buffer, time: number): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(SIGNATURE.entry, 0)
  header.writeUInt16LE(VERSION, 4)
  header.writeUInt16LE(FLAGS, 6)
  header.writeUInt16LE(DEFLATED, 8)
  header.writeUInt32LE(time, 10)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function descriptor({ crc, bytes, packedBytes }: Entry): Buffer {
  const isLarge = Math.max(bytes, packedBytes) >= BEYOND_32
  const made = Buffer.alloc(isLarge ? 24 : 16)
  made.writeUInt32LE(SIGNATURE.descriptor, 0)
  made.writeUInt32LE(crc, 4)
  if (isLarge) {
    made.writeBigUInt64LE(BigInt(packedBytes), 8)
    made.writeBigUInt64LE(BigInt(bytes), 16)
  } else {
    made.writeUInt32LE(packedBytes, 8)
    made.writeUInt32LE(bytes, 12)
  }
  return made
}

function centralHeader({ name, at, crc, bytes, packedBytes }: Entry, time: number): Buffer {
  const large = [bytes, packedBytes, at].filter((value) => value >= BEYOND_32)
  const extra = Buffer.alloc(large.length === 0 ? 0 : 4 + large.length * 8)
  if (large.length > 0) {
    extra.writeUInt16LE(ZIP64_EXTRA, 0)
    extra.writeUInt16LE(large.length * 8, 2)
    for (const [index, value] of large.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + index * 8)
  }
  const version = large.length === 0 ? VERSION : VERSION64
  const header = Buffer.alloc(46)
  header.writeUInt32LE(SIGNATURE.central, 0)
  header.writeUInt16LE(version, 4)
  header.writeUInt16LE(version, 6)
  header.writeUInt16LE(FLAGS, 8)
  header.writeUInt16LE(DEFLATED, 10)
  header.writeUInt32LE(time, 12)
  header.writeUInt32LE(crc, 16)
  header.writeUInt32LE(Math.min(packedBytes, BEYOND_32), 20)
  header.writeUInt32LE(Math.min(bytes, BEYOND_32), 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt32LE(Math.min(at, BEYOND_32), 42)
  return Buffer.concat([header, name, extra])
}

function directoryEnd(entries: number, length: number, at: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(SIGNATURE.end, 0)
  end.writeUInt16LE(entries, 8)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(length, 12)
  end.writeUInt32LE(Math.min(at, BEYOND_32), 16)
  return at < BEYOND_32 ? end : Buffer.concat([directoryEnd64(entries, length, at), end])
}

function directoryEnd64(entries: number, length: number, at: number): Buffer {
  const made = Buffer.alloc(56 + 20)
  made.writeUInt32LE(SIGNATURE64.end, 0)
  made.writeBigUInt64LE(44n, 4)
  made.writeUInt16LE(VERSION64, 12)
  made.writeUInt16LE(VERSION64, 14)
  made.writeBigUInt64LE(BigInt(entries), 24)
  made.writeBigUInt64LE(BigInt(entries), 32)
  made.writeBigUInt64LE(BigInt(length), 40)
  made.writeBigUInt64LE(BigInt(at), 48)
  made.writeUInt32LE(SIGNATURE64.locator, 56)
  made.writeBigUInt64LE(BigInt(at + length), 64)
  made.writeUInt32LE(1, 72)
  return made
}

/** MS-DOS time in the low and date in the high half, in UTC; nothing before 1980. */
function dosTime(moment: Date): number {
  const date = moment.getUTCFullYear() < 1980 ? new Date(Date.UTC(1980, 0, 1)) : moment
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  return ((day << 16) | time) >>> 0
}
