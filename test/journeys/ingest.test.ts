/** Ingesting with the real program: exit codes, reports, dry runs, saved definitions, messages. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cnp } from '../support/personal.ts'
import { tempDir } from '../support/temp-dir.ts'
import { izvor, JOURNEY_TIMEOUT, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

/** A folder with a file, and a function that ingests it. */
function prepare(content: string, name = 'somaj 2024.csv') {
  const folder = tempDir()
  const file = join(folder, name)
  const data = join(folder, 'data')
  writeFileSync(file, content)
  const args = (...more: string[]) => ['ingest', file, '--domain', 'economy', '--data', data, ...more]
  return { folder, file, data, args }
}

const COUNTIES = ['Alba', 'Arad', 'Argeș', 'Bacău', 'Bihor', 'Cluj', 'Iași', 'Timiș', 'Vaslui', 'Vrancea']
const TABLE = `Județ;Populație;Data\n${COUNTIES.map((county, i) => `${county};${i * 3};0${(i % 9) + 1}.03.2024\n`).join('')}`
const MESSY = `${TABLE}${'Giurgiu;7\n'.repeat(3)}${Array.from({ length: 12 }, (_, i) => `Ilfov;${i};01.03.2024\n`).join('')}Dolj;-;01.03.2024\n`

test('a dry run shows what would be served and why it would be refused, and changes nothing', async () => {
  const { args, data } = prepare(MESSY)
  const strict = ['--ragged', 'quarantine', '--max-quarantine', '5%', '--dry-run']
  const { code, stdout, stderr } = await izvor(args(...strict))
  expect(code).toBe(4)
  for (const part of [
    'economy/somaj_2024: dry run, it would be refused',
    'too_few_cells',
    'Giurgiu;7',
    "'populatie' is text and not integer because of 1 value: '-' (line 27); --null-values - makes it null",
    'Alba | Arad | Argeș',
  ])
    expect(stdout).toContain(part)
  expect(stderr).toContain('--max-quarantine')
  const allowed = await izvor(args('--ragged', 'quarantine', '--max-quarantine', '50%', '--dry-run'))
  expect(allowed.code).toBe(0)
  expect(allowed.stdout).toContain('to publish it')
  const advised = await succeed(
    args('--null-values', '-', '--null-values', 'n/a', '--max-quarantine', '50%', '--dry-run', '--json'),
  )
  expect(JSON.parse(advised).columns[1]).toMatchObject({ name: 'populatie', type: 'integer', null_count: 1 })
  expect(JSON.parse(await succeed(['datasets', 'list', '--data', data, '--json']))).toEqual([])
})

test('a file without a table is refused with a report of what was found', async () => {
  const { args } = prepare(`a,b\n"${'x,1\n'.repeat(4)}`)
  const { code, stdout, stderr } = await izvor(args('--json'))
  expect(code).toBe(4)
  const report = JSON.parse(stdout)
  expect(stderr).toContain(report.refusals[0].message)
  expect(report).toMatchObject({
    ...{ dataset: 'somaj_2024', domain: 'economy', version: null, dry_run: false, published: false },
    source: { file: 'somaj 2024.csv', bytes: 21, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ...{ dialect: null, columns: [], rows: { read: 0, blank: 0, imported: 0, quarantined: 0 } },
    refusals: [
      { kind: 'unreadable', message: expect.stringContaining('never closed'), override: '--quote none' },
    ],
  })
  const empty = await izvor(prepare('\n \n', 'blank.csv').args('--dry-run', '--json'))
  expect(empty.code).toBe(4)
  expect(JSON.parse(empty.stdout)).toMatchObject({ dry_run: true, refusals: [{ kind: 'unreadable' }] })
})

test('a refused ingest prints its report and its error, and ends with 4', async () => {
  const { args, data } = prepare(MESSY)
  const request = args('--ragged', 'quarantine', '--max-quarantine', '5%', '--json')
  const { code, stdout, stderr } = await izvor(request)
  expect(code).toBe(4)
  const report = JSON.parse(stdout)
  expect(report).toMatchObject({
    ...{ published: false, version: null, dry_run: false },
    refusals: [{ kind: 'quarantine', override: '--max-quarantine' }],
    quarantine: [{ reason: 'too_few_cells', count: 3 }],
  })
  expect(report.quarantine_sample[0]).toMatchObject({ line: 12, raw: 'Giurgiu;7' })
  expect(stderr).toMatch(/^izvor: Too many rows of the file cannot be read\. 3 of 26 rows/)
  expect(JSON.parse(await succeed(['datasets', 'list', '--data', data, '--json']))).toEqual([])
})

test('drift is said once, column by column, with the values that changed a type', async () => {
  const { args, file } = prepare(TABLE)
  await succeed(args())
  writeFileSync(file, TABLE.replace('Județ', 'Regiune').replaceAll(/;\d+;/g, ';x;'))
  const refused = await izvor(args('--dry-run'))
  expect(refused.code).toBe(4)
  const accepted = await izvor(args('--dry-run', '--accept-drift'))
  expect(accepted.code).toBe(0)
  for (const said of [
    "column 'populatie' was integer and is string now because of 1 value: 'x' (10 times, first on line 2)",
    "column 'regiune' (string) is new",
    "column 'judet' (string) is gone",
  ]) {
    expect([refused.stderr.includes(said), refused.stdout.includes(said)]).toEqual([true, false])
    expect([accepted.stderr.includes(said), accepted.stdout.includes(said)]).toEqual([false, true])
  }
})

test('a definition saved by a dry run publishes the same table, with the suggested canonical column', async () => {
  const { args, folder, file, data } = prepare(TABLE)
  const saved = join(folder, 'somaj.json')
  const dry = JSON.parse(await succeed(args('--dry-run', '--write-definition', saved, '--json')))
  const definition = JSON.parse(readFileSync(saved, 'utf8'))
  // The definition leaves out what can be read from the file again.
  const columns = [{ name: 'judet', canonical: 'counties' }, { name: 'populatie' }, { name: 'data' }]
  expect(definition).toEqual({ id: 'somaj_2024', domain: 'economy', title: 'somaj 2024', columns })
  const full = join(folder, 'full.json')
  await succeed(args('--dry-run', '--write-definition', full, '--full'))
  expect(JSON.parse(readFileSync(full, 'utf8'))).toMatchObject({
    read: { delimiter: ';', encoding: 'utf-8' },
  })
  const published = JSON.parse(
    await succeed(['ingest', file, '--definition', saved, '--data', data, '--json']),
  )
  const shape = (report: { columns: { name: string; type: string }[] }) =>
    report.columns.map(({ name, type }) => [name, type]).filter(([name]) => !name?.endsWith('_canonical'))
  expect(published).toMatchObject({ published: true, version: 1, rows: dry.rows })
  expect(shape(published)).toEqual(shape(dry))
  expect(published.columns.map(({ name }: { name: string }) => name)).toContain('judet_canonical')
  const again = await izvor(args('--write-definition', saved))
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('is not overwritten')])
})

