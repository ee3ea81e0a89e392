import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { encodeText } from '../support/encode-text.ts'
import { endsLikeNote } from '../support/ends-like-note.ts'
import { openWorkplace, writeDefinition } from '../support/ingest.ts'
import { runs } from '../support/property-runs.ts'

/** Letters that every encoding tried here has. */
const LETTERS = [...'abcXYZ019 -._/äöéß', '"', "'", ',', ';', '\t', '|', '\n', '\r\n', '\r']
const cell = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 8 })

const tableOf = (content: fc.Arbitrary<string>, least: number) =>
  fc.integer({ min: 2, max: 5 }).chain((width) =>
    fc.array(fc.array(content, { minLength: width, maxLength: width }), {
      minLength: least,
      maxLength: 12,
    }),
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
  quotes: fc.constantFrom('all', 'where needed', 'none'),
  /** Taken in turn: files combined from others have several kinds. */
  lineEnds: fc.oneof(
    fc.constantFrom(['\n'], ['\r\n'], ['\r']),
    fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 2, maxLength: 5 }),
  ),
  lastLineEnd: fc.boolean(),
})
type WrittenDialect = typeof dialect extends fc.Arbitrary<infer T> ? T : never

const NEEDS_QUOTES = /["',;|\t\r\n]/

/** What can be written without quotes; other characters are left out. */
function sayable(rows: readonly string[][], { quotes }: WrittenDialect): readonly string[][] {
  if (quotes !== 'none') return rows
  return rows.map((row) => row.map((text) => text.replace(new RegExp(NEEDS_QUOTES, 'g'), '')))
}

function writeTable(rows: readonly (readonly string[])[], how: WrittenDialect): Uint8Array {
  const isQuoted = (text: string) => how.quotes === 'all' || NEEDS_QUOTES.test(text)
  const write = (text: string) => (isQuoted(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = rows.map((row, i) => {
    const isLast = i === rows.length - 1
    const lineEnd = how.lineEnds[i % how.lineEnds.length] as string
    return row.map(write).join(how.delimiter) + (isLast && !how.lastLineEnd ? '' : lineEnd)
  })
  const mark = how.mark && how.encoding.startsWith('utf') ? '\ufeff' : ''
  return encodeText(mark + lines.join(''), how.encoding)
}

/** Every column as text, so that the result can be compared with what was written. */
function textDefinition(width: number): string {
  const columns = Array.from({ length: width }, (_, i) => ({ name: `c${i}`, type: 'string' }))
  return writeDefinition({ id: 'sample', domain: 'test', columns })
}

test('any table in any dialect comes back as it was written, trimmed, with empty cells as null', async () => {
  const place = openWorkplace()
  await fc.assert(
    fc.asyncProperty(tableOf(cell, 1), dialect, async (written, how) => {
      const rows = sayable(written, how)
      fc.pre(!endsLikeNote(rows))
      const width = rows[0]?.length ?? 0
      const header = Array.from({ length: width }, (_, i) => `c${i}`)
      const report = await place.ingest(writeTable([header, ...rows], how), {
        definition: textDefinition(width),
        read: { encoding: how.encoding, delimiter: how.delimiter },
        maxQuarantine: 0,
        acceptDrift: true,
      })
      const expected = rows.map((row) => row.map((text) => text.trim() || null))
      // A record without any text is blank, and so skipped.
      const kept = expected.filter((row) => row.some((text) => text !== null))
      expect(place.rows().map((row) => Object.values(row))).toEqual(kept)
      expect(report.rows).toEqual({
        read: kept.length,
        blank: rows.length - kept.length,
        imported: kept.length,
        quarantined: 0,
        left_out: 0,
      })
    }),
    { numRuns: runs(120) },
  )
})

test('the dialect of a plain table is detected, with any delimiter and quote', async () => {
  const place = openWorkplace()
  // Words that consist of accents are in no language, and Cyrillic has the same bytes.
  const word = fc.stringMatching(/^[a-z][a-zäöé]{0,7}$/)
  await fc.assert(
    fc.asyncProperty(tableOf(word, 3), dialect, async (table, how) => {
      const width = table[0]?.length ?? 0
      const header = Array.from({ length: width }, (_, i) => `c${i}`)
      await place.ingest(writeTable([header, ...table], how), {
        definition: textDefinition(width),
        acceptDrift: true,
        maxQuarantine: 0,
      })
      expect(place.rows().map((row) => Object.values(row))).toEqual(table)
    }),
    { numRuns: runs(120) },
  )
})
