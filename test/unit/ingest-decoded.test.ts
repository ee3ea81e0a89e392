/** Decoding a file and reading its table are two steps, and the second can be repeated. */

import { expect, test } from 'bun:test'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReadOptions } from '../../src/read/definition/read-options.ts'
import { type DecodedSource, type DecodeOptions, decodeSource } from '../../src/read/source/decode-source.ts'
import { readTable } from '../../src/read/table/read-table.ts'
import { tempDir } from '../support/temp-dir.ts'
import { xlsx } from '../support/workbooks.ts'

/** Decodes bytes and removes the file, so that nothing can be converted again. */
async function decode(bytes: Uint8Array | string, options: DecodeOptions = {}) {
  const workFolder = tempDir()
  const path = join(tempDir(), 'source')
  writeFileSync(path, bytes)
  const source = { path, name: 'source', bytes: statSync(path).size }
  const decoded = await decodeSource({ source, workFolder, options })
  if (decoded.path !== path) rmSync(path)
  return { decoded, workFolder }
}

/** As another process would find it in a file. */
const stored = (decoded: DecodedSource) => JSON.parse(JSON.stringify(decoded)) as DecodedSource

async function read({ decoded, workFolder }: Awaited<ReturnType<typeof decode>>, asked: ReadOptions) {
  return await readTable(stored(decoded), { workFolder, definition: null, asked })
}

const namesOf = (table: Awaited<ReturnType<typeof read>>) => table.plan.columns.map(({ name }) => name)

test('an empty file is refused, and a file that is not a table is called what it is', async () => {
  await expect(decode('')).rejects.toThrow('is empty')
  await expect(decode('%PDF-1.7')).rejects.toThrow('source is a PDF document')
})

test('a workbook converted once can be read with one header and with another', async () => {
  const rows = [
    ['Județ', 'Populație'],
    ['nume', 'total'],
    ['Alba', 323_778],
    ['Arad', 410_143],
  ]
  const once = await decode(xlsx([{ name: 'Date', rows }]))
  expect(once.decoded).toMatchObject({ format: 'xlsx', sheet: 'Date', confidence: 1 })
  const first = await read(once, { header_row: 1 })
  // The first reading is still open.
  const second = await read(once, { header_row: 2, totals: 'quarantine' })
  expect([namesOf(first), first.records.rows]).toEqual([['judet', 'populatie'], 3])
  expect([namesOf(second), second.records.rows]).toEqual([['nume', 'total'], 2])
  expect(second.columns.map(({ typed }) => typed.type)).toEqual(['string', 'integer'])
  await first.records.close()
  await second.records.close()
})

test('text of another encoding, decoded once, can be read with one delimiter and with another', async () => {
  const bytes = Buffer.from('oraș;a,b\nIași;1,2\n'.replaceAll('ș', '\xba'), 'latin1')
  const once = await decode(bytes, { encoding: 'windows-1250' })
  for (const [delimiter, names] of [
    [';', ['oras', 'a_b']],
    [',', ['oras_a', 'b']],
  ] as const) {
    const table = await read(once, { delimiter, header_row: 1 })
    expect(namesOf(table)).toEqual([...names])
    await table.records.close()
  }
})
