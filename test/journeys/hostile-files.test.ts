/**
 * Files that do harm, on purpose or by accident, through the real program: each ends within seconds, in bounded memory,
 * with a clear message or a dataset; a refusal is recorded and leaves everything else in the data folder unchanged.
 */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { asNobody, canBeRefused, isRoot, NOBODY } from '../support/nobody.ts'
import { smallDisk } from '../support/small-disk.ts'
import { tempDir } from '../support/temp-dir.ts'
import {
  digests,
  expectHarmless,
  expectRefused,
  fileOf,
  replaceSample,
  serveSample,
  sharedSample,
} from './harm.ts'
import { izvor, succeed } from './program.ts'

/** "In seconds", on a busy machine. */
setDefaultTimeout(30_000)

const repeat = (text: string, times: number) => Buffer.alloc(text.length * times, text)
const numbered = (count: number, name: string) =>
  Array.from({ length: count }, (_, i) => `${name}${i}`).join()

/** Records in UTF-8, the first ones with an invalid byte. */
function brokenText(records: number, broken: number): Buffer {
  const header = Buffer.from('a,b\n')
  const record = Buffer.from('ș,ț\n')
  const wrong = Buffer.concat([Buffer.of(0xff), record.subarray(1)])
  return Buffer.concat([header, ...Array.from({ length: records }, (_, i) => (i < broken ? wrong : record))])
}

/** Functions, because some files are large. */
const REFUSED: readonly (readonly [name: string, make: () => string | Uint8Array, reason: RegExp])[] = [
  ['100,000 columns', () => `${numbered(100_000, 'c')}\n${numbered(100_000, '')}\n`, /100,000 cells.*16,384/],
  [
    'one line of 50 MB, one cell',
    () => Buffer.concat([Buffer.from('a,b\n'), repeat('x', 50_000_000)]),
    /row on line 2 has no end.*longer than 32 MB/,
  ],
  [
    'one line of 50 MB, 25 million cells',
    () => repeat('x,', 25_000_000),
    /25,000,001 cells|line of many megabytes/,
  ],
  ['50 MB of quotes', () => repeat('"', 50_000_001), /quote|line of many megabytes/],
  [
    '50 MB behind a quote that nothing closes',
    () => `a,b\n"${'x,y\n'.repeat(12_500_000)}`,
    /a quote is probably missing/,
  ],
  ['50 MB of empty lines', () => repeat('\n', 50_000_000), /no text/],
  ['a zero byte', () => 'a,b\n1,\0\n', /NUL byte at offset 6/],
  [
    'a lone surrogate',
    () => Buffer.from('\ufeffa,b\n1,\ud800\n', 'utf16le'),
    /1 of 1 rows .*\n1 x invalid_encoding, first on line 2; .*--encoding/,
  ],
  [
    'a wrong byte in 20 of 100 records of UTF-8',
    () => brokenText(100, 20),
    /20 of 100 rows .*\n20 x invalid_encoding, first on line 2; .*--encoding/,
  ],
  ['a byte order mark alone', () => '\ufeff', /no text|empty/],
]

const sample = sharedSample()

test.each(REFUSED.map(([name, make, reason]) => [name, { make, reason }] as const))(
  '%s: refused with the reason, and nothing is changed',
  async (_, { make, reason }) => {
    const served = await sample()
    expectRefused(await replaceSample(fileOf(make()), served.data), served, 4, reason)
  },
)

/** Strange tables that are still served. */
const SERVED: readonly (readonly [
  name: string,
  make: () => string | Uint8Array,
  columns: number,
  rows: number,
])[] = [
  ['10,000 equal names', () => `${Array(10_000).fill('nume').join()}\n${numbered(10_000, '')}\n`, 10_000, 1],
  ['NDJSON with lines of 1 MB', () => `{"text":"${'x'.repeat(1_000_000)}"}\n`.repeat(3), 1, 3],
  ['names of 100 KB', () => `${'a'.repeat(100_000)},${'b'.repeat(100_000)}\n1,2\n`, 2, 1],
  [
    'control characters in titles, names and cells',
    () =>
      '\x1b]0;title\x07\n\x1b[31mroșu\x1b[0m,b\x07,c\x08\x08,d\r\n\x1b[2J,2,\x01,\x9b31m\n1,2,3,4\n5,6,7,8\n',
    4,
    3,
  ],
  [
    '50,000 distinct cells of 1 KB',
    () =>
      `id,text\n${numbered(50_000, '').replaceAll(/(\d+),?/g, (_, id) => `${id},${id.padEnd(1000, 'y')}\n`)}`,
    2,
    50_000,
  ],
]

test.each(SERVED.map(([name, make, columns, rows]) => [name, { make, columns, rows }] as const))(
  '%s: served',
  async (_, { make, columns, rows }) => {
    const data = join(tempDir(), 'data')
    const ingest = ['ingest', fileOf(make()), '--id', 'sample', '--domain', 'test', '--data', data]
    const finished = await izvor([...ingest, '--json'])
    expectHarmless(finished)
    const report = JSON.parse(finished.stdout)
    expect(report).toMatchObject({ published: true, rows: { read: rows, imported: rows } })
    expect(report.columns).toHaveLength(columns)
    expect(readdirSync(join(data, 'tmp'))).toEqual(['gate.db'])
  },
)

test('invalid bytes in a few records of UTF-8 exclude only those records', async () => {
  const { data } = await serveSample()
  const finished = await replaceSample(fileOf(brokenText(100, 2)), data)
  expectHarmless(finished)
  expect(JSON.parse(finished.stdout)).toMatchObject({
    ...{ published: true, rows: { read: 100, imported: 98, quarantined: 2 } },
    quarantine: [{ reason: 'invalid_encoding', count: 2, first_line: 2 }],
  })
})

