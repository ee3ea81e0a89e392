/** Small files that would take minutes: the work on them is bounded, and what several sheets share is read once. */

import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openWorkplace } from '../support/ingest.ts'
import { tempDir } from '../support/temp-dir.ts'
import { xlsx } from '../support/workbooks.ts'

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

function sheetXml(rows: number, text: string): string {
  const cells = (row: number) =>
    `<row r="${row}"><c r="A${row}" t="str"><v>${row === 1 ? 'name' : text}</v></c><c r="B${row}"><v>${row === 1 ? '' : row}</v></c><c r="C${row}" t="str"><v>${row === 1 ? 'more' : 'x'}</v></c></row>`
  return `<worksheet><sheetData>${Array.from({ length: rows }, (_, n) => cells(n + 1)).join('')}</sheetData></worksheet>`
}

/** A workbook whose sheets are in the named parts. */
function workbookOf(parts: Readonly<Record<string, string>>, targets: readonly string[]): Uint8Array {
  const sheets = targets.map((_, n) => `<sheet name="S${n + 1}" sheetId="${n + 1}" r:id="r${n}"/>`)
  const relations = targets.map(
    (target, n) => `<Relationship Id="r${n}" Type="${RELATIONS}/worksheet" Target="worksheets/${target}"/>`,
  )
  return xlsx([], {
    parts: {
      'xl/workbook.xml': `<workbook xmlns:r="${RELATIONS}"><sheets>${sheets.join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
      ...Object.fromEntries(Object.entries(parts).map(([name, xml]) => [`xl/worksheets/${name}`, xml])),
    },
  })
}

async function ingest(name: string, content: string | Uint8Array, read = {}) {
  const path = join(tempDir(), name)
  writeFileSync(path, content)
  const report = await openWorkplace().ingestPath(path, { domain: 'tests', read })
  return report
}

test('a part that 2,000 sheets name is read once', async () => {
  // Each reading would count, and together they exceed what a file may unpack to.
  const workbook = workbookOf(
    { 'a.xml': sheetXml(3000, 'text') },
    Array.from({ length: 2000 }, () => 'a.xml'),
  )
  const report = await ingest('shared.xlsx', workbook)
  expect([report.rows.imported, report.dialect.sheet]).toEqual([2999, 'S1'])
})

test('sheets are examined up to a budget; a named sheet is always read', async () => {
  const long = 'text '.repeat(2000)
  const parts = Object.fromEntries(
    Array.from({ length: 6 }, (_, n) => [
      `${n}.xml`,
      sheetXml(n === 5 ? 1200 : 1000, n === 5 ? 'last' : long),
    ]),
  )
  const workbook = workbookOf(parts, Object.keys(parts))
  const report = await ingest('many.xlsx', workbook)
  expect(report.dialect.sheet).toBe('S1')
  expect(report.decisions.find(({ kind }) => kind === 'sheet')?.reason).toContain(
    "not looked at, as the sheets before hold so much: 'S5', 'S6'",
  )
  const named = await ingest('many.xlsx', workbook, { sheet: 'S6' })
  expect([named.rows.imported, named.dialect.sheet]).toEqual([1199, 'S6'])
})

test('objects that each have other names are refused before their table has millions of blank cells', async () => {
  const objects = Array.from({ length: 8000 }, (_, n) => ({ [`name_${n}`]: n }))
  await expect(ingest('names.json', JSON.stringify(objects))).rejects.toThrow(/different names/)
})
