import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { DamagedFileError } from '../../src/base/errors.ts'
import {
  countShared,
  gatherHashes,
  type HashedRows,
  hashEntries,
  holds,
  isSampled,
} from '../../src/publish/edition/row-hashes.ts'
import { diffVersions } from '../../src/publish/edition/version-diff.ts'
import { codeBlocks, readDictionary, textOfCode, VersionFile } from '../../src/store/files/open-version.ts'
import { openWorkplace, type Workplace, writeDefinition } from '../support/ingest.ts'
import { runs } from '../support/property-runs.ts'

const KEYED = { id: 'sample', domain: 'test', primary_key: ['a'] }

/** The difference between two kept versions of the sample. */
function diffOf({ catalog }: Workplace, from: number, to: number) {
  const open = (version: number) => {
    const record = catalog.record('sample', version)
    const file = catalog.versions('sample').find((kept) => kept.version === version)?.file
    if (record === undefined || file === undefined) throw new Error(`version ${version} is not kept`)
    return { record, file: VersionFile.open(file) }
  }
  const [earlier, later] = [open(from), open(to)]
  try {
    return diffVersions(earlier, later)
  } finally {
    earlier.file.close()
    later.file.close()
  }
}

test('columns added, removed or changed are distinguished, with what became of type, header and key', async () => {
  const place = openWorkplace()
  await place.ingest('a,b,c\n1,2,x\n2,3,y\n')
  const definition = writeDefinition({
    ...KEYED,
    columns: [{ name: 'a', source: 'A key' }, { name: 'b', type: 'string', required: true }, { name: 'd' }],
    other_columns: 'drop',
  })
  await place.ingest('A key,b,d\n1,2,true\n2,3,false\n', { definition, acceptDrift: true })
  const { columns, primary_key } = diffOf(place, 1, 2)
  expect(columns).toEqual({
    added: [{ name: 'd', type: 'boolean' }],
    removed: [{ name: 'c', type: 'string' }],
    changed: [
      { column: 'a', field: 'required', from: false, to: true },
      { column: 'a', field: 'source_name', from: 'a', to: 'A key' },
      { column: 'b', field: 'type', from: 'integer', to: 'string' },
      { column: 'b', field: 'required', from: false, to: true },
    ],
  })
  expect(primary_key).toEqual({ from: [], to: ['a'] })
})

test('white space around or within a header is not a change', async () => {
  const place = openWorkplace()
  await place.ingest(' Numar  total ,b\n1,2\n')
  await place.ingest('Numar total,b \n1,2\n')
  expect(diffOf(place, 1, 2).columns.changed).toEqual([])
})

test('shares of nulls and numbers of values that changed a lot are notable, others are not', async () => {
  const place = openWorkplace()
  const rows = (cells: (i: number) => string) => Array.from({ length: 100 }, (_, i) => cells(i)).join('\n')
  await place.ingest(`n,nulls,few,many\n${rows((i) => `${i},x,${i % 4}t,${i % 10}t`)}\n`)
  await place.ingest(`n,nulls,few,many\n${rows((i) => `${i},${i < 6 ? '' : 'x'},${i % 8}t,${i % 50}t`)}\n`)
  const { statistics } = diffOf(place, 1, 2)
  expect(statistics).toEqual([
    { column: 'n', null_share: { from: 0, to: 0 }, distinct: { from: 100, to: 100 }, notable: false },
    { column: 'nulls', null_share: { from: 0, to: 0.06 }, distinct: { from: 1, to: 1 }, notable: true },
    { column: 'few', null_share: { from: 0, to: 0 }, distinct: { from: 4, to: 8 }, notable: false },
    { column: 'many', null_share: { from: 0, to: 0 }, distinct: { from: 10, to: 50 }, notable: true },
  ])
})

test('quarantine and repairs are compared, 0 where one version has none; the source is named', async () => {
  const place = openWorkplace()
  const definition = writeDefinition({ ...KEYED, columns: [{ name: 'a', type: 'integer' }, { name: 'b' }] })
  const first = await place.ingest('a,b\n1, x\n2,y\nz,y\n', { definition, maxQuarantine: 1 })
  const second = await place.ingest('a,b\n1,x\n2,y\n2,z\n', { definition, maxQuarantine: 1 })
  const { quarantine, repairs, from, to, same_source } = diffOf(place, 1, 2)
  expect(quarantine).toEqual([
    { reason: 'invalid_integer', from: 1, to: 0 },
    { reason: 'duplicate_key', from: 0, to: 1 },
  ])
  expect(repairs).toEqual([{ column: 'b', kind: 'trimmed', from: 1, to: 0 }])
  expect(from).toMatchObject({ version: 1, rows: 2, quarantined: 1, source_sha256: first.source.sha256 })
  expect(to).toMatchObject({ version: 2, rows: 2, quarantined: 1, source_sha256: second.source.sha256 })
  expect(same_source).toBe(false)
})

