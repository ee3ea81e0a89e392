import { expect, test } from 'bun:test'
import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { CommandError, DamagedFileError } from '../../src/base/errors.ts'
import { VersionFile, verifyVersionFile } from '../../src/store/files/open-version.ts'
import { VersionWriter } from '../../src/store/files/write-version.ts'
import { runs } from '../support/property-runs.ts'
import { tempDir } from '../support/temp-dir.ts'
import { writeSample } from '../support/version.ts'

const MB = 1 << 20

function randomBytes(length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let i = 0, state = seed + 1; i < length; i++) {
    state = (state * 1103515245 + 12345) >>> 0
    bytes[i] = state >>> 24
  }
  return bytes
}

function writeCodes(
  path: string,
  codes: Uint8Array | Iterable<Uint8Array>,
): { bytes: number; sha256: string } {
  const writer = new VersionWriter(path)
  writer.writeColumn(0, { name: 'county', type: 'string', distinct: 0, nullCount: 0, codeWidth: 1 })
  writer.writeSegment(0, 'codes', codes)
  return writer.finish({ dataset: 'd', domain: 'economy', version: 1, rows: 0 })
}

function readCodes(path: string): Uint8Array {
  const file = VersionFile.open(path)
  try {
    return file.read(0, 'codes')
  } finally {
    file.close()
  }
}

test('a segment reads back byte for byte, however it was cut into chunks', () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 3 * MB }), { maxLength: 4 })
  fc.assert(
    fc.property(lengths, (chunkLengths) => {
      const path = join(tempDir(), 'v.db')
      const chunks = chunkLengths.map((length, seed) => randomBytes(length, seed))
      writeCodes(path, chunks)
      expect(Buffer.concat(chunks).equals(readCodes(path))).toBe(true)
      rmSync(path)
    }),
    { numRuns: runs(12) },
  )
})

test('the caller may reuse a chunk as soon as it was handed over', () => {
  const path = join(tempDir(), 'v.db')
  const chunk = new Uint8Array(100)
  function* fillAgain() {
    for (let value = 1; value <= 3; value++) yield chunk.fill(value)
  }
  writeCodes(path, fillAgain())
  expect([...readCodes(path)]).toEqual([1, 2, 3].flatMap((value) => Array(100).fill(value)))
})

test('columns, their layout and the refused rows are kept as given', () => {
  const path = join(tempDir(), 'v.db')
  const writer = new VersionWriter(path)
  const info = { name: 'b', type: 'integer', distinct: 7, nullCount: 2, codeWidth: 2 } as const
  writer.writeColumn(1, info)
  writer.writeSegment(1, 'codes', new Uint8Array(10))
  writer.writeColumn(0, { ...info, name: 'a' })
  writer.writeSegment(0, 'codes', new Uint8Array(10))
  writer.writeSegment(0, 'heap', new Uint8Array(0))
  const refused = Array.from({ length: 700 }, (_, line) => ({
    line: line + 1,
    column: line % 2 ? 'a' : null,
    reason: 'not_a_number',
    raw: `ș\0;"${line}`,
  }))
  writer.writeQuarantine(refused)
  writer.finish({ dataset: 'd', domain: 'economy', version: 4, rows: 5 })

  const file = VersionFile.open(path)
  expect(file.rows).toBe(5)
  expect(file.columns).toEqual([
    { ...info, name: 'a', segments: { codes: 10, heap: 0 } },
    { ...info, segments: { codes: 10 } },
  ])
  expect([...file.quarantine()]).toEqual(refused)
  file.close()
})

