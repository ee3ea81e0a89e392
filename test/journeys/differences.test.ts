/** An operator checks what a new version changed, which rows it refused, and which values a table did not know. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseRfc4180 } from '../support/rfc4180.ts'
import { tempDir } from '../support/temp-dir.ts'
import { izvor, JOURNEY_TIMEOUT, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const ID = 'vehicle_registry'
const HEADER = 'JUDET;CATEGORIE_NATIONALA;CATEGORIE_COMUNITARA;MARCA;DESCRIERE_COMERCIALA;TOTAL_VEHICULE'
const FIRST = [
  ...[
    'ALBA;AUTOTURISM;M1;VW;GOLF;3',
    'ALBA;AUTOTURISM;M1;VOLKSVAGEN;GOLF;1',
    'ARAD;AUTOTURISM;M1;DACIA;LOGAN;9',
  ],
  'ARAD;AUTOTURISM;M1;"DA""CIA, new";=1+1;many',
]
const SECOND = ['ALBA;AUTOTURISM;M1;VW;GOLF;4', 'ARAD;AUTOTURISM;M1;DACIA;LOGAN;9']

const parseCsv = (csv: string) => parseRfc4180(csv).map((record) => record.map(({ text }) => text))

async function publish(data: string, rows: readonly string[]): Promise<void> {
  const args = ['ingest', '-', '--id', ID, '--max-quarantine', '50%', '--data', data]
  await succeed(args, { input: `${HEADER}\n${rows.join('\n')}\n` })
}

test('diff compares the served version with the previous one, or any two kept versions', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, FIRST)
  const alone = await izvor(['datasets', 'diff', ID, '--data', data])
  expect(alone.code).toBe(1)
  expect(alone.stderr).toMatch(/no version of vehicle_registry before 1 is kept.*keep_versions/)

  await publish(data, SECOND)
  const text = await succeed(['datasets', 'diff', ID, '--data', data])
  expect(text).toMatch(/invalid_integer +1 +0/)
  expect(text).toContain('1 is in both, 2 gone, 1 new')
  const diff = JSON.parse(await succeed(['datasets', 'diff', ID, '--json', '--data', data]))
  expect(diff).toMatchObject({ dataset: ID, from: { version: 1, rows: 3 }, to: { version: 2, rows: 2 } })
  const turned = JSON.parse(await succeed(['datasets', 'diff', ID, '2', '1', '--json', '--data', data]))
  expect(turned).toMatchObject({ from: { version: 2 }, to: { version: 1 } })

  await succeed(['datasets', 'rollback', ID, '--data', data])
  const rolled = await izvor(['datasets', 'diff', ID, '--data', data])
  expect(rolled.code).toBe(1)
  expect(rolled.stderr).toContain(`datasets diff ${ID} 1 2`)
  const missing = await izvor(['datasets', 'diff', ID, '1', '7', '--data', data])
  expect(missing.stderr).toContain('version 7 of vehicle_registry is not kept; those that are: 2, 1')
  expect((await izvor(['datasets', 'diff', 'nothing', '--data', data])).stderr).toContain(
    'no dataset nothing',
  )
})

test('show lists the kept versions with rows, date and the hash of their source', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, FIRST)
  await publish(data, SECOND)
  const { versions } = JSON.parse(await succeed(['datasets', 'show', ID, '--json', '--data', data]))
  expect(versions).toMatchObject([
    { version: 2, served: true, rows: 2 },
    { version: 1, served: false, rows: 3, quarantined: 1 },
  ])
  const text = await succeed(['datasets', 'show', ID, '--data', data])
  for (const { source_sha256, imported_at } of versions) {
    expect(source_sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(text).toContain(source_sha256)
    expect(text).toContain(imported_at)
  }
})

test('quarantine counts rows by reason, and prints CSV with the exact raw text', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, FIRST)
  expect(await succeed(['datasets', 'quarantine', ID, '--data', data])).toMatch(
    /^rows +reason +that is\n +1 +invalid_integer +not a whole number\n/,
  )
  const csv = await succeed(['datasets', 'quarantine', ID, '--csv', '--data', data])
  expect(parseCsv(csv)).toEqual([
    ['line', 'column', 'reason', 'raw'],
    ['5', 'vehicle_count', 'invalid_integer', FIRST[3] as string],
  ])
  const both = await izvor(['datasets', 'quarantine', ID, '--csv', '--json', '--data', data])
  expect(both.code).toBe(2)
})

test('quarantine --csv prints all rows unless a limit is given', async () => {
  const data = join(tempDir(), 'data')
  const broken = Array.from({ length: 3000 }, (_, i) => `ALBA;AUTOTURISM;M1;VW;GOLF;x${i}`)
  const whole = broken.map((row) => row.replace(';x', ';'))
  await publish(data, [...broken, ...whole])
  const all = parseCsv(await succeed(['datasets', 'quarantine', ID, '--csv', '--data', data]))
  expect(all.slice(1).map((row) => row[3])).toEqual(broken)
  const few = await succeed(['datasets', 'quarantine', ID, '--csv', '--limit', '2', '--data', data])
  expect(parseCsv(few)).toEqual(all.slice(0, 3))
})

test('canonical lists the values missing from the table, with the line that adds each', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, FIRST)
  const args = ['datasets', 'canonical', ID, '--data', data]
  const text = await succeed(args)
  expect(text).toMatch(/rows known +2 of 3/)
  expect(text).toContain('Volkswagen,VOLKSVAGEN')

  const table = join(data, 'reference', 'manufacturers.csv')
  expect(await succeed([...args, '--copy-tables'])).toMatch(/reference table +\S+manufacturers\.csv\n/)
  writeFileSync(table, `${readFileSync(table, 'utf8')}Volkswagen,VOLKSVAGEN\n`)
  const again = await succeed([...args, '--copy-tables'])
  expect(again).toContain('ingest again')
  expect(readFileSync(table, 'utf8')).toEndWith('Volkswagen,VOLKSVAGEN\n')

  await publish(data, FIRST)
  const { columns } = JSON.parse(await succeed([...args, '--json']))
  expect(columns).toMatchObject([
    { column: 'manufacturer', own_table: true, rows: { unmatched: 0 }, unmatched: [] },
  ])
})
