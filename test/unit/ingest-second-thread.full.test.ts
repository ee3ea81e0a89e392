/** Two threads encode a large file's columns: only the time may differ. */

import { expect, test } from 'bun:test'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { sha256File } from '../../src/base/crypto/sha256.ts'
import { CommandError } from '../../src/base/errors.ts'
import { encodeRecords } from '../../src/read/cells/encode.ts'
import type { EncodedRecords } from '../../src/read/cells/encoded-records.ts'
import { lanesElsewhere, SECOND_THREAD_FROM_BYTES, SecondThread } from '../../src/read/cells/second-thread.ts'
import type { IngestProgress } from '../../src/read/report/progress.ts'
import { NO_HEADER } from '../../src/read/structure/header.ts'
import { Catalog } from '../../src/store/catalog/catalog.ts'
import { withoutSettings } from '../support/child-environment.ts'
import { encodeText } from '../support/encode-text.ts'
import { openWorkplace } from '../support/ingest.ts'
import { smallDisk } from '../support/small-disk.ts'
import { tempDataDir, tempDir } from '../support/temp-dir.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']

/** Encodes a text without a header line. */
function encode(text: string, secondThreadFrom: number, workFolder = tempDir()): Promise<EncodedRecords> {
  const path = join(tempDir(), 'text')
  writeFileSync(path, text)
  return encodeRecords({
    ...{ path, workFolder, from: 0, secondThreadFrom, keepPlaces: true, ragged: null, isHeaderAsked: false },
    separators: { delimiter: 0x2c, quote: 0x22 },
    header: { ...NO_HEADER, cells: NAMES, blankBefore: 0, end: 0, nextLine: 1 },
    cells: NAMES.map((_, cell) => cell),
    rules: { totals: 'keep', footnotes: 'quarantine', areObjects: false },
    onBlock: () => {},
  })
}

/** Everything that later steps read of the records. */
function contentOf(records: EncodedRecords) {
  const columns = records.tables.map((table, lane) => {
    const { heap, offsets } = table.entries()
    const ids = [...records.idsOf(lane)].length === 0 ? [] : Array.from(records.idsOf(lane), (b) => [...b])
    return { heap: Buffer.from(heap).toString(), offsets: [...offsets], count: table.count, ids }
  })
  const { rows, blank, strayQuotes, quarantine } = records
  const places = [...records.placesOf(new Uint16Array(rows).fill(1))]
  return { columns, rows, blank, strayQuotes, quarantine: quarantine.counts(), places }
}

/** Records of several blocks: quotes, doubled quotes, stray ones, blanks, wrong widths, cells longer than a buffer. */
function mixedText(): string {
  const lines: string[] = []
  for (let i = 0; i < 30_000; i++) {
    lines.push(
      `${i},${i % 7},"say ""${i % 1000}""",${i % 3 === 0 ? '' : `word ${i * 7919}`},"x"y,ăîș ${i % 500}`,
    )
    if (i % 5000 === 0) lines.push('', '1,2,3', `${i},"${'long\n'.repeat(i * 20)}",,,,end`)
  }
  return `${lines.join('\n')}\n`
}

async function failureOf(work: Promise<unknown>): Promise<CommandError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof CommandError)) throw error ?? new Error('nothing failed')
  return error
}

test.skipIf(availableParallelism() < 2)('a second thread helps only with large files', () => {
  expect(lanesElsewhere(6, SECOND_THREAD_FROM_BYTES - 1, SECOND_THREAD_FROM_BYTES)).toEqual([])
  expect(lanesElsewhere(6, SECOND_THREAD_FROM_BYTES, SECOND_THREAD_FROM_BYTES)).toEqual([1, 2, 3, 5])
  expect(lanesElsewhere(1, SECOND_THREAD_FROM_BYTES, SECOND_THREAD_FROM_BYTES)).toEqual([])
})

test('two threads give the same result as one', async () => {
  const text = mixedText()
  const alone = await encode(text, Number.POSITIVE_INFINITY)
  const together = await encode(text, 0)
  expect(contentOf(together)).toEqual(contentOf(alone))
  expect(alone.rows).toBeGreaterThan(30_000)
  await alone.close()
  await together.close()
})

test('a large file that turns out not to be UTF-8 far from its start is read in its encoding', async () => {
  const line = 'Alba Iulia,some text that fills the line,1,2,3,4,5,6,7,8\n'
  const lines = Math.ceil((SECOND_THREAD_FROM_BYTES * 1.1) / line.length)
  const late = 'Băile Câmpina,lângă pădure în împrejurimi,1,2,3,4,5,6,7,8\n'.repeat(20)
  const text = `town,about,c,d,e,f,g,h,i,j\n${line.repeat(lines)}${late}`
  const bytes = encodeText(late, 'windows-1250')
  const file = Buffer.concat([Buffer.from(text.slice(0, -late.length)), bytes])
  expect(file.length).toBeGreaterThan(SECOND_THREAD_FROM_BYTES)
  const place = openWorkplace()
  const report = await place.ingest(file)
  expect(report.dialect).toMatchObject({ encoding: 'windows-1250' })
  expect(report.rows).toMatchObject({ imported: lines + 20, quarantined: 0 })
  expect(report.source.sha256).toBe(new Bun.CryptoHasher('sha256').update(file).digest('hex'))
  const rows = place.rows()
  expect(rows[0]).toMatchObject({ town: 'Alba Iulia', about: 'some text that fills the line', j: 8 })
  expect(rows.at(-1)).toMatchObject({ town: 'Băile Câmpina', about: 'lângă pădure în împrejurimi', j: 8 })
})

