/** What cells mean: numbers against a plain oracle, dates by name, invisible characters, marks settled by the file. */

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { countRepairs } from '../../src/read/report/repairs.ts'
import { isPlainDecimal } from '../../src/read/values/cell-text.ts'
import { convertColumn } from '../../src/read/values/conversion.ts'
import { inferTarget } from '../../src/read/values/inference.ts'
import { stylesFor } from '../../src/read/values/numbers.ts'
import { encodeText } from '../support/encode-text.ts'
import { openWorkplace, writeDefinition } from '../support/ingest.ts'
import { runs } from '../support/property-runs.ts'
import { xlsx } from '../support/workbooks.ts'

/** The values of one column of a file, with its type, repairs and what the report says. */
async function readColumn(cells: readonly string[], delimiter = ';', type?: string) {
  const place = openWorkplace()
  const quoted = cells.map((cell) => `"${cell.replaceAll('"', '""')}"${delimiter}x\n`).join('')
  const definition =
    type === undefined
      ? undefined
      : writeDefinition({ id: 'sample', domain: 'test', columns: [{ name: 'v', type }] })
  const report = await place.ingest(`v${delimiter}w\n${quoted}`, {
    ...{ delimiter, definition, headerRow: 1, maxQuarantine: 1 },
  })
  const repairs = report.repairs.filter(({ column }) => column === 'v')
  return {
    type: report.columns.find(({ name }) => name === 'v')?.type as string,
    values: place.rows().map((row) => row.v),
    repairs: Object.fromEntries(repairs.map(({ kind, count }) => [kind, count])),
    report,
  }
}

/** The same without a file: texts to values, as one column. */
function convertTexts(cells: readonly string[], delimiter = ';') {
  const texts = cells.map((cell) => new TextEncoder().encode(cell))
  const offsets = new Uint32Array(texts.length + 1)
  for (const [i, text] of texts.entries()) offsets[i + 1] = (offsets[i] as number) + text.length
  const raw = { heap: Buffer.concat(texts), offsets }
  const reading = { nullValues: new Set<string>(), styles: stylesFor(delimiter.charCodeAt(0)) }
  const target = inferTarget(raw, reading)
  const typed = convertColumn(raw, target, reading)
  const { values, valueIds, repairs } = typed
  const decoder = new TextDecoder()
  const textOf = (id: number) =>
    decoder.decode(values.heap.subarray(values.offsets[id - 1], values.offsets[id]))
  const counts = new Uint32Array(cells.length + 1).fill(1)
  return {
    ...{ raw, typed },
    type: target.type,
    values: cells.map((_, i) => textOf(valueIds === null ? i + 1 : (valueIds[i + 1] as number))),
    repairs: Object.fromEntries(
      repairs === null ? [] : countRepairs(repairs, counts).map(({ kind, count }) => [kind, count]),
    ),
  }
}

const GROUPS = ['', ',', '.', ' ', '\u00a0', '\u202f', "'", '’']
const MINUS = ['-', '\u2212', '\u2013']

/** A style a publisher may write in: mark and group are never the same character. */
const anyStyle = fc
  .record({
    mark: fc.constantFrom('.', ','),
    group: fc.constantFrom(...GROUPS),
    minus: fc.constantFrom(...MINUS),
  })
  .filter(({ mark, group }) => mark !== group)

interface Style {
  readonly mark: string
  readonly group: string
  readonly minus: string
}

/** Writes hundredths as publishers do, as the oracle of the test. */
function write(hundredths: number, { mark, group, minus }: Style): string {
  const digits = String(Math.abs(hundredths)).padStart(3, '0')
  const whole = digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, group)
  return `${hundredths < 0 ? minus : ''}${whole}${mark}${digits.slice(-2)}`
}

