/** What transfer damage does to a file: any of its bytes may be changed, missing or repeated. */

import { expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { unzipSync } from 'fflate'
import { CommandError } from '../../src/base/errors.ts'
import type { IngestReport } from '../../src/publish/edition/compose-report.ts'
import { encodeText } from '../support/encode-text.ts'
import { openWorkplace, type Workplace, writeDefinition } from '../support/ingest.ts'
import { runs } from '../support/property-runs.ts'
import { type Cell, ods, type Sheet, xlsx, zip } from '../support/workbooks.ts'

const ROWS = 40
const HEADER = ['id', 'nume', 'valoare', 'data', 'text']
const TABLE = Array.from({ length: ROWS }, (_, i) => [
  String(i),
  `nume "${i}"${i % 5 === 0 ? '\npe două rânduri' : ''}`,
  String(i / 4),
  `2024-01-${String((i % 28) + 1).padStart(2, '0')}`,
  `text${i}`,
])

function writeCsv(delimiter: string, lineEnd: string): string {
  const write = (text: string) => (/["\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return [HEADER, ...TABLE].map((row) => row.map(write).join(delimiter) + lineEnd).join('')
}

const toObject = (row: readonly string[]) => Object.fromEntries(HEADER.map((name, i) => [name, row[i]]))
const utf8 = (text: string) => new TextEncoder().encode(text)

const SHEET = 'xl/worksheets/sheet1.xml'

/** The table as a sheet whose numbers are numbers. */
function sheetOf(write: (text: string) => Cell): Sheet {
  const cell = (text: string) => (/^[\d.]+$/.test(text) ? Number(text) : write(text))
  return { name: 'Date', rows: [HEADER, ...TABLE].map((row) => row.map(cell)) }
}

/** In ODS, each line of a cell is a paragraph. */
function inParagraphs(text: string): Cell {
  const lines = text.replaceAll('"', '&quot;').split('\n')
  const paragraphs = lines.map((line) => `<text:p>${line}</text:p>`).join('')
  return { xml: `<table:table-cell office:value-type="string">${paragraphs}</table:table-cell>` }
}

/** The same table in every form whose damage the ingest must survive. */
const ORIGINALS: Readonly<Record<string, Uint8Array>> = {
  'UTF-8 with CRLF': utf8(writeCsv(',', '\r\n')),
  'windows-1250 with semicolons and CR': encodeText(writeCsv(';', '\r'), 'windows-1250'),
  'UTF-16 with a mark and tabs': encodeText(`\ufeff${writeCsv('\t', '\n')}`, 'utf-16le'),
  'a JSON array': utf8(JSON.stringify(TABLE.map(toObject), null, 1)),
  NDJSON: utf8(TABLE.map((row) => `${JSON.stringify(toObject(row))}\n`).join('')),
  gzip: gzipSync(writeCsv(',', '\n')),
  ZIP: zip({ 'tabel.csv': writeCsv(',', '\n') }),
  XLSX: xlsx([sheetOf((text) => text)]),
  'a sheet within an XLSX': unzipSync(xlsx([sheetOf((text) => text)]))[SHEET] as Uint8Array,
  ODS: ods([sheetOf((text) => (text.includes('\n') ? inParagraphs(text) : text))]),
}

/** What is put around a form after damaging it. */
const AROUND: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  'a sheet within an XLSX': (sheet) => zip({ ...unzipSync(xlsx([sheetOf(() => null)])), [SHEET]: sheet }),
}
const asItIs = (bytes: Uint8Array) => bytes

/** A separate process reads what is not plain text, which takes time. */
const runsOf = (form: string) => (/^(UTF|windows)/.test(form) ? 60 : 12)

type Change = (bytes: Uint8Array) => Uint8Array

/** A position in a file, as a share of its length. */
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
/** Any byte, with those that mean something more often. */
const byte = fc.oneof(
  fc.integer({ min: 0, max: 255 }),
  fc.constantFrom(...Array.from('",;\t\r\n{}[]:\\\0', (sign) => sign.charCodeAt(0)), 0xff, 0x80),
)
const length = fc.integer({ min: 1, max: 300 })

function splice(
  bytes: Uint8Array,
  at: number,
  gone: number,
  added: Uint8Array = new Uint8Array(0),
): Uint8Array {
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + gone)])
}