test('removed, new, kept and changed keys are counted, with examples in row order', async () => {
  const place = openWorkplace()
  const definition = writeDefinition(KEYED)
  const table = (from: number, to: number, mark: (i: number) => string) =>
    `a,b\n${Array.from({ length: to - from }, (_, i) => `k${from + i},${mark(from + i)}`).join('\n')}\n`
  await place.ingest(
    table(0, 30, () => 'x'),
    { definition },
  )
  await place.ingest(
    table(12, 35, (i) => (i < 15 ? 'y' : 'x')),
    { definition },
  )
  const { overlap } = diffOf(place, 1, 2)
  expect(overlap.sampled).toBe(1)
  expect(overlap.rows).toEqual({ columns: ['a', 'b'], kept: 15, gone: 15, new: 8 })
  expect(overlap.keys).toEqual({
    ...{ columns: ['a'], kept: 18, gone: 12, new: 5, changed: 3 },
    examples: {
      gone: Array.from({ length: 10 }, (_, i) => ({ a: `k${i}` })),
      new: Array.from({ length: 5 }, (_, i) => ({ a: `k${30 + i}` })),
    },
  })
})

test('a key of several columns is one key: the same values in other pairs are other keys', async () => {
  const place = openWorkplace()
  const definition = writeDefinition({ ...KEYED, primary_key: ['a', 'b'] })
  await place.ingest('a,b,c\nx,1,p\ny,2,p\nz,1,p\n', { definition })
  await place.ingest('a,b,c\nx,2,p\ny,1,p\nz,1,p\n', { definition })
  expect(diffOf(place, 1, 2).overlap.keys).toMatchObject({
    ...{ kept: 1, gone: 2, new: 2, changed: 0 },
    examples: {
      gone: [
        { a: 'x', b: '1' },
        { a: 'y', b: '2' },
      ],
    },
  })
})

const cells = fc.constantFrom('', 'a', 'b', 'ab', 'ă')
const tables = fc.array(fc.tuple(cells, cells), { minLength: 1, maxLength: 30 })

test('rows in common are counted as often as both versions have them, for any rows', async () => {
  const place = openWorkplace()
  const write = (rows: readonly (readonly string[])[]) =>
    `id,x,y\n${rows.map((row) => `-,${row.join(',')}`).join('\n')}\n`
  await fc.assert(
    fc.asyncProperty(tables, tables, async (before, now) => {
      const first = await place.ingest(write(before), { acceptDrift: true })
      const second = await place.ingest(write(now), { acceptDrift: true })
      const { rows } = diffOf(place, first.version ?? 0, second.version ?? 0).overlap
      const left = now.map((row) => row.join())
      const kept = before.filter((row) => {
        const at = left.indexOf(row.join())
        if (at >= 0) left.splice(at, 1)
        return at >= 0
      }).length
      expect(rows).toMatchObject({ kept, gone: before.length - kept, new: now.length - kept })
    }),
    { numRuns: runs(40) },
  )
})

const encoder = new TextEncoder()

/** Rows of one column of texts, in blocks of three. */
function rowsOf(name: string, texts: readonly string[]): HashedRows {
  const parts = texts.map((text) => encoder.encode(text))
  const offsets = new Uint32Array(parts.length + 1)
  for (const [i, part] of parts.entries()) offsets[i + 1] = (offsets[i] as number) + part.length
  const codes = Uint32Array.from(texts, (_, i) => i + 1)
  const lane = {
    hashes: hashEntries(name, Buffer.concat(parts), offsets),
    *blocks() {
      for (let from = 0; from < codes.length; from += 3) yield codes.subarray(from, from + 3)
    },
  }
  return { rows: texts.length, lanes: () => [lane] }
}

test('for large tables both versions compare the same hashes, in any row order', () => {
  const texts = fc.uniqueArray(fc.string({ unit: 'grapheme', maxLength: 6 }), { minLength: 1, maxLength: 80 })
  fc.assert(
    fc.property(texts, fc.constantFrom(2, 4, 8), (values, step) => {
      const all = gatherHashes(rowsOf('a', values), 1)
      const some = gatherHashes(rowsOf('a', [...values].reverse()), step)
      expect([...some]).toEqual([...all.filter((hash) => isSampled(hash, step))])
      expect(countShared(all, some)).toBe(some.length)
      expect(values.length).toBe(all.length)
      for (const hash of all) expect(holds(some, hash)).toBe(isSampled(hash, step))
    }),
  )
})

test('a column reads the same block by block as whole, for every width of codes', async () => {
  const place = openWorkplace()
  const rows = 300_000
  const lines = Array.from({ length: rows }, (_, i) => `${i % 7},${i % 900}x,${i % 70_000}y`)
  await place.ingest(`one,two,four\n${lines.join('\n')}\n`)
  const file = VersionFile.open(place.catalog.find('sample')?.file ?? '')
  try {
    expect(file.columns.map(({ codeWidth }) => codeWidth)).toEqual([1, 2, 4])
    for (const [position, texts] of [
      [1, (i: number) => `${i % 900}x`] as const,
      [2, (i: number) => `${i % 70_000}y`] as const,
    ]) {
      const dictionary = readDictionary(file, position)
      const blocks = Array.from(codeBlocks(file, position), (codes) => codes.slice())
      expect(blocks.map(({ length }) => length)).toEqual([262_144, rows - 262_144])
      const codes = blocks.flatMap((block) => [...block])
      expect(codes.every((code, row) => textOfCode(dictionary, code) === texts(row))).toBe(true)
    }
  } finally {
    file.close()
  }
})

test('the difference, too, reports a version file that lost bytes as damaged', async () => {
  const place = openWorkplace()
  await place.ingest('a\nx\n')
  await place.ingest('a\ny\n')
  const earlier = place.catalog.versions('sample').find(({ served }) => !served)?.file ?? ''
  await Bun.write(earlier, (await Bun.file(earlier).bytes()).subarray(0, 9000))
  expect(() => diffOf(place, 1, 2)).toThrow(DamagedFileError)
})