test('a second thread that dies fails the ingest at any point', async () => {
  const aside = new SecondThread({ seed: 1, cells: [0], spillPath: join(tempDir(), 'rows') })
  aside.kill()
  const { kind, message } = await failureOf(aside.seal())
  expect(kind).toBe('failed')
  expect(message).toContain('a thread of the ingest failed')
  expect((await failureOf(aside.ready())).message).toBe(message)
  await aside.stop()
})

test('a second thread that dies while sorting or hashing fails the ingest too', async () => {
  const thread = new SecondThread({ seed: 1, cells: [0], spillPath: join(tempDir(), 'rows') })
  await thread.seal()
  const sorted = thread.sort('integer', { heap: Buffer.from('12'), offsets: new Uint32Array([0, 1, 2]) })
  expect([...(await sorted).order]).toEqual([0, 1])
  const hash = thread.hash('/dev/zero')
  const order = thread.sort('integer', { heap: Buffer.from('1'), offsets: new Uint32Array([0, 1]) })
  thread.kill()
  expect((await failureOf(order)).message).toContain('a thread of the ingest failed')
  expect((await failureOf(hash)).kind).toBe('failed')
  await thread.stop()
})

test('a caller that gives up does not wait for the second thread', async () => {
  const thread = new SecondThread({ seed: 1, cells: [0], spillPath: join(tempDir(), 'rows') })
  await thread.seal()
  // Never ends.
  void thread.hash('/dev/zero')
  await thread.stop()
})

/** Texts, numbers, dates and marks of many values, with repairs among them. */
function manyValues(rows: number, filler = ''): string {
  const lines = ['name,amount,day,code,note,share,filler']
  for (let i = 0; i < rows; i++) {
    const spread = (i * 7919) % rows
    const day = new Date(Date.UTC(1990, 0, 1 + (spread % 9000))).toISOString().slice(0, 10)
    lines.push(
      `"Satul ${spread % 3000}, ${spread}",${spread - rows / 2},${day},0${spread},"${i % 3 === 0 ? '' : `Ș ${spread}`}",${spread / 8},${filler}`,
    )
  }
  return `${lines.join('\n')}\n`
}

/** Enough for two threads. */
function largeText(): string {
  return manyValues(40_000, 'x'.repeat(SECOND_THREAD_FROM_BYTES / 40_000))
}

/** Ingests a file from the command line. @returns the hash of the version file, and of the source */
function ingestBeside(file: string, prefix: readonly string[]): (string | undefined)[] {
  const dataDir = tempDataDir()
  const main = join(import.meta.dir, '../../src/main.ts')
  const options = ['--id', 'sample', '--domain', 'test', '--data', dataDir.root, '--json']
  const command = [...prefix, process.execPath, main, 'ingest', file, ...options]
  const { stdout, stderr, success } = Bun.spawnSync(command, { env: withoutSettings() })
  if (!success) throw new Error(stderr.toString())
  const catalog = Catalog.open(dataDir)
  try {
    return [catalog.find('sample')?.sha256, JSON.parse(stdout.toString()).source.sha256]
  } finally {
    catalog.close()
  }
}

test.skipIf(Bun.which('taskset') === null || availableParallelism() < 2)(
  'the version file is identical byte for byte on one core, where there is no second thread',
  () => {
    const file = join(tempDir(), 'sample.csv')
    const text = largeText()
    writeFileSync(file, text)
    expect(statSync(file).size).toBeGreaterThan(SECOND_THREAD_FROM_BYTES)
    const together = ingestBeside(file, [])
    expect(together).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), sha256File(file).sha256])
    expect(ingestBeside(file, ['taskset', '-c', '0'])).toEqual(together)
  },
)

test('a file that is gone before it is hashed counts as changed while it was read', async () => {
  for (const text of [manyValues(500), largeText()]) {
    const place = openWorkplace()
    const file = join(tempDir(), 'vanishing.csv')
    writeFileSync(file, text)
    const onProgress = ({ phase }: IngestProgress) => {
      if (phase === 'writing') rmSync(file, { force: true })
    }
    const ingest = place.ingestPath(file, { id: 'sample', domain: 'test', onProgress })
    const { kind, message } = await failureOf(ingest)
    expect(kind).toBe('failed')
    expect(message).toContain('vanishing.csv was changed while it was read')
    expect(place.catalog.find('sample')).toBeUndefined()
  }
})

test('an error in the second thread fails the ingest', async () => {
  const spillPath = join(tempDir(), 'rows')
  writeFileSync(spillPath, 'in the way')
  const thread = new SecondThread({ seed: 1, cells: [0], spillPath })
  const { kind, message } = await failureOf(thread.seal())
  expect(kind).toBe('failed')
  expect(message).toMatch(/a thread of the ingest failed: EEXIST[^\n]*$/)
  expect(readFileSync(spillPath, 'utf8')).toBe('in the way')
  await thread.stop()
})

test('a full disk under the second thread is reported as full', async () => {
  const disk = smallDisk(2)
  if (disk === null) return console.warn('no small disk can be made here: the test did not run')
  const text = Array.from({ length: 300_000 }, (_, i) => `1,${i},${i},${i},1,${i}\n`).join('')
  const { kind, message } = await failureOf(encode(text, 0, disk))
  expect(kind).toBe('failed')
  expect(message).toBe(
    `The service has no room left on its disk. Published data stays published. Make room there first. (${disk})`,
  )
})

test('refusing a file midway ends the second thread too', async () => {
  const { kind, message } = await failureOf(encode(`${mixedText()}1,"never closed`, 0))
  expect(kind).toBe('refused')
  expect(message).toContain('is never closed')
})