test('the size and SHA-256 that finish returns are those of the file on disk, which no other user may read', () => {
  const path = join(tempDir(), 'v.db')
  const { bytes, sha256 } = writeCodes(path, new Uint8Array(2 * MB))
  const content = readFileSync(path)
  expect(bytes).toBe(content.length)
  expect(sha256).toBe(new Bun.CryptoHasher('sha256').update(content).digest('hex'))
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('an intact file verifies, but only against its own catalog hash', () => {
  const path = join(tempDir(), 'v.db')
  const { sha256 } = writeSample(path)
  verifyVersionFile(path)
  verifyVersionFile(path, sha256)
  expect(() => verifyVersionFile(path, 'ab'.repeat(32))).toThrow(/SHA-256/)
})

test('a changed byte is either noticed when read or lies where nothing is read; the hash notices all', () => {
  const path = join(tempDir(), 'v.db')
  const codes = randomBytes(3 * MB, 5)
  const { sha256 } = writeCodes(path, codes)
  const sound = readFileSync(path)
  let noticed = 0
  fc.assert(
    fc.property(fc.nat(sound.length - 1), (at) => {
      const changed = Buffer.from(sound)
      changed[at] = (changed[at] ?? 0) ^ 0x10
      writeFileSync(path, changed)
      expect(() => verifyVersionFile(path, sha256)).toThrow(DamagedFileError)
      try {
        expect(Buffer.from(codes).equals(readCodes(path))).toBe(true)
      } catch (error) {
        expect(error).toBeInstanceOf(DamagedFileError)
        noticed++
      }
    }),
    // Always the same number: how many of them were noticed is judged below.
    { numRuns: 40 },
  )
  expect(noticed).toBeGreaterThan(20)
})

test('the error for a damaged part names file, column and segment', () => {
  const path = join(tempDir(), 'v.db')
  writeCodes(path, randomBytes(3 * MB, 5))
  const sound = readFileSync(path)
  const changed = Buffer.from(sound)
  changed.fill(0x55, 1.5 * MB + 1000, 1.5 * MB + 1100)
  writeFileSync(path, changed)
  const file = VersionFile.open(path)
  const reading = () => file.read(0, 'codes')
  expect(reading).toThrow(DamagedFileError)
  expect(reading).toThrow(`${path} is damaged: column county, segment codes: part`)
  file.close()
})

test('swapped parts are detected', () => {
  const path = join(tempDir(), 'v.db')
  writeCodes(path, randomBytes(2 * MB, 9))
  const database = new Database(path)
  database.exec(
    'UPDATE part SET id = 9 WHERE id = 1; UPDATE part SET id = 1 WHERE id = 2; UPDATE part SET id = 2 WHERE id = 9',
  )
  database.close()
  expect(() => readCodes(path)).toThrow(/part 1 fails its checksum/)
})

test('a lost part, a changed header and lost quarantine rows are noticed', () => {
  const damage: [string, RegExp][] = [
    ['DELETE FROM part WHERE id = 2', /part 2 is missing/],
    [`UPDATE header SET json = replace(json, '"rows":0', '"rows":9')`, /header fails its checksum/],
    ['DELETE FROM header', /no header/],
    ['DROP TABLE header', /no such table/],
    [`INSERT INTO quarantine VALUES (1, 1, NULL, 'r', 'raw')`, /quarantine holds 1 of 0 rows/],
  ]
  for (const [sql, message] of damage) {
    const path = join(tempDir(), 'v.db')
    writeCodes(path, randomBytes(2 * MB, 1))
    const database = new Database(path)
    database.exec(sql)
    database.close()
    expect(() => verifyVersionFile(path)).toThrow(DamagedFileError)
    expect(() => verifyVersionFile(path)).toThrow(message)
  }
})

test('a file that is missing, empty, truncated or not a database is damaged, whichever way it is read', () => {
  const folder = tempDir()
  const open = (name: string) => () => VersionFile.open(join(folder, name)).verify()
  writeFileSync(join(folder, 'empty.db'), '')
  writeFileSync(join(folder, 'text.db'), 'county;value\n'.repeat(5000))
  writeCodes(join(folder, 'short.db'), randomBytes(2 * MB, 3))
  const file = openSync(join(folder, 'short.db'), 'r+')
  ftruncateSync(file, MB)
  closeSync(file)
  for (const name of ['missing.db', 'no-folder/1.db', 'empty.db', 'text.db', 'short.db']) {
    expect(open(name)).toThrow(DamagedFileError)
  }
  expect(open('missing.db')).toThrow(/the file is missing/)
})

test('a reader keeps a file that is deleted while it is open', () => {
  if (process.platform === 'win32') return
  const path = join(tempDir(), 'v.db')
  const codes = randomBytes(2 * MB, 8)
  writeCodes(path, codes)
  const file = VersionFile.open(path)
  rmSync(path)
  expect(Buffer.from(codes).equals(file.read(0, 'codes'))).toBe(true)
  file.close()
})

test('an aborted file is deleted, and errors of the chunk source pass through', () => {
  const path = join(tempDir(), 'v.db')
  const writer = new VersionWriter(path)
  writer.writeColumn(0, { name: 'a', type: 'string', distinct: 0, nullCount: 0, codeWidth: 1 })
  const broken = new Error('source broke')
  expect(() =>
    writer.writeSegment(
      0,
      'codes',
      (function* () {
        yield new Uint8Array(10)
        throw broken
      })(),
    ),
  ).toThrow(broken)
  writer.abort()
  writer.abort()
  expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined()
})

test('a version file never overwrites an existing one', () => {
  const path = join(tempDir(), 'v.db')
  const { sha256 } = writeSample(path)
  expect(() => new VersionWriter(path)).toThrow(CommandError)
  verifyVersionFile(path, sha256)
})

test('a file of a later format is refused by its number', () => {
  const path = join(tempDir(), 'v.db')
  writeSample(path)
  const database = new Database(path)
  const { json } = database.prepare<[], { json: string }>('SELECT json FROM header').get() ?? { json: '{}' }
  const later = json.replace('"format":1', '"format":99')
  database
    .prepare('UPDATE header SET json = ?, checksum = ?')
    .run(later, Bun.hash.xxHash64(later, 0n).toString(16))
  database.close()
  expect(() => VersionFile.open(path)).toThrow(/format 99 is unknown/)
})
