/** What the report says about columns: examples, and why a column is text although most of it is something else. */

import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import fc from 'fast-check'
import { fitName, fitText } from '../../src/base/text/fit-text.ts'
import { LANGUAGES } from '../../src/base/text/language.ts'
import { explainNearly } from '../../src/commands/ingest/columns.ts'
import { describeProgress } from '../../src/commands/ingest.ts'
import { COLUMN_TYPES } from '../../src/engine/columns/column.ts'
import { explainFinding } from '../../src/pages/dataset/explain-finding.ts'
import { REASON_TEXTS, REPAIR_TEXTS, RULE_TEXTS } from '../../src/pages/texts/dataset.ts'
import { explainCode, REASON_WORDS } from '../../src/read/report/finding-words.ts'
import { REPAIRS } from '../../src/read/report/repairs.ts'
import { openWorkplace } from '../support/ingest.ts'
import { runs } from '../support/property-runs.ts'

const REQUEST = { dryRun: true, read: { header_row: 1, delimiter: ';' } } as const

/** What the report says of the first of two columns. */
async function columnOf(cells: readonly string[]) {
  const text = `populatie;nr\n${cells.map((cell, i) => `${cell};${i}\n`).join('')}`
  const report = await openWorkplace().ingest(text, REQUEST)
  const [column] = report.columns
  if (!column) throw new Error('the report has no columns')
  return column
}

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, i) => String(from + i * 7))