test('amounts are read back with any mark, separator and minus', () => {
  const amounts = fc.array(fc.integer({ min: -99_999_999_99, max: 99_999_999_99 }), {
    minLength: 2,
    maxLength: 12,
  })
  fc.assert(
    fc.property(amounts, anyStyle, fc.constantFrom(',', ';', '\t'), (list, style, delimiter) => {
      // One amount that proves the mark and is not a whole number.
      const hundredths = [...list, 1_234_567_89]
      const { values, repairs } = convertTexts(
        hundredths.map((amount) => write(amount, style)),
        delimiter,
      )
      expect(values).toEqual(hundredths.map((amount) => String(amount === 0 ? 0 : amount / 100)))
      expect(repairs.decimal_comma ?? 0).toBe(style.mark === ',' ? hundredths.length : 0)
      const isTypeset = style.minus !== '-'
      expect(repairs.minus_sign ?? 0).toBe(isTypeset ? hundredths.filter((amount) => amount < 0).length : 0)
    }),
    { numRuns: runs(300) },
  )
})

describe('what may mean something else stays text, and is a number when a definition says so', () => {
  test.each([
    [['12 %', '7.5%'], [12, 7.5], { percent_sign: 2 }],
    [['+1.5', '-2'], [1.5, -2], { plus_sign: 1 }],
    [['5-', '1.5'], [-5, 1.5], { minus_sign: 1 }],
    [['1,23,456', '-7.5'], [123_456, -7.5], { thousands_separator: 1 }],
  ] as const)('%j', async (cells, numbers, repairs) => {
    expect(await readColumn(cells)).toMatchObject({ type: 'string', values: [...cells], repairs: {} })
    const declared = await readColumn(cells, ';', 'decimal')
    expect(declared.values).toEqual([...numbers])
    expect(declared.repairs).toEqual(repairs)
  })

  test.each([
    [['(5)', '6']],
    [['5 lei', '6']],
    [['1,2,345', '7']],
    [['1,23,45', '7']],
    [['1.234,567.8', '1']],
    [['5\u2013', '6']],
    [['\u2013', '6']],
    [['12..5', '1']],
  ])('%j is not a number', async (cells) => {
    const { type, values } = await readColumn(cells)
    expect([type, values]).toEqual(['string', cells])
    const declared = await readColumn(cells, ';', 'decimal')
    expect(declared.report.rows.quarantined).toBe(1)
    expect(declared.report.quarantine[0]?.reason).toBe('invalid_decimal')
  })
})

