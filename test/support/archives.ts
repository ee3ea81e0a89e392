/** Archives whose contents differ from what they declare; sound ones: workbooks.ts. */

import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly bytes: Uint8Array
  /** Data that is deflated already; `bytes` is then only what the headers claim. */
  readonly deflated?: Uint8Array
}

/** A ZIP archive of deflated entries, whose headers may be wrong. */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array {
  const files: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { name, bytes, deflated = deflateRawSync(bytes) } of entries) {
    const label = Buffer.from(name)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(deflated.length, 14)
    fields.writeUInt32LE(bytes.length, 18)
    fields.writeUInt16LE(label.length, 22)
    files.push(Buffer.from('PK\x03\x04'), fields, label, deflated)
    const central = Buffer.alloc(14)
    central.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, central, label)
    offset += 30 + label.length + deflated.length
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length & 0xffff, 4)
  end.writeUInt16LE(entries.length & 0xffff, 6)
  end.writeUInt32LE(size, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...files, ...directory, Buffer.from('PK\x05\x06'), end])
}

/**
 * A deflate stream that repeats a text, compressed only once: after a full flush nothing refers to earlier bytes, so the
 * compressed bytes can be repeated as they are.
 */
export function deflatedRepeatedly(text: string, times: number): Uint8Array {
  const block = deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([Buffer.alloc(block.length * times, block), Buffer.from([3, 0])])
}

/** A gzip file around a deflate stream; its checksum and length are wrong. */
export function gzipAround(deflated: Uint8Array): Uint8Array {
  return Buffer.concat([gzipSync('').subarray(0, 10), deflated, Buffer.alloc(8)])
}
