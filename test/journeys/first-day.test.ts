/** An operator's first day: from a published file to an answered query. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IngestReport } from '../../src/publish/edition/compose-report.ts'
import { readDocument, shellCommands } from '../support/markdown.ts'
import { tempDir } from '../support/temp-dir.ts'
import { bodyOf, izvor, JOURNEY_TIMEOUT, mint, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

/**
 * A file as an office sends it: windows-1250, semicolons, padded cells, dotted dates, decimal commas, codes with leading
 * zeros, a blank line, two rows of the wrong width and a repeated spelling.
 */
const COUNTIES = ['Cluj', 'Iaşi', 'Bihor', 'Timiş', 'Argeş', 'Braşov']
function messyFile(): Uint8Array<ArrayBuffer> {
  const rows = Array.from({ length: 120 }, (_, i) => {
    const county = i % 3 === 0 ? ` ${COUNTIES[i % 6]}  ` : COUNTIES[i % 6]
    const note = i % 40 === 0 ? '"spune ""da""; apoi pleacă"' : i % 7 === 0 ? '' : `nota ${i}`
    return `${county};${String(i).padStart(5, '0')};${i},5;${String(1 + (i % 28)).padStart(2, '0')}.03.2024;${note}`
  })
  rows.splice(30, 0, '')
  rows.splice(60, 0, 'Total;120')
  rows.splice(90, 0, 'Cluj;x;lei;marti;a;b;c')
  const text = ['Judeţ;Cod unitate;Valoare (mii lei);Data;Observaţii', ...rows].join('\r\n')
  const high: Record<string, number> = { ş: 0xba, ţ: 0xfe, ă: 0xe3 }
  return Uint8Array.from(text, (c) => high[c] ?? c.charCodeAt(0))
}

async function ingestedFolder(): Promise<{ data: string; report: IngestReport }> {
  const folder = tempDir()
  const data = join(folder, 'data')
  const file = join(folder, 'Cheltuieli 2024.csv')
  writeFileSync(file, messyFile())
  const output = await succeed(['ingest', file, '--domain', 'economy', '--data', data, '--json'])
  return { data, report: JSON.parse(output) }
}

test('the dialect of a messy file is detected, and every row is accounted for', async () => {
  const { report } = await ingestedFolder()
  expect(report).toMatchObject({
    dataset: 'cheltuieli_2024',
    domain: 'economy',
    version: 1,
    published: true,
    dialect: { encoding: 'windows-1250', delimiter: ';' },
    rows: { read: 122, blank: 1, imported: 120, quarantined: 2 },
  })
  const types = report.columns.map(({ name, type }) => [name, type])
  expect(types).toEqual([
    ['judet', 'string'],
    ['cod_unitate', 'string'],
    ['valoare_mii_lei', 'decimal'],
    ['data', 'date'],
    ['observatii', 'string'],
  ])
})

test('the printed summary names the dataset, the rows, the repairs and the address', async () => {
  const folder = tempDir()
  const file = join(folder, 'c.csv')
  writeFileSync(file, messyFile())
  const output = await succeed(['ingest', file, '--domain', 'economy', '--data', join(folder, 'data')])
  for (const part of [
    'economy/c',
    '120 rows imported',
    '2 rows quarantined',
    'csv, windows-1250, delimiter ";", quote \'"\'',
    '/v1/economy/c',
  ]) {
    expect(output).toContain(part)
  }
  expect(output.split('\n').length).toBeLessThan(50)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a file must contain no colour codes
  expect(output).not.toMatch(/\u001b/)
})

test('refused rows can be read with line, reason and raw text', async () => {
  const { data } = await ingestedFolder()
  const rows = JSON.parse(
    await succeed(['datasets', 'quarantine', 'cheltuieli_2024', '--data', data, '--json']),
  )
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatchObject({ line: 62, raw: expect.stringContaining('Total') })
  const plain = await succeed(['datasets', 'quarantine', 'cheltuieli_2024', '--data', data])
  expect(plain).toContain('Total')
})