describe('an ambiguous mark is settled by the other columns of the file', () => {
  const file = (proof: string) => `a;b\n"1.234";"${proof}"\n"5.678";"${proof}"\n`

  test.each([
    ['2,5', 1234, []],
    ['2.5', 1.234, []],
    ['x', 1.234, ['The column a has numbers such as 1.234, read as 1.234']],
  ])('beside %s', async (proof, first, warnings) => {
    const place = openWorkplace()
    const report = await place.ingest(file(proof), { read: { header_row: 1 } })
    expect(place.rows()[0]?.a).toBe(first)
    expect(report.warnings).toEqual(warnings.map((text) => expect.stringContaining(text)))
    const settled = report.decisions.filter(({ kind }) => kind === 'decimal_mark')
    expect(settled).toHaveLength(proof === 'x' ? 0 : 1)
  })

  test('columns that contradict each other settle nothing', async () => {
    const place = openWorkplace()
    const report = await place.ingest('a;b;c\n"1.234";"2,5";"2.5"\n', { read: { header_row: 1 } })
    expect(place.rows()[0]).toEqual({ a: 1.234, b: 2.5, c: 2.5 })
    expect(report.warnings).toEqual([expect.stringContaining('"decimal_mark": ","')])
  })

  test('columns that are ambiguous in opposite ways are read with one mark, and their warnings advise the same', async () => {
    const place = openWorkplace()
    const both = 'a;b\n"1.234";"5,678"\n"2.345";"6,789"\n'
    const report = await place.ingest(both, { read: { header_row: 1 } })
    expect(place.rows()[0]).toEqual({ a: 1234, b: 5.678 })
    const advised = report.warnings.map((text) => /"decimal_mark": "[.,]"/.exec(text)?.[0])
    expect(advised).toEqual(['"decimal_mark": "."', '"decimal_mark": "."'])
    const read = { header_row: 1, decimal_mark: '.' } as const
    const other = await place.ingest(both, { read, acceptDrift: true })
    expect(place.rows()[0]).toEqual({ a: 1.234, b: 5678 })
    expect(other.warnings).toEqual([])
  })

  test('columns that prove both marks are reported in one decision', async () => {
    const { decisions } = await openWorkplace().ingest('a;b;c\nx;"2,5";"2.5"\n', { read: { header_row: 1 } })
    expect(decisions.filter(({ kind }) => kind === 'decimal_mark')).toEqual([
      expect.objectContaining({
        reason:
          "values prove both decimal marks, ',' in 'b' (2,5) and '.' in 'c' (2.5): each column is read with its own",
      }),
    ])
  })

  test.each([
    ['forty that may be thousands and one that is none', 40, '12.5', true],
    ['the same with a comma', 40, '12,5', true],
    ['a few of each', 10, '12.5', false],
  ])(
    '%s: decimals are read with a warning, which the definition settles',
    async (_, count, proof, isDoubtful) => {
      const mark = proof[2] as '.' | ','
      const place = openWorkplace()
      const values = Array.from({ length: count }, (_, i) => `n${i};${1 + (i % 9)}${mark}${100 + i}\n`)
      const table = `nume;v\n${values.join('')}x;${proof}\n`
      const report = await place.ingest(table)
      expect(place.rows().at(-1)?.v).toBe(12.5)
      expect(place.rows()[0]?.v).toBe(1.1)
      expect(report.warnings).toEqual(
        isDoubtful ? [expect.stringContaining(`of another kind, such as ${proof}`)] : [],
      )
      expect(place.catalog.quality('sample')?.unproven).toEqual(
        isDoubtful ? [{ kind: 'decimal_mark', column: 'v', read_as: mark }] : [],
      )
      expect((await place.ingest(table, { read: { decimal_mark: mark }, force: true })).warnings).toEqual([])
    },
  )

  test('decimals of three digits are unambiguous where zeros are left off or a number is larger', async () => {
    const small = Array.from(
      { length: 300 },
      (_, i) => `n${i};${(1 + i / 100 + i / 1000).toFixed(3).replace(/0+$/, '')}\n`,
    )
    expect((await openWorkplace().ingest(`nume;v\n${small.join('')}`)).warnings).toEqual([])
    const large = Array.from({ length: 40 }, (_, i) => `n${i};${1 + i}.${101 + i}\n`)
    expect((await openWorkplace().ingest(`nume;v\n${large.join('')}x;12.5\ny;4321\n`)).warnings).toEqual([])
  })

  test('a column with both marks stays text and says why; declared, each value is read by its own', async () => {
    const place = openWorkplace()
    const report = await place.ingest('nume;v\na;1.5\nb;2,25\n')
    expect(report.columns[1]).toMatchObject({
      type: 'string',
      text_because: expect.stringContaining("reads '2,25' as 2.25"),
    })
    const definition = writeDefinition({
      id: 'sample',
      domain: 'test',
      columns: [{ name: 'nume' }, { name: 'v', type: 'decimal' }],
    })
    await place.ingest('nume;v\na;1.5\nb;2,25\n', { definition, acceptDrift: true })
    expect(place.rows().map(({ v }) => v)).toEqual([1.5, 2.25])
  })

  test('numbers of a format that has them keep their point, whatever the texts beside them prove', async () => {
    const place = openWorkplace()
    const records = ['1.234', '5.678'].map((number) => `{"a": ${number}, "b": "2,5", "c": "1.234,5"}\n`)
    const report = await place.ingest(records.join(''))
    expect(report.dialect.format).toBe('ndjson')
    expect(place.rows()[0]).toEqual({ a: 1.234, b: 2.5, c: 1234.5 })
    expect([report.warnings, report.decisions.filter(({ kind }) => kind === 'decimal_mark')]).toEqual([
      [],
      [],
    ])
  })

  test('texts of such a format are settled by its texts alone', async () => {
    const place = openWorkplace()
    await place.ingest('{"a": "5,294", "b": "2,5", "c": 1.5}\n{"a": "7,001", "b": "3,5", "c": 2.5}\n')
    expect(place.rows()[0]).toEqual({ a: 5.294, b: 2.5, c: 1.5 })
  })

  test('the definition has the last word', async () => {
    const place = openWorkplace()
    for (const [mark, value] of [
      [',', 1234],
      ['.', 1.234],
    ] as const) {
      const definition = writeDefinition({ id: 'sample', domain: 'test', read: { decimal_mark: mark } })
      const report = await place.ingest(file('x'), { read: { header_row: 1 }, definition, acceptDrift: true })
      expect(place.rows()[0]?.a).toBe(value)
      expect(report.warnings).toEqual([])
    }
  })
})

