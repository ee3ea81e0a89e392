/** Files inside gzip and ZIP: what is read, what is refused, and that nothing harms the process. */

import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { convertBytes, refusalOf } from '../support/converted.ts'
import { openWorkplace } from '../support/ingest.ts'
import { ods, xlsx, zip } from '../support/workbooks.ts'

const CSV = 'id,name\n1,Cluj\n2,Alba\n'
const ROWS = [
  { id: 1, name: 'Cluj' },
  { id: 2, name: 'Alba' },
]
const JSON_TEXT = JSON.stringify(ROWS)
const NDJSON = ROWS.map((row) => JSON.stringify(row)).join('\n')
const SHEET = {
  name: 'Data',
  rows: [
    ['id', 'name'],
    [1, 'Cluj'],
    [2, 'Alba'],
  ],
}

test('every format is read inside gzip and ZIP, and the file is hashed as it came', async () => {
  const contents = { csv: CSV, json: JSON_TEXT, ndjson: NDJSON, xlsx: xlsx([SHEET]), ods: ods([SHEET]) }
  for (const [format, content] of Object.entries(contents)) {
    for (const wrapped of [new Uint8Array(gzipSync(content)), zip({ 'folder/data.txt': content })]) {
      const workplace = openWorkplace()
      const { dialect, source } = await workplace.ingest(wrapped)
      expect(dialect.format).toBe(format as 'csv')
      expect(workplace.rows()).toEqual(ROWS)
      expect(source.sha256).toBe(new Bun.CryptoHasher('sha256').update(wrapped).digest('hex'))
    }
  }
})

test('delimited text in an archive keeps its own encoding and dialect', async () => {
  const bytes = Buffer.from('nume;oraș\n1;Iași\n'.replaceAll('ș', '\xba'), 'latin1')
  const { dialect } = await openWorkplace().ingest(new Uint8Array(gzipSync(bytes)), {
    read: { encoding: 'windows-1250' },
  })
  expect(dialect).toMatchObject({ format: 'csv', encoding: 'windows-1250', delimiter: ';' })
})

test('documents beside the only table of an archive are left out, and reported', async () => {
  const { decisions } = await convertBytes(
    zip({ 'data.csv': CSV, 'readme.txt': 'x', 'doc/': '', 'doc/about.pdf': 'x', '__MACOSX/._data.csv': 'x' }),
  )
  expect(decisions[0]?.reason).toContain("'data.csv' was read, the only table in the ZIP archive")
})

test('several tables, none, and nested archives are refused by name', async () => {
  expect(await refusalOf(zip({ 'a.csv': CSV, 'b.csv': CSV }))).toContain("'a.csv', 'b.csv'")
  expect(await refusalOf(zip({ 'a.pdf': 'x', 'b.pdf': 'x' }))).toContain('no table in the archive')
  expect(await refusalOf(gzipSync(gzipSync(CSV)))).toContain('inside of a gzip archive')
  expect(await refusalOf(zip({ 'a.zip': zip({ 'b.csv': CSV }) }))).toContain('inside of a ZIP archive')
  expect(await refusalOf(gzipSync('<html><body>Not found</body></html>'))).toContain('an HTML page')
})

test('a truncated or changed archive is refused as damaged', async () => {
  const packed = gzipSync(CSV.repeat(1000))
  expect(await refusalOf(packed.subarray(0, packed.length - 12))).toContain('damaged or cut off')
  const stored = Buffer.from(zip({ 'a.csv': CSV.repeat(10) }))
  stored[60] = (stored[60] as number) ^ 0xff
  expect(await refusalOf(stored)).toContain('damaged')
})

test('a file that unpacks to a thousand times its size is refused midway', async () => {
  const zeros = new Uint8Array(300 * 1024 * 1024)
  expect(await refusalOf(gzipSync(zeros, { level: 1 }))).toContain('unpacks to more than')
})

test('a refused file leaves nothing in the work folder, and the dataset unchanged', async () => {
  const workplace = openWorkplace()
  await workplace.ingest(CSV)
  expect(workplace.ingest(zip({ 'a.csv': CSV, 'b.csv': CSV }))).rejects.toThrow('several files')
  await workplace.ingest(zip({ 'a.csv': CSV, 'b.csv': CSV })).catch(() => {})
  expect(readdirSync(workplace.dataDir.tmpDir).filter((name) => !name.startsWith('gate'))).toEqual([])
  expect(workplace.rows()).toEqual(ROWS)
})

test('a definition that names another format is refused', async () => {
  expect(await refusalOf(xlsx([SHEET]), { format: 'csv' })).toContain(
    '"format": "csv", but it is an XLSX workbook',
  )
  expect((await convertBytes(NDJSON, { format: 'ndjson' })).format).toBe('ndjson')
})