test('a client lists, filters, sorts, pages, exports and searches the ingested rows', async () => {
  const { data } = await ingestedFolder()
  const { secret } = await mint(data)
  const service = await serve(data)
  const list = async (query: string) =>
    bodyOf(await service.get(`/v1/economy/cheltuieli_2024${query}`, secret))

  const all = await list('')
  expect(all.pagination).toMatchObject({ total: 120, count: 50, has_next: true, next_offset: 50 })
  expect(all.data[0]).toMatchObject({
    judet: 'Cluj',
    cod_unitate: '00000',
    valoare_mii_lei: 0.5,
    data: '2024-03-01',
  })

  const filtered = await list(
    '?judet=iași&valoare_mii_lei[gte]=60&sort=-valoare_mii_lei&fields=judet,valoare_mii_lei',
  )
  expect(filtered.pagination.total).toBe(10)
  expect(filtered.data[0]).toEqual({ judet: 'Iaşi', valoare_mii_lei: 115.5 })

  const walked: string[] = []
  for (let next: string | null = '/v1/economy/cheltuieli_2024?cursor=start&limit=37'; next !== null; ) {
    const page = await bodyOf(await service.get(next, secret))
    walked.push(...page.data.map((row: { cod_unitate: string }) => row.cod_unitate))
    next = page.links.next === null ? null : page.links.next.replace(service.address, '')
  }
  expect(walked).toEqual(Array.from({ length: 120 }, (_, i) => String(i).padStart(5, '0')))

  const exported = await (await service.get('/v1/economy/cheltuieli_2024/export?judet=cluj', secret)).text()
  expect(exported.split('\r\n')[0]).toBe('judet,cod_unitate,valoare_mii_lei,data,observatii')
  expect(exported.trimEnd().split('\r\n')).toHaveLength(21)

  const found = await bodyOf(await service.get('/v1/search?q=cheltuieli', secret))
  expect(found.data.map((entry: { id: string }) => entry.id)).toEqual(['cheltuieli_2024'])
  expect((await fetch(`${service.address}/v1/datasets`)).status).toBe(401)
})

test('a dry run reports what would happen and publishes nothing', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  const file = join(folder, 'a.csv')
  writeFileSync(file, 'x,y\n1,2\n')
  const report = JSON.parse(
    await succeed(['ingest', file, '--domain', 'd', '--data', data, '--dry-run', '--json']),
  )
  expect(report).toMatchObject({ dry_run: true, published: false, rows: { imported: 1 } })
  expect(JSON.parse(await succeed(['datasets', 'list', '--data', data, '--json']))).toEqual([])
})

test('standard input is ingested like a file', async () => {
  const data = join(tempDir(), 'data')
  const args = ['ingest', '-', '--id', 'piped', '--domain', 'd', '--data', data, '--json']
  const report = JSON.parse(await succeed(args, { input: 'x,y\n1,2\n3,4\n' }))
  expect(report).toMatchObject({ dataset: 'piped', rows: { imported: 2 } })
})

test('too many refused rows end with exit code 4 and keep the served version', async () => {
  const { data } = await ingestedFolder()
  const file = join(data, '..', 'worse.csv')
  const good = 'Cluj;00001;1,5;01.03.2024;a\n'.repeat(60)
  const header = 'Judet;Cod unitate;Valoare (mii lei);Data;Observatii\n'
  writeFileSync(file, header + good + 'Cluj;1\n'.repeat(40))
  const refused = await izvor([
    'ingest',
    file,
    '--id',
    'cheltuieli_2024',
    '--domain',
    'economy',
    '--data',
    data,
  ])
  expect(refused.code).toBe(4)
  expect(refused.stdout).toContain('refused, nothing published')
  expect(refused.stderr).toContain('quarantine')
  const [served] = JSON.parse(await succeed(['datasets', 'list', '--data', data, '--json']))
  expect(served).toMatchObject({ version: 1, row_count: 120 })
})

test('changed columns end with exit code 4 and print the difference, unless the drift is accepted', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  const file = join(folder, 'a.csv')
  const args = ['ingest', file, '--domain', 'd', '--data', data]
  writeFileSync(file, 'x,y\n1,2\n')
  await succeed(args)
  writeFileSync(file, 'x,z\n1,zwei\n')
  const refused = await izvor(args)
  expect(refused.code).toBe(4)
  expect(refused.stderr).toMatch(/\by\b/)
  expect(refused.stderr).toMatch(/\bz\b/)
  const report = JSON.parse(await succeed([...args, '--accept-drift', '--json']))
  expect(report).toMatchObject({ version: expect.any(Number), published: true })
})

test('the commands of the README publish a file, mint a key and query the data', async () => {
  const { fences, text } = readDocument('README.md')
  const cwd = tempDir()
  const env = { IZVOR_DATA: join(cwd, 'data') }
  const lines = fences
    .find((fence) => fence.text.startsWith('printf'))!
    .text.trim()
    .split('\n')
  const [file, ...calls] = lines
  await Bun.spawn(['sh', '-c', file!], { cwd }).exited
  expect(calls.at(-1)).toBe('izvor serve')
  let output = ''
  for (const call of calls.slice(0, -1))
    output += await succeed(shellCommands(call)[0]!.slice(1), { cwd, env })
  const secret = /rok_\w+/.exec(output)![0]
  const service = await serve(env.IZVOR_DATA, ['serve'], { cwd })
  const asked = fences.find((fence) => fence.text.startsWith('curl'))!.text.match(/3000([^"]+)"/)![1]!
  expect((await bodyOf(await service.get(asked, secret))).data).toEqual([{ county: 'Cluj', vehicles: 120 }])
  const listed = [...text.matchAll(/^\| `(\/v1[^`]*)`/gm)].map((match) => match[1]!)
  expect(listed.length).toBeGreaterThan(3)
  for (const path of listed) expect([path, (await service.get(path, secret)).status]).toEqual([path, 200])
})