test.each([
  [['5 ian. 2024', '31-Dec-1999', '1 martie 2020'], 'date', ['2024-01-05', '1999-12-31', '2020-03-01']],
  [['January 5, 2024', 'Sept 30 2023', 'mai 1, 2022'], 'date', ['2024-01-05', '2023-09-30', '2022-05-01']],
  [
    ['1-Oct-2024 14:05', '2 octombrie 2024 00:00'],
    'datetime',
    ['2024-10-01T14:05:00Z', '2024-10-02T00:00:00Z'],
  ],
  [['1/31/2024 12:30 AM', '1/31/2024 1:05 pm'], 'datetime', ['2024-01-31T00:30:00Z', '2024-01-31T13:05:00Z']],
])('%j are of type %s', async (cells, type, values) => {
  const column = await readColumn(cells)
  expect([column.type, column.values]).toEqual([type, values])
  expect(column.repairs.date_format).toBe(cells.length)
})

test.each([
  [['5 foo 2024']],
  [['31 februarie 2024']],
  [['5 ian. 24']],
  [['01.02.24']],
  [['24:00:00', '25:10:00']],
  [['13:00 pm 1/2/2024']],
  [['1/2/2024 13:00 pm']],
  [['mai']],
  [['x', '']],
  [['NA', 'N/A', '-']],
])('%j stay text', async (cells) => {
  const { type, values } = await readColumn(cells)
  expect([type, values]).toEqual(['string', cells.map((cell) => cell || null)])
})

test('any day reads back from its month by name, in Romanian and English, full and short', () => {
  const names = [
    ...['ianuarie', 'februarie', 'martie', 'aprilie', 'mai', 'iunie', 'iulie', 'august', 'septembrie'],
    ...['octombrie', 'noiembrie', 'decembrie', 'january', 'february', 'march', 'april', 'may', 'june'],
    ...['july', 'august', 'september', 'october', 'november', 'december'],
  ]
  const days = fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(days, fc.boolean(), fc.boolean(), fc.nat(3), (day, english, short, form) => {
      const iso = day.toISOString().slice(0, 10)
      const [year = '', month = '', date = ''] = iso.split('-')
      const whole = names[Number(month) - 1 + (english ? 12 : 0)] as string
      const name = short ? whole.slice(0, 3) : whole
      const written = [
        `${Number(date)} ${name} ${year}`,
        `${date}-${name.toUpperCase()}-${year}`,
        `${name} ${Number(date)}, ${year}`,
        `${Number(date)}. ${name}. ${year}`.replace('. ', ' '),
      ][form] as string
      expect(convertTexts([written])).toMatchObject({ type: 'date', values: [iso] })
    }),
    { numRuns: runs(300) },
  )
})

test('invisible characters around a value are not part of it', async () => {
  const edges = ['\u200b', '\u2060', '\ufeff', '\u00a0', '\u200e', '\u200f', '\u202f', '\t', ' ']
  const { type, values, repairs } = await readColumn(edges.map((edge, i) => `${edge}${i}${edge}`))
  expect([type, values]).toEqual(['integer', edges.map((_, i) => i)])
  expect(repairs).toEqual({ trimmed: edges.length })
  expect((await readColumn(['\u200b', 'a'])).values).toEqual([null, 'a'])
})

test('inside a text invisible characters stay', async () => {
  expect((await readColumn(['a\u200bb', 'c\u00a0d'])).values).toEqual(['a\u200bb', 'c\u00a0d'])
})