const offset = (bytes: Uint8Array, share: number) => Math.floor(share * bytes.length)

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(place, byte).map(([share, value]): Change => {
    return (bytes) => splice(bytes, offset(bytes, share), 1, Uint8Array.of(value))
  }),
  fc.tuple(place, fc.integer({ min: 0, max: 7 })).map(([share, bit]): Change => {
    return (bytes) => {
      const at = offset(bytes, share)
      return splice(bytes, at, 1, Uint8Array.of((bytes[at] ?? 0) ^ (1 << bit)))
    }
  }),
  fc.tuple(place, fc.array(byte, { minLength: 1, maxLength: 4 })).map(([share, values]): Change => {
    return (bytes) => splice(bytes, offset(bytes, share), 0, Uint8Array.from(values))
  }),
  fc.tuple(place, length).map(([share, gone]): Change => {
    return (bytes) => splice(bytes, offset(bytes, share), gone)
  }),
  place.map(
    (share): Change =>
      (bytes) =>
        bytes.subarray(0, offset(bytes, share)),
  ),
  fc.tuple(place, place, length).map(([from, to, count]): Change => {
    return (bytes) => {
      const start = offset(bytes, from)
      return splice(bytes, offset(bytes, to), 0, bytes.slice(start, start + count))
    }
  }),
)
const changes = fc.array(change, { minLength: 1, maxLength: 3 })

/** The report, or null when the file was refused with a reason; any other error is a failure. */
async function ingestOrRefuse(ingest: Promise<IngestReport>): Promise<IngestReport | null> {
  try {
    return await ingest
  } catch (error) {
    if (error instanceof CommandError && error.message.length > 15) return null
    throw error
  }
}

function expectAllCounted(workplace: Workplace, { rows }: IngestReport): void {
  expect(rows.read).toBe(rows.imported + rows.quarantined)
  expect(workplace.rows()).toHaveLength(rows.imported)
  expect(workplace.quarantine()).toHaveLength(rows.quarantined)
}

/** Columns that must hold values of their types, so that damage leads to quarantine. */
const DECLARED = {
  id: 'sample',
  domain: 'test',
  columns: [
    { name: 'id', type: 'integer', required: true },
    { name: 'valoare', type: 'decimal' },
    { name: 'data', type: 'date' },
  ],
  primary_key: ['id'],
}

for (const [form, original] of Object.entries(ORIGINALS)) {
  test(`${form}, undamaged: every row is there`, async () => {
    const workplace = openWorkplace()
    const report = await workplace.ingest((AROUND[form] ?? asItIs)(original))
    expect(report.rows).toMatchObject({ read: ROWS, imported: ROWS })
    const rows = workplace.rows().map((row) => HEADER.map((name) => row[name]).join('|'))
    expect(rows).toEqual(TABLE.map((row) => row.join('|')))
  })

  test(`damaged ${form}: never crashes, and never loses a row uncounted`, async () => {
    const workplace = openWorkplace()
    const definition = writeDefinition(DECLARED)
    await fc.assert(
      fc.asyncProperty(changes, fc.boolean(), async (damages, isDeclared) => {
        const damaged = damages.reduce((before, damage) => damage(before), original)
        const bytes = (AROUND[form] ?? asItIs)(damaged)
        const request = isDeclared ? { definition } : {}
        const report = await ingestOrRefuse(
          workplace.ingest(bytes, { ...request, maxQuarantine: 1, acceptDrift: true }),
        )
        if (report) expectAllCounted(workplace, report)
      }),
      { numRuns: runs(runsOf(form)) },
    )
  })
}

/** The part of a row's own cells that identifies it, as the file writes it. */
const mark = (row: readonly string[]) => `"nume ""${row[0]}""`

test('one wrong byte below the header leaves every other row as it was, served or in quarantine', async () => {
  const workplace = openWorkplace()
  const definition = writeDefinition(DECLARED)
  const original = utf8(writeCsv(',', '\r\n'))
  const header = original.indexOf(10) + 1
  const at = fc.integer({ min: header, max: original.length - 1 })
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(at, byte, async (place, value) => {
      const bytes = splice(original, place, 1, Uint8Array.of(value))
      // A zero byte or invalid UTF-8 refuses the whole file, and so leaves what was served.
      const report = await ingestOrRefuse(
        workplace.ingest(bytes, { definition, maxQuarantine: 1, acceptDrift: true }),
      )
      if (!report) return
      accepted++
      expectAllCounted(workplace, report)
      const served = new Set(workplace.rows().map((row) => HEADER.map((name) => row[name]).join('|')))
      const quarantine = workplace.quarantine().map(({ raw }) => raw)
      const raw = quarantine.join('\n')
      const kept = TABLE.filter((row) => served.has(row.join('|')) || raw.includes(mark(row)))
      // The byte's own row, and the next one when the line end between them was hit.
      expect(kept.length).toBeGreaterThanOrEqual(ROWS - 2)
      expect(report.rows.read).toBeGreaterThanOrEqual(ROWS - 1)
      for (const kept of quarantine) expect(new TextDecoder().decode(bytes)).toContain(kept)
    }),
    // Always the same number: how many of them were accepted is judged below.
    { numRuns: 100 },
  )
  expect(accepted).toBeGreaterThan(50)
})