describe('a column that is nearly of another type names the values that prevent it', () => {
  test.each<[string, string[], [string, number][]]>([
    [
      'integer',
      [...numbers(40), '-', '-', 'n/a'],
      [
        ['-', 2],
        ['n/a', 1],
      ],
    ],
    ['decimal', [...numbers(40).map((n) => `${n},5`), 'lipsă'], [['lipsă', 1]]],
    ['date', [...numbers(20).map((_, i) => `${i + 1}.03.2024`), '31.02.2024'], [['31.02.2024', 1]]],
    ['boolean', [...Array.from({ length: 30 }, (_, i) => (i % 2 ? 'da' : 'nu')), 'poate'], [['poate', 1]]],
    // A table that a person types: two of twelve are more than a tenth.
    [
      'integer',
      [...numbers(10), 'n/a', '-'],
      [
        ['-', 1],
        ['n/a', 1],
      ],
    ],
    ['integer', [...numbers(4), '-', '–', '…'], ['-', '–', '…'].map((sign) => [sign, 1])],
    // Two distinct values, one of them in nearly all rows.
    ['integer', [...Array.from({ length: 30 }, () => '5'), 'x'], [['x', 1]]],
  ])('%s', async (type, cells, values) => {
    const column = await columnOf(cells)
    expect(column.type).toBe('string')
    expect(column.nearly).toMatchObject({
      type,
      exceptions: values.length,
      values: values.map(([value, count]) => ({ value, count })),
    })
    expect(column.nearly?.share).toBeGreaterThan(0.5)
    expect(column.nearly?.share).toBeLessThan(1)
  })

  test.each([
    ['texts', numbers(40).map((n) => `strada ${n}`)],
    ['half numbers', [...numbers(10), ...numbers(10).map((n) => `a${n}`)]],
    ['texts, two of them numbers', [...numbers(2), ...numbers(10).map((n) => `a${n}`)]],
    ['texts, two of them numbers and two without a meaning', [...numbers(2), 'a', 'b', 'c', 'd', '-', 'n/a']],
    [
      'categories, one of them a letter',
      Array.from({ length: 24 }, (_, i) => ['P', '1', '2', '3', '4'][i % 5] as string),
    ],
    [
      'codes of one length, and one that is missing',
      [...Array.from({ length: 30 }, (_, i) => String(25_041_000 + i)), 'n/a'],
    ],
    ['nothing', ['', '', '']],
    ['numbers', numbers(40)],
    ['house numbers of a short table', [...numbers(10), '4A', '9A', '11B']],
    ['titles, most of them numbers', ['1984', '2001', '451', 'Dune', '22']],
    ['two kinds of dates, half each', ['2024-01-05', 'x', 'y', '2024-02-01']],
  ])('%s are nearly nothing', async (_, cells) => {
    expect((await columnOf(cells)).nearly).toBeNull()
  })

  test('the sentence about it names what answers it', async () => {
    const gaps = explainNearly([await columnOf([...numbers(40), '-', 'n/a', '-'])], {})
    expect(gaps).toBe(
      `'populatie' is text and not integer because of 2 values: '-' (2 times, first on line 42), 'n/a' (line 43); --null-values -,n/a makes them null, in every column`,
    )
    const words = explainNearly([await columnOf([...numbers(40), 'circa 5'])], {})
    expect(words).toContain(
      `--null-values 'circa 5' makes it null, in every column, or "type": "integer" in a definition`,
    )
    const both = explainNearly(
      [await columnOf([...numbers(40), '[c]']), await columnOf([...numbers(30), '[c]'])],
      {},
    )
    expect(both).toMatch(
      /^'populatie', 'populatie' are text .*'\[c\]' \(2 times, first on line 32\); --null-values '\[c\]' /,
    )
  })

  test('the advice repeats the texts that are null already', async () => {
    const read = { null_values: ['-'] }
    const text = `populatie;nr\n${[...numbers(40), '-', 'n/a'].map((cell, i) => `${cell};${i}\n`).join('')}`
    const report = await openWorkplace().ingest(text, { ...REQUEST, read: { ...REQUEST.read, ...read } })
    expect(explainNearly(report.columns.slice(0, 1), report.read)).toContain('--null-values -,n/a makes')
  })

  test.each([
    ['a grouped number of an English file', 'nr,populatie\n', (n: number) => `${n},"1,${100 + n}"\n`],
    ['a mark that another column proves', 'nr;populatie\n', (n: number) => `${n},5;1.${100 + n}\n`],
  ])('the type is the one that the advice leads to: %s', async (_, header, row) => {
    const text = (last: string) => header + Array.from({ length: 20 }, (_, n) => row(n)).join('') + last
    const gap = text(header.includes(';') ? '7,5;n/a\n' : '7,n/a\n')
    const before = await openWorkplace().ingest(gap, { dryRun: true })
    const after = await openWorkplace().ingest(gap, { dryRun: true, read: { null_values: ['n/a'] } })
    expect([before.columns[1]?.nearly?.type, after.columns[1]?.type]).toEqual(['integer', 'integer'])
  })

  test('at most five values are named, the most frequent first, each cut short', async () => {
    const odd = Array.from({ length: 8 }, (_, i) => `${'x'.repeat(200)}${i}`)
    const { nearly } = await columnOf([...numbers(200), ...odd, 'des', 'des'])
    expect(nearly).toMatchObject({ exceptions: 9, values: { length: 5, 0: { value: 'des', count: 2 } } })
    for (const { value } of nearly?.values ?? []) expect([...value].length).toBeLessThanOrEqual(60)
  })
})

test.each([
  [
    ['066', '101', '005'],
    "values such as '066' begin with 0, which a number would lose (2 of 3 different values)",
  ],
  [['12345678901234567', '1'], 'more than 15 digits'],
  [Array.from({ length: 30 }, (_, i) => String(25_041_000 + i)), 'have 8 digits'],
  [['+40722', '15'], 'begin with +'],
])('%j stay text, and the reason is given', async (cells, reason) => {
  const column = await columnOf(cells)
  expect([column.type, column.nearly]).toEqual(['string', null])
  expect(column.text_because).toContain(reason)
})

test('evidence is the same for any row order', async () => {
  const cells = [...numbers(60), '-', 'n/a', '…', '-']
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(cells, { minLength: cells.length }), async (shuffled) => {
      const { nearly } = await columnOf(shuffled)
      const values = ['-', 'n/a', '…'].map((value) => {
        return { value, count: value === '-' ? 2 : 1, first_line: shuffled.indexOf(value) + 2 }
      })
      expect(nearly).toEqual({ type: 'integer', share: 0.952, exceptions: 3, values })
    }),
    { numRuns: runs(10) },
  )
})

test('examples are the first values as the file has them', async () => {
  expect((await columnOf([' 5 ', '', '1,5', '5', '7'])).examples).toEqual(['5', '1,5', '5'])
})