describe('windows-1252 that was taken for Latin-1 and saved as UTF-8', () => {
  const misread = (text: string) => Buffer.from(encodeText(text, 'windows-1252')).toString('latin1')

  test('shows the intended characters, as a counted repair, in names too', async () => {
    const place = openWorkplace()
    const file = misread(
      'Titlu – scurt;Nr\nLegea „A”;1\n  preț… 5 €  ;2\n–;3\nLegea „A”;4\nà;5\n'.replace('ț', 't'),
    )
    const definition = writeDefinition({ id: 'sample', domain: 'test', read: { null_values: ['–'] } })
    const report = await place.ingest(file, { definition })
    expect(place.rows().map((row) => row.titlu_scurt)).toEqual([
      'Legea „A”',
      'pret… 5 €',
      null,
      'Legea „A”',
      'à',
    ])
    expect(report.columns[0]?.source_name).toBe('Titlu – scurt')
    expect(report.repairs).toEqual([
      { column: 'titlu_scurt', kind: 'trimmed', count: 1 },
      { column: 'titlu_scurt', kind: 'misread_windows_1252', count: 4 },
    ])
  })

  test('control characters without a meaning there stay, and so do characters beyond them', async () => {
    const { values, repairs } = await readColumn(['a\u0081', '°«\u00a0»', 'Â', 'x'])
    expect(values).toEqual(['a\u0081', '°«\u00a0»', 'Â', 'x'])
    expect(repairs).toEqual({})
  })
})

describe('serial numbers of days', () => {
  const definition = (type: string) =>
    writeDefinition({ id: 'sample', domain: 'test', columns: [{ name: 'v', type }] })

  test('are dates where a definition declares dates, and stay numbers otherwise', async () => {
    const cells = ['45000', '44927', '01.02.2024', '2024', '450000']
    const dates = await readColumn(cells, ';', 'date')
    expect(dates.values).toEqual(['2023-03-15', '2023-01-01', '2024-02-01'])
    expect(dates.repairs).toEqual({ serial_date: 2, date_format: 1 })
    expect(dates.report.quarantine).toMatchObject([{ reason: 'invalid_date', count: 2 }])
    expect(await readColumn(['45000', '44927'])).toMatchObject({ type: 'integer', repairs: {} })
  })

  test('have the time of day in their fraction', async () => {
    const moments = await readColumn(['45000.5', '45000,25', '45000'], ';', 'datetime')
    expect(moments.values).toEqual(['2023-03-15T12:00:00Z', '2023-03-15T06:00:00Z', '2023-03-15T00:00:00Z'])
    expect(moments.repairs).toEqual({ serial_date: 3, assumed_utc: 3 })
    expect((await readColumn(['45000.5', '45000'], ';', 'date')).values).toEqual(['2023-03-15'])
  })

  test('count from 1904 in a workbook that does', async () => {
    for (const [is1904, day] of [
      [false, '2023-03-15'],
      [true, '2027-03-16'],
    ] as const) {
      const place = openWorkplace()
      const workbook = xlsx(
        [
          {
            name: 'S',
            rows: [
              ['v', 'w'],
              [45_000, 'x'],
            ],
          },
        ],
        { is1904 },
      )
      await place.ingest(workbook, { definition: definition('date') })
      expect(place.rows()).toEqual([{ v: day, w: 'x' }])
    }
  })
})

test('a decimal that is used unchanged is what JavaScript would write', () => {
  const digits = fc.stringMatching(/^-?\d{0,9}\.?\d{0,9}$/)
  const zeros = fc.integer({ min: 0, max: 9 }).map((count) => `0.${'0'.repeat(count)}5`)
  fc.assert(
    fc.property(fc.oneof(digits, zeros), (text) => {
      const bytes = new TextEncoder().encode(text)
      if (isPlainDecimal(bytes, 0, bytes.length)) expect(String(Number(text))).toBe(text)
    }),
    { numRuns: runs(2000) },
  )
  const taken = ['0.5', '-12.25', '0.000001', '123456789012.345'].map((text) =>
    new TextEncoder().encode(text),
  )
  expect(taken.every((bytes) => isPlainDecimal(bytes, 0, bytes.length))).toBe(true)
})

test('texts are trimmed in place, including nulls', () => {
  const { typed, raw } = convertTexts([' a', 'b ', '  ', 'a', '\u00a0ț\u200b', 'x'])
  expect(typed.values.heap.buffer).toBe(raw.heap.buffer)
  const texts = Array.from(typed.valueIds ?? [], (id) =>
    id === 0
      ? null
      : new TextDecoder().decode(
          typed.values.heap.subarray(typed.values.offsets[id - 1], typed.values.offsets[id]),
        ),
  )
  expect(texts).toEqual([null, 'a', 'b', null, 'a', 'ț', 'x'])
})
