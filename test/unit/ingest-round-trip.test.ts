import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { CommandError } from '../../src/errors.ts'
import type { IngestReport } from '../../src/ingest/report.ts'
import { encodeText } from '../support/encode-text.ts'
import { openWorkplace, writeDefinition } from '../support/ingest.ts'

/** Letters that every encoding tried here has. */
const LETTERS = [...'abcXYZ019 -._/äöéß', '"', "'", ',', ';', '\t', '|', '\n', '\r\n']
const cell = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 8 })

const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }),
  )

const dialect = fc.record({
  encoding: fc.constantFrom(
    'utf-8',
    'utf-16le',
    'utf-16be',
    'utf-32le',
    'utf-32be',
    'windows-1250',
    'windows-1252',
    'iso-8859-2',
    'iso-8859-16',
  ),
  mark: fc.boolean(),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  quoteAll: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  lastLineEnd: fc.boolean(),
})
type WrittenDialect = typeof dialect extends fc.Arbitrary<infer T> ? T : never

function writeTable(rows: readonly (readonly string[])[], how: WrittenDialect): Uint8Array {
  const write = (text: string) =>
    how.quoteAll || /["',;|\t\r\n]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text
  const lines = rows.map((row) => row.map(write).join(how.delimiter))
  const text = lines.join(how.lineEnd) + (how.lastLineEnd ? how.lineEnd : '')
  const mark = how.mark && how.encoding.startsWith('utf') ? '\ufeff' : ''
  return encodeText(mark + text, how.encoding)
}

/** Every column as text, so that what comes back can be compared with what was written. */
function textDefinition(width: number): string {
  const columns = Array.from({ length: width }, (_, i) => ({ name: `c${i}`, type: 'string' }))
  return writeDefinition({ id: 'sample', domain: 'test', columns })
}

test('any table in any dialect comes back as it was written, trimmed, with empty cells as null', async () => {
  const place = openWorkplace()
  await fc.assert(
    fc.asyncProperty(table, dialect, async (rows, how) => {
      const width = rows[0]?.length ?? 0
      const header = Array.from({ length: width }, (_, i) => `c${i}`)
      const report = await place.ingest(writeTable([header, ...rows], how), {
        definition: textDefinition(width),
        encoding: how.encoding,
        delimiter: how.delimiter,
        maxQuarantine: 0,
        acceptDrift: true,
      })
      const expected = rows.map((row) => row.map((text) => text.trim() || null))
      // A record of nothing but white space, delimiters and quotes is blank, and so skipped.
      const kept = expected.filter((_, i) =>
        /[^\s"]/.test((rows[i] ?? []).join('').replaceAll(how.delimiter, '')),
      )
      expect(place.rows().map((row) => Object.values(row))).toEqual(kept)
      expect(report.rows).toEqual({
        read: kept.length,
        blank: rows.length - kept.length,
        imported: kept.length,
        quarantined: 0,
      })
    }),
    { numRuns: 80 },
  )
}, 20_000)

test('the dialect of a plain table is found out, whatever it is', async () => {
  const place = openWorkplace()
  const word = fc.stringMatching(/^[a-zäöé]{1,8}$/)
  const rows = fc
    .integer({ min: 2, max: 5 })
    .chain((width) =>
      fc.array(fc.array(word, { minLength: width, maxLength: width }), { minLength: 3, maxLength: 10 }),
    )
  await fc.assert(
    fc.asyncProperty(rows, dialect, async (table, how) => {
      const width = table[0]?.length ?? 0
      const header = Array.from({ length: width }, (_, i) => `c${i}`)
      await place.ingest(writeTable([header, ...table], how), {
        definition: textDefinition(width),
        acceptDrift: true,
        maxQuarantine: 0,
      })
      expect(place.rows().map((row) => Object.values(row))).toEqual(table)
    }),
    { numRuns: 80 },
  )
}, 20_000)

/** The report, or null when the file was refused; any other error is a failure. */
async function ingestOrRefuse(ingest: Promise<IngestReport>): Promise<IngestReport | null> {
  try {
    return await ingest
  } catch (error) {
    if (error instanceof CommandError && error.message.length > 20) return null
    throw error
  }
}

test('a wrong byte anywhere never crashes the ingest, and never loses a row uncounted', async () => {
  const place = openWorkplace()
  const lines = Array.from(
    { length: 40 },
    (_, i) => `${i},"nume ""${i}""",${i / 4},2024-01-${String((i % 28) + 1).padStart(2, '0')},ăș${i}`,
  )
  const original = new TextEncoder().encode(`id,nume,valoare,data,text\n${lines.join('\r\n')}\r\n`)
  const columns = [
    { name: 'id', type: 'integer', required: true },
    { name: 'valoare', type: 'decimal' },
    { name: 'data', type: 'date' },
  ]
  const definition = writeDefinition({ id: 'sample', domain: 'test', columns, primary_key: ['id'] })
  const byte = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(34, 44, 10, 13, 59, 0xff))
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: original.length - 1 }), byte, async (at, value) => {
      const bytes = original.slice()
      bytes[at] = value
      const report = await ingestOrRefuse(
        place.ingest(bytes, { definition, maxQuarantine: 1, acceptDrift: true }),
      )
      if (!report) return
      accepted++
      const { read, blank, imported, quarantined } = report.rows
      expect(read).toBe(imported + quarantined)
      expect(place.rows()).toHaveLength(imported)
      expect(place.quarantine()).toHaveLength(quarantined)
      // One byte can open a quote over one line end, or join two lines; what it touches is in quarantine, whole.
      const text = new TextDecoder(report.dialect.encoding as Bun.Encoding).decode(bytes)
      const kept = place.quarantine().map(({ raw }) => raw)
      for (const raw of kept) expect(text).toContain(raw)
      const linesInQuarantine = kept.reduce((sum, raw) => sum + raw.split(/\r\n|\r|\n/).length, 0)
      const linesInRows = place
        .rows()
        .reduce((sum, row) => sum + JSON.stringify(row).split(/\\r\\n|\\r|\\n/).length, 0)
      const header = report.dialect.header_rows[0] as number
      expect(header + blank + linesInQuarantine + linesInRows).toBeGreaterThanOrEqual(lines.length)
    }),
    { numRuns: 160 },
  )
  expect(accepted).toBeGreaterThan(60)
}, 20_000)