test('any text fits any width, measured in terminal columns', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.integer({ min: 1, max: 40 }),
      (text, width) => {
        const fitted = fitText(text, width)
        expect(Bun.stringWidth(fitted)).toBeLessThanOrEqual(width)
        if (Bun.stringWidth(text) <= width) expect(fitted).toBe(text)
        else expect(text.startsWith(fitted.slice(0, -1))).toBe(true)
      },
    ),
  )
  expect(fitText('数据库中的表', 7)).toBe('数据库…')
})

test('progress shows the rate and the time left while it reads, then the phase', () => {
  const reading = { phase: 'reading', bytes: 10_000_000, totalBytes: 50_000_000, rows: 1000 } as const
  expect(describeProgress(reading, 2000)).toBe('reading 10.0 MB, 5.0 MB/s, 1,000 rows, 8 s left')
  expect(describeProgress({ ...reading, totalBytes: null }, 2000)).toBe(
    'reading 10.0 MB, 5.0 MB/s, 1,000 rows',
  )
  expect(describeProgress({ ...reading, bytes: 50_000_000 }, 2000)).toBe('finding types, 1,000 rows')
  expect(describeProgress({ ...reading, bytes: 100_000 }, 1000)).toContain('8 min 19 s left')
  expect(describeProgress({ ...reading, bytes: 150 }, 300)).toBe('reading 150 B, 1,000 rows')
  const converting = { phase: 'converting', bytes: 10_000_000, totalBytes: 50_000_000, rows: 0 } as const
  expect(describeProgress(converting, 2000)).toBe('converting 10.0 MB, 5.0 MB/s, 8 s left')
  expect(describeProgress({ phase: 'writing', bytes: 2, totalBytes: 13, rows: 1000 }, 9)).toBe(
    'writing column 3 of 13, 1,000 rows',
  )
})

test('long names keep their end, so that names that begin alike stay distinct', () => {
  expect(fitName('media', 20)).toBe('media')
  expect(fitName('limba_si_literatura_romana_scris', 20)).toBe('limba_si_li…na_scris')
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.integer({ min: 2, max: 40 }),
      (name, width) => {
        expect(Bun.stringWidth(fitName(name, width))).toBeLessThanOrEqual(width)
      },
    ),
  )
})

test('every reason, and every type that a row can fail, has words for people', async () => {
  const codes = COLUMN_TYPES.filter((type) => type !== 'string').map((type) => `invalid_${type}`)
  for await (const file of new Glob('{read,publish}/**/*.ts').scan(join(import.meta.dir, '../../src'))) {
    const text = await Bun.file(join(import.meta.dir, '../../src', file)).text()
    const found = text.matchAll(/(?:reason: |addFault\([^\n]*)'([a-z_]+)'[,) ]/g)
    for (const [, code] of found) codes.push(code as string)
  }
  expect(codes).toContain('footnote')
  expect(codes).toContain('duplicate_key')
  expect(codes.filter((code) => explainCode(REASON_WORDS, code) === '')).toEqual([])
  for (const language of LANGUAGES) {
    expect(codes.filter((code) => explainFinding(REASON_TEXTS, language, code) === undefined)).toEqual([])
  }
})

test('every rule that is checked has words on pages, in both languages', async () => {
  const rules = ['reference_counties', ...COLUMN_TYPES.map((type) => `type_${type}`)]
  for (const file of ['read/values/validation.ts', 'publish/edition/build-version.ts']) {
    const text = await Bun.file(join(import.meta.dir, '../../src', file)).text()
    for (const [, value] of text.matchAll(/rule: ([^}]*?), failed/g)) {
      rules.push(...[...value!.matchAll(/'([a-z_]+)'/g)].map((match) => match[1]!))
    }
  }
  expect(rules).toEqual(expect.arrayContaining(['key', 'required', 'unique']))
  for (const language of LANGUAGES) {
    expect(rules.filter((rule) => explainFinding(RULE_TEXTS, language, rule) === undefined)).toEqual([])
    expect(
      Object.keys(REPAIRS).filter((kind) => explainFinding(REPAIR_TEXTS, language, kind) === undefined),
    ).toEqual([])
    expect(explainFinding(RULE_TEXTS, language, 'constructor')).toBeUndefined()
  }
})