describe('personal data', () => {
  const contacts = `email;nr\n${COUNTIES.map((_, i) => `nume.${i}@exemplu.ro;${i}\n`).join('')}`

  test('is published with a warning, or refused if a setting says so', async () => {
    const { args } = prepare(contacts)
    const warned = await succeed(args())
    expect(warned).toContain('warning: The column “email” seems to hold e-mail addresses (10 rows).')
    expect(warned).not.toContain('nume.1@')
    const env = { IZVOR_PERSONAL_DATA: 'strict' }
    const again = await succeed(args(), { env })
    expect(again).toContain('unchanged: version 1 has it already')
    expect(again).toContain(
      'warning: The file is published, but it would be refused today. The file seems to hold personal data.',
    )
    const refused = await izvor(args('--force'), { env })
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('--allow-personal-data')])
    await succeed(args('--allow-personal-data'), { env })
  })

  test('such as personal codes ends with exit code 4 until their columns are named', async () => {
    const { args } = prepare(`cod;nr\n${COUNTIES.map((_, i) => `${cnp(i)};${i}\n`).join('')}`)
    const refused = await izvor(args())
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('--allow-personal-data cod')])
    expect(refused.stdout + refused.stderr).not.toContain(cnp(3))
    await succeed(args('--allow-personal-data', 'cod'))
    expect(await succeed(args('--force'))).not.toContain('warning')
    expect(await succeed(args('--force', '--allow-personal-data'))).not.toContain('warning')
  })
})

test('printed reports contain no control characters, and wide texts are truncated', async () => {
  const wide = '数据'.repeat(200)
  const { args } = prepare(`a;b\n\u001b[2J${wide};1\n\u001b[31mx;2\n`)
  const { code, stdout, stderr } = await izvor(args('--dry-run', '--header-row', '1'))
  expect(code).toBe(0)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is about control characters
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  for (const line of stdout.split('\n').filter((text) => text.includes('数据')))
    expect(Bun.stringWidth(line)).toBeLessThan(140)
})

describe('messages name the mistake and its remedy, in one style', () => {
  const cases: [string, string[], number, RegExp][] = [
    [
      'an id with capitals',
      ['--id', 'Somaj 2024'],
      2,
      /^izvor: the id 'Somaj 2024' .*for example 'somaj_2024'/,
    ],
    ['an unknown option', ['--domian', 'x'], 2, /^izvor: unknown option '--domian'/],
    [
      'a share without a percent sign',
      ['--max-quarantine', '1'],
      2,
      /^izvor: --max-quarantine cannot be "1": .*1% or 100%/,
    ],
    [
      'a missing definition',
      ['--definition', 'none.json'],
      2,
      /none\.json cannot be read: it does not exist/,
    ],
    ['a definition that is a folder', ['--definition', '.'], 2, /\. cannot be read: it is a folder/],
    [
      'an invalid choice',
      ['--totals', 'drop'],
      2,
      /^izvor: option '--totals <what>'.*keep, leave_out, quarantine/,
    ],
  ]
  test.each(cases)('%s', async (_, more, exitCode, message) => {
    const { args, folder } = prepare(TABLE)
    const { code, stdout, stderr } = await izvor(args(...more), { cwd: folder })
    expect([code, stdout]).toEqual([exitCode, ''])
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/ENOENT|EISDIR|error:|\^\[a-z/)
  })

  test('a missing domain', async () => {
    const { file, data } = prepare(TABLE)
    const { code, stderr } = await izvor(['ingest', file, '--data', data])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--domain economy')])
  })

  test('a missing folder for the definition, before anything is read', async () => {
    const { args, folder, data } = prepare(TABLE)
    const { code, stderr } = await izvor(args('--write-definition', join(folder, 'no', 'x.json')))
    expect([code, stderr]).toEqual([2, expect.stringMatching(/no does not exist/)])
    expect(existsSync(join(data, 'datasets', 'somaj_2024'))).toBe(false)
  })

  test('a data folder below a file', async () => {
    const { file, folder } = prepare(TABLE)
    mkdirSync(join(folder, 'x'))
    const { code, stderr } = await izvor(['ingest', file, '--domain', 'd', '--data', join(file, 'data')])
    expect(code).toBe(1)
    expect(stderr).toStartWith('izvor: ')
    expect(stderr).not.toMatch(/ENOTDIR| {4}at /)
  })
})