test('control characters are shown as plain text everywhere', async () => {
  const { data } = await serveSample()
  const file = fileOf(
    'titlu\x1b[31m\n\x1b[5mnume,b\x07\n\x1b[2J,x\nunu,2\x9b\ndoi\x1b[2J\n',
    'a\x1b[31mb.csv',
  )
  for (const args of [
    ['ingest', file, '--id', 'sample', '--data', data],
    ['ingest', file, '--id', 'sample', '--data', data, '--accept-drift'],
    [
      'ingest',
      file,
      '--id',
      'sample',
      '--data',
      data,
      '--accept-drift',
      '--max-quarantine',
      '90%',
      '--dry-run',
    ],
    ['ingest', file, '--id', 'sample', '--data', data, '--accept-drift', '--max-quarantine', '90%'],
    ['datasets', 'show', 'sample', '--data', data],
    ['datasets', 'quarantine', 'sample', '--data', data],
  ])
    expectHarmless(await izvor(args))
})

test('a folder, a cycle of links and a missing file are reported, and nothing changes', async () => {
  const served = await serveSample()
  const folder = tempDir()
  symlinkSync('loop', join(folder, 'loop'))
  expectRefused(await replaceSample(folder, served.data), served, 1, /is a folder, not a file/)
  expectRefused(await replaceSample(join(folder, 'loop'), served.data), served, 1, /loop/)
  expectRefused(await replaceSample(join(folder, 'none.csv'), served.data), served, 1, /does not exist/)
})

test('a file that this user cannot read is reported, and nothing changes', async () => {
  if (!canBeRefused) return console.log('skipped: run as root, and no other user is available')
  const folder = tempDir()
  chmodSync(folder, 0o755)
  const file = join(folder, 'private.csv')
  writeFileSync(file, 'a,b\n1,2\n', { mode: 0o000 })
  const data = join(folder, 'data')
  mkdirSync(data)
  if (isRoot) chownSync(data, NOBODY, NOBODY)
  await succeed(['ingest', '-', '--id', 'sample', '--domain', 'test', '--data', data], {
    input: 'a,b\n1,2\n',
    through: asNobody,
  })
  const served = { data, before: digests(data) }
  const finished = await replaceSample(file, data, { through: asNobody })
  expectRefused(finished, served, 1, /this user has no rights to it/)
})

test('a named pipe is read to its end, like a file', async () => {
  const { data } = await serveSample()
  const pipe = join(tempDir(), 'pipe')
  Bun.spawnSync(['mkfifo', pipe])
  const writer = Bun.spawn(['sh', '-c', 'printf "nume,valoare\\ntrei,3\\n" > "$0"', pipe])
  const finished = await replaceSample(pipe, data)
  await writer.exited
  expectHarmless(finished)
  expect(JSON.parse(finished.stdout)).toMatchObject({ published: true, rows: { imported: 1 } })
})

test.each([
  ['zero bytes', ['cat', '/dev/zero']],
  ['rows', ['yes', 'unu,1']],
])('%s without end: refused before the disk is full, which is empty again afterwards', async (_, endless) => {
  const disk = smallDisk(48)
  if (disk === null) return console.log('skipped: only root can make a small disk')
  const env = { IZVOR_DISK_FLOOR: '0' }
  const served = await serveSample(join(disk, 'data'), { env })
  const source = Bun.spawn(endless, { stdout: 'pipe', stderr: 'ignore' })
  const child = await izvor(['ingest', '-', '--id', 'sample', '--data', served.data], {
    input: source.stdout,
    env,
  })
  source.kill()
  expectRefused(child, served, 1, /more than \d+ bytes, half of what the disk of the data folder has/)
})

/** Lines of equal length, so that bytes give the number of rows. */
const LINE = 'nume,00001234567\n'

test('a file that grows while it is read is served as it was at one moment, or refused', async () => {
  const served = await serveSample()
  const file = fileOf(`nume,valoare\n${LINE.repeat(200_000)}`)
  let isOver = false
  const running = replaceSample(file, served.data).finally(() => {
    isOver = true
  })
  for (let added = 0; !isOver && added < 500; added++) {
    appendFileSync(file, LINE.repeat(1_000))
    await new Promise(setImmediate)
  }
  const finished = await running
  expectHarmless(finished)
  if (finished.code !== 0) return expect(digests(served.data)).toEqual(served.before)
  const { source, rows } = JSON.parse(finished.stdout)
  expect(rows.read).toBe((source.bytes - 'nume,valoare\n'.length) / LINE.length)
  const bytes = readFileSync(file).subarray(0, source.bytes)
  expect(source.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
})

test('a file that is truncated while it is read is served as it was at one moment, or refused', async () => {
  const served = await serveSample()
  const lines = 500_000
  const file = fileOf(`nume,valoare\n${LINE.repeat(lines)}`)
  let isOver = false
  const running = replaceSample(file, served.data).finally(() => {
    isOver = true
  })
  for (let cut = 1; !isOver && cut < lines; cut++) {
    truncateSync(file, 'nume,valoare\n'.length + LINE.length * (lines - cut))
    await new Promise(setImmediate)
  }
  const finished = await running
  expectHarmless(finished)
  if (finished.code !== 0) return expect(digests(served.data)).toEqual(served.before)
  const { source, rows } = JSON.parse(finished.stdout)
  expect(rows.read).toBe((source.bytes - 'nume,valoare\n'.length) / LINE.length)
})
