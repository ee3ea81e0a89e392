/** Hostile archives, workbooks and JSON, through the real program; see hostile-files.test.ts. */

import { setDefaultTimeout, test } from 'bun:test'
import { unzipSync } from 'fflate'
import { deflatedRepeatedly, gzipAround, zipOf } from '../support/archives.ts'
import { ods, xlsx, zip } from '../support/workbooks.ts'
import { expectRefused, fileOf, replaceSample, sharedSample } from './harm.ts'

/** "In seconds", on a busy machine. */
setDefaultTimeout(30_000)

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Packs a thousand to one: 3 GB. */
const bomb = () => deflatedRepeatedly('a'.repeat(1_000_000), 3_000)

const SHEETS = [{ name: 'Date', rows: [['a'], [1]] }]

const spreadsheet = (rows: string) =>
  `<office:document-content><office:body><office:spreadsheet><table:table table:name="Date">${rows}</table:table></office:spreadsheet></office:body></office:document-content>`

/** A workbook whose sheet unpacks to different bytes. */
function xlsxAround(deflated: Uint8Array): Uint8Array {
  const parts = Object.entries(unzipSync(xlsx(SHEETS))).map(([name, bytes]) => ({ name, bytes }))
  return zipOf(parts.map((part) => (part.name.endsWith('sheet1.xml') ? { ...part, deflated } : part)))
}

/** Each entity contains the previous one ten times. */
const ENTITIES = `<!DOCTYPE x [<!ENTITY a "ha">${[...'bcdefghij']
  .map((name, i) => `<!ENTITY ${name} "${`&${'abcdefghi'[i]};`.repeat(10)}">`)
  .join('')}]>`

const emptyFiles = () => Array.from({ length: 20_000 }, (_, i) => ({ name: `${i}.csv`, bytes: bytesOf('') }))

/** Functions, because some files are large. */
const REFUSED: readonly (readonly [name: string, make: () => string | Uint8Array, reason: RegExp])[] = [
  ['3 GB in gzip', () => gzipAround(bomb()), /unpacks to more/],
  [
    '3 GB in a ZIP that claims 4 bytes',
    () => zipOf([{ name: 'a.csv', bytes: bytesOf('a,b\n'), deflated: bomb() }]),
    /unpacks to more|damaged/,
  ],
  [
    '3 GB in the sheet of an XLSX that claims a few bytes',
    () => xlsxAround(bomb()),
    /unpacks to more|damaged/,
  ],
  ['a ZIP in a ZIP', () => zip({ 'a.zip': zip({ 'a.csv': 'a\n1\n' }) }), /Unpack the outer one/],
  ['a ZIP of 20,000 empty files', () => zipOf(emptyFiles()), /several files/],
  [
    'entities that grow a billion times in an XLSX',
    () =>
      xlsx(SHEETS, {
        parts: { 'xl/worksheets/sheet1.xml': `${ENTITIES}<worksheet><sheetData>&j;</sheetData></worksheet>` },
      }),
    /entities/,
  ],
  [
    'entities that grow a billion times in an ODS',
    () => ods([], `${ENTITIES}<office:document-content>&j;</office:document-content>`),
    /entities/,
  ],
  [
    'a row repeated a billion times in an ODS',
    () =>
      ods(
        SHEETS,
        spreadsheet(
          '<table:table-row table:number-rows-repeated="1000000000"><table:table-cell office:value-type="string"><text:p>a</text:p></table:table-cell></table:table-row>',
        ),
      ),
    /1048576 rows/,
  ],
  ['half a workbook', () => xlsx(SHEETS).subarray(0, 700), /damaged or cut off/],
  [
    'JSON a million levels deep',
    () => `[{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}]`,
    /nested deeper/,
  ],
  [
    'JSON objects a million levels deep',
    () => `[${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}]`,
    /nested deeper/,
  ],
  [
    'JSON with a text of 50 MB that never ends',
    () => Buffer.concat([bytesOf('[{"a":"'), Buffer.alloc(50_000_000, 'x')]),
    /ends in the middle/,
  ],
  [
    'JSON whose objects have 20,000 names',
    () => JSON.stringify([Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, i]))]),
    /more than 16,384 different names/,
  ],
]

const sample = sharedSample()

test.each(REFUSED.map(([name, make, reason]) => [name, { make, reason }] as const))(
  '%s: refused with the reason, and nothing is changed',
  async (_, { make, reason }) => {
    const served = await sample()
    expectRefused(await replaceSample(fileOf(make()), served.data), served, 4, reason)
  },
)
