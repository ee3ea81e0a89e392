/** What an operator who is not a programmer sees: answers on the screen and commands to paste. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { startWebServer } from '../support/web-server.ts'
import { izvor, JOURNEY_TIMEOUT, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const TABLE = 'Județ;Șomeri;Rata\nALBA;12;1,5\nARAD;7;2,5\nIAȘI;31;3,1\n'

/** A file whose name a shell would split, and a data folder. */
function prepare(content: string) {
  const folder = tempDir()
  const file = join(folder, "Șomaj județe '24.csv")
  writeFileSync(file, content)
  const data = join(folder, 'data folder')
  return {
    folder,
    file,
    data,
    ingest: (...more: string[]) => izvor(['ingest', file, '--data', data, ...more]),
  }
}

/** The words into which a POSIX shell splits a command. */
function shellWords(command: string): string[] {
  const { stdout } = Bun.spawnSync(['sh', '-c', `printf '%s\\n' ${command}`])
  return stdout.toString().trimEnd().split('\n')
}

test('the command that a dry run prints can be pasted, with the file as given and the folder', async () => {
  const { folder, ingest, data } = prepare(TABLE)
  const saved = join(folder, 'somaj def.json')
  const more = ['--domain', 'economy', '--id', 'somaj', '--dry-run', '--write-definition', saved]
  const { stdout } = await ingest(...more)
  const line = stdout.split('\n').find((text) => text.startsWith('to publish it: '))
  const words = shellWords(line?.slice('to publish it: '.length) ?? '')
  await succeed(words.slice(words.indexOf('ingest')))
  expect(JSON.parse(await succeed(['datasets', 'list', '--json', '--data', data]))).toMatchObject([
    { id: 'somaj' },
  ])
})

test('a header of several rows is printed in the form that --header-row accepts', async () => {
  const { ingest } = prepare('Raport\n\nJudet;Total;;Rata\n;M;F;\nALBA;1;2;3,5\nARAD;4;5;6,5\nIASI;7;8;9,5\n')
  const { stdout } = await ingest('--domain', 'economy', '--id', 'x', '--dry-run', '--header-row', '3-4')
  expect(stdout).toContain('header in record 3-4 ')
})

test('refused rows are explained in plain words, in the report and in the quarantine', async () => {
  const { ingest, data } = prepare(`${TABLE}${'CLUJ;9;2,2\n'.repeat(20)}DOLJ;8\n`)
  const { stdout } = await ingest('--domain', 'economy', '--id', 'x', '--ragged', 'quarantine')
  expect(stdout).toMatch(/too_few_cells +1 +\d+ +fewer cells than the header/)
  expect(stdout).toMatch(/decimal_comma +rata +\d+ +3,5 read as 3\.5/)
  const listed = await succeed(['datasets', 'quarantine', 'x', '--data', data])
  expect(listed).toMatch(/1 +too_few_cells +fewer cells than the header/)
})

test('a column under another header is reported with its likely name, and a definition keeps its name', async () => {
  const { ingest, file, folder } = prepare(TABLE)
  await ingest('--domain', 'economy', '--id', 'somaj')
  writeFileSync(file, TABLE.replace('Șomeri', 'Someri?'))
  expect((await ingest('--id', 'somaj')).code).toBe(0)
  writeFileSync(file, TABLE.replace('Șomeri', 'Șome?i'))
  const { code, stderr } = await ingest('--id', 'somaj')
  expect(code).toBe(4)
  const entry = /perhaps 'someri' has another header now: (\{.*\}) under "columns"/.exec(stderr)?.[1]
  const definition = join(folder, 'somaj.json')
  // As an editor saves a file as "Unicode".
  writeFileSync(definition, `\ufeff{"id":"somaj","domain":"economy","columns":[${entry}]}`, 'utf16le')
  expect((await ingest('--definition', definition)).code).toBe(0)
})

test('a declared column that the file lacks is reported once', async () => {
  const { ingest, folder } = prepare(TABLE)
  await ingest('--domain', 'economy', '--id', 'somaj')
  const definition = join(folder, 'somaj.json')
  writeFileSync(
    definition,
    JSON.stringify({ id: 'somaj', domain: 'economy', columns: [{ name: 'judett' }, { name: 'sursa' }] }),
  )
  const { stdout, stderr } = await ingest('--definition', definition)
  expect(stderr).toContain('perhaps \'judett\' has another header now: {"name":"judett","source":"Județ"}')
  for (const name of ['judett', 'sursa']) {
    expect(`${stdout}${stderr}`.split(`the file has no column for '${name}'`)).toHaveLength(2)
    expect(`${stdout}${stderr}`).not.toContain(`'${name}' (string) is new`)
  }
})

test('show reports a refused refresh in full sentences, and says why there is nothing to refresh', async () => {
  const data = join(tempDir(), 'data')
  const publisher = { body: 'a,b\n1,2\n2,3\n' }
  const { url } = startWebServer(() => new Response(publisher.body))
  const input = publisher.body
  await succeed(['ingest', '-', '--id', 'local', '--domain', 'test', '--data', data], { input })
  expect((await izvor(['datasets', 'refresh', '--data', data])).stderr).toContain('from an address')
  await succeed(['ingest', `${url}/x.csv`, '--id', 'far', '--domain', 'test', '--data', data])
  publisher.body = 'a,other\n1,2\n2,3\n'
  expect((await izvor(['datasets', 'refresh', '--data', data])).code).toBe(4)
  const shown = await succeed(['datasets', 'show', 'far', '--data', data])
  expect(shown).toContain(
    "columns that are published: column 'other' (integer) is new; column 'b' (integer) is gone. Nothing",
  )
})
