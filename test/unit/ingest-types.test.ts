import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ColumnType, RawEntries } from '../../src/engine/columns/column.ts'
import { REPAIRS } from '../../src/read/report/repairs.ts'
import { convertColumn, INVALID } from '../../src/read/values/conversion.ts'
import { declaredTarget } from '../../src/read/values/declared-target.ts'
import { inferTarget } from '../../src/read/values/inference.ts'
import { stylesFor } from '../../src/read/values/numbers.ts'
import { runs } from '../support/property-runs.ts'

interface ReadOptions {
  readonly type?: ColumnType
  readonly delimiter?: string
  readonly nullValues?: readonly string[]
}

function toRaw(cells: readonly string[]): RawEntries {
  const texts = cells.map((cell) => new TextEncoder().encode(cell))
  const offsets = new Uint32Array(texts.length + 1)
  for (const [i, text] of texts.entries()) offsets[i + 1] = (offsets[i] as number) + text.length
  return { heap: Buffer.concat(texts), offsets }
}

/** Type, canonical text per cell (null, or 'invalid'), and the kinds of repairs of each. */
function read(cells: readonly string[], { type, delimiter = ',', nullValues = [] }: ReadOptions = {}) {
  const raw = toRaw(cells)
  const reading = { nullValues: new Set(nullValues), styles: stylesFor(delimiter.charCodeAt(0)) }
  const target = type === undefined ? inferTarget(raw, reading) : declaredTarget(type, raw, reading)
  const column = convertColumn(raw, target, reading)
  const { heap, offsets } = column.values
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const values = cells.map((_, i) => {
    const value = column.valueIds === null ? i + 1 : (column.valueIds[i + 1] as number)
    if (value === 0 || value === INVALID) return value === 0 ? null : 'invalid'
    return decoder.decode(heap.subarray(offsets[value - 1], offsets[value]))
  })
  const kindsOf = (bits: number) =>
    Object.entries(REPAIRS).flatMap(([kind, bit]) => ((bits & bit) === 0 ? [] : [kind]))
  const repairs = cells.map((_, i) => kindsOf(column.repairs?.[i + 1] ?? 0))
  return { type: target.type, values, repairs, ambiguous: target.ambiguous }
}

test.each<[ColumnType, string[], string[]]>([
  ['integer', ['1', '-20', '0'], ['1', '-20', '0']],
  ['integer', ['10,00', '179196,00', '7'], ['10', '179196', '7']],
  ['integer', ['5.0', '12'], ['5', '12']],
  ['integer', ['5,294', '721', '12,133'], ['5294', '721', '12133']],
  ['integer', ['1.234.567', '12'], ['1234567', '12']],
  ['integer', ['1 234', '12\u00a0345'], ['1234', '12345']],
  ['decimal', ['3.15', '2', '-.5'], ['3.15', '2', '-0.5']],
  ['decimal', ['229,932.50', '10,105.40'], ['229932.5', '10105.4']],
  ['decimal', ['1.234,5', '2,25'], ['1234.5', '2.25']],
  ['decimal', ['56,7', '0,123'], ['56.7', '0.123']],
  ['decimal', ['1.5E-3', '2.0'], ['0.0015', '2']],
  ['decimal', ['-0.0', '0.5'], ['0', '0.5']],
  ['boolean', ['Da', 'nu'], ['true', 'false']],
  ['boolean', ['TRUE'], ['true']],
  ['boolean', ['Adevărat', 'Fals'], ['true', 'false']],
  ['integer', ['0', '1'], ['0', '1']],
  ['integer', ['-0', '5'], ['0', '5']],
  ['decimal', ['1234567890123456.5', '1'], ['1234567890123456.5', '1']],
  ['decimal', ['12345678901234567.00', '1'], ['12345678901234568', '1']],
  ['date', ['2024-02-29', '2024/3/1'], ['2024-02-29', '2024-03-01']],
  ['date', ['31.01.2024', '1.2.2024'], ['2024-01-31', '2024-02-01']],
  ['date', ['03/09/2018', '05/10/2018'], ['2018-09-03', '2018-10-05']],
  ['date', ['03/09/2018', '12/31/2018'], ['2018-03-09', '2018-12-31']],
  ['datetime', ['2021-01-10T17:00:00'], ['2021-01-10T17:00:00Z']],
  [
    'datetime',
    ['2021-01-10T17:00:00+02:00', '2021-01-10 01:00:00.500Z'],
    ['2021-01-10T15:00:00Z', '2021-01-10T01:00:00.5Z'],
  ],
  ['datetime', ['01/02/2006 00:15', '13/02/2006'], ['2006-02-01T00:15:00Z', '2006-02-13T00:00:00Z']],
])('%s: %j', (type, cells, values) => {
  expect(read(cells)).toMatchObject({ type, values })
})

test.each([
  [['0100000000000', '12']],
  [['066', '101']],
  [['1234567890123456', '1']],
  [['NA', '12.5']],
  [['24:30:00', '04:32:00']],
  [['2024-02-30', '2024-01-01']],
  [['NO', 'NO ']],
  [['da', 'yes']],
  [['5.', '6']],
  [['+40721', '12']],
  [['1e5', '2']],
  [['1,234,567,890,123,456', '1']],
  [['3.5', '2,7']],
  [['31.12.2024', '12/31/2024', '13/13/2024']],
  [['2024-01-01 25:00', '2024-01-01 10:00']],
  [['9999-12-31T23:00:00-05:00', '2024-01-01T10:00:00Z']],
  [['1.5E999', '2.5']],
])('stays text: %j', (cells) => {
  expect(read(cells)).toMatchObject({ type: 'string', values: cells.map((cell) => cell.trim()) })
})

test('a power of ten without a fraction is a number beside fractions, and may be a code beside whole numbers', () => {
  expect(read(['0.5', '1e-07', '-3E+5'])).toMatchObject({
    type: 'decimal',
    values: ['0.5', '1e-7', '-300000'],
  })
  expect(read(['0.5', '1e-400']).repairs).toEqual([[], ['rounded']])
  for (const codes of [
    ['1e5', '2e5'],
    ['1e5', '7', '2.0'],
    ['0,5', '1e-07'],
    ['0.5', '1e400'],
  ])
    expect(read(codes).type).toBe('string')
})

test('many long numbers of one length are codes; a few, or of several lengths, are numbers', () => {
  const codes = Array.from({ length: 30 }, (_, i) => String(25_041_000 + i))
  expect(read(codes).type).toBe('string')
  expect(read(codes.slice(0, 5)).type).toBe('integer')
  expect(read([...codes, '7']).type).toBe('integer')
})

test('a comma before three digits depends on the delimiter, and is reported as ambiguous', () => {
  expect(read(['5,294', '12,133'], { delimiter: ',' })).toMatchObject({
    values: ['5294', '12133'],
    ambiguous: '5,294',
  })
  expect(read(['5,294', '12,133'], { delimiter: ';' })).toMatchObject({
    values: ['5.294', '12.133'],
    ambiguous: '5,294',
  })
  expect(read(['5,294', '12,1'], { delimiter: ',' })).toMatchObject({
    type: 'decimal',
    values: ['5.294', '12.1'],
    ambiguous: null,
  })
})

test('cells are trimmed of any white space, and a cell left empty is null', () => {
  const { values, repairs } = read(['M1     ', '\u00a0x\u2003', '\t', 'a b', '\ufeff'])
  expect(values).toEqual(['M1', 'x', null, 'a b', null])
  expect(repairs).toEqual([['trimmed'], ['trimmed'], [], [], []])
})

test('only empty cells and the declared null values are null', () => {
  expect(read(['NA', '-', 'null']).values).toEqual(['NA', '-', 'null'])
  expect(read(['12', ' - ', '..'], { nullValues: ['-', '..'] })).toMatchObject({
    type: 'integer',
    values: ['12', null, null],
  })
})

test('every repair is reported', () => {
  expect(read([' 1.234,50 ', '7,00']).repairs).toEqual([
    ['trimmed', 'decimal_comma', 'thousands_separator'],
    ['decimal_comma'],
  ])
  expect(read(['1.5', '0.12345678901234567']).repairs).toEqual([[], ['rounded']])
  expect(read(['0.1234567890123', '44.56297440000001']).repairs).toEqual([[], []])
  const long = ['100000000000000000000', '12345678901234567890.5', '1e5', '1e-400']
  expect(read(long, { type: 'decimal' }).repairs).toEqual([[], ['rounded'], [], ['rounded']])
  expect(read(['-0', '5'])).toMatchObject({ repairs: [[], []], ambiguous: null })
  expect(read(['1.2.2024', '2024-01-01T00:00:00'], { type: 'datetime' }).repairs).toEqual([
    ['date_format', 'assumed_utc'],
    ['assumed_utc'],
  ])
  expect(read(['da', 'true', '1'], { type: 'boolean' }).repairs).toEqual([
    ['boolean_word'],
    [],
    ['boolean_word'],
  ])
  expect(read(['007', '9007199254740991'], { type: 'integer' })).toMatchObject({
    values: ['7', '9007199254740991'],
    repairs: [['leading_zeros'], []],
  })
})

test.each<[ColumnType, string[], (string | null)[]]>([
  ['integer', ['12', '5.5', 'x', '9007199254740993', '3,00'], ['12', 'invalid', 'invalid', 'invalid', '3']],
  ['decimal', ['3,5', '2.7', 'n/a', '12'], ['3.5', '2.7', 'invalid', '12']],
  [
    'decimal',
    ['100000000000000000000', '12345678901234567890.5', '1e5', '-2E-3', '1e999', '0012'],
    ['100000000000000000000', '12345678901234567000', '100000', '-0.002', 'invalid', '12'],
  ],
  ['integer', ['1e5', '1.5e3', '8.9999999999999999999'], ['invalid', 'invalid', 'invalid']],
  ['boolean', ['da', 'poate', '0'], ['true', 'invalid', 'false']],
  [
    'date',
    ['2024-01-31', '2024-01-31 00:00:00', '2024-01-31 10:00', '31/31/2024'],
    ['2024-01-31', '2024-01-31', 'invalid', 'invalid'],
  ],
  [
    'date',
    ['12/31/2024', '01/02/2024', '30/01/2024', '11/30/2024'],
    ['2024-12-31', '2024-01-02', 'invalid', '2024-11-30'],
  ],
  ['datetime', ['2024-01-31', '25:00', '2024-01-31 24:00'], ['2024-01-31T00:00:00Z', 'invalid', 'invalid']],
  ['string', ['007', '1,5'], ['007', '1,5']],
])('declared %s: what does not fit is reported, the rest is read', (type, cells, values) => {
  expect(read(cells, { type }).values).toEqual(values)
})

test('numbers written in any style mean what they meant', () => {
  const styles = [
    (digits: string, fraction: string) => `${digits}.${fraction}`,
    (digits: string, fraction: string) => `${digits},${fraction}`,
    (digits: string, fraction: string) => `${group(digits, ',')}.${fraction}`,
    (digits: string, fraction: string) => `${group(digits, '.')},${fraction}`,
    (digits: string, fraction: string) => `${group(digits, ' ')},${fraction}`,
  ]
  const amount = fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 99 }))
  fc.assert(
    fc.property(
      fc.array(amount, { minLength: 1, maxLength: 20 }),
      fc.constantFrom(...styles),
      (amounts, style) => {
        const cells = amounts.map(([whole, cents]) => style(String(whole), String(cents).padStart(2, '0')))
        const expected = amounts.map(([whole, cents]) =>
          String(Number(`${whole}.${String(cents).padStart(2, '0')}`) || 0),
        )
        expect(read(cells).values).toEqual(expected)
      },
    ),
  )
})

test('days and instants come back unchanged, in any order of day, month and year', () => {
  const day = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  const write = [
    (y: string, m: string, d: string) => `${y}-${m}-${d}`,
    (y: string, m: string, d: string) => `${d}.${m}.${y}`,
    (y: string, m: string, d: string) => `${Number(d)}/${Number(m)}/${y}`,
  ]
  fc.assert(
    fc.property(fc.array(day, { minLength: 1, maxLength: 10 }), fc.constantFrom(...write), (days, style) => {
      const expected = days.map((date) => date.toISOString().slice(0, 10))
      const cells = expected.map((text) => style(...(text.split('-') as [string, string, string])))
      expect(read(cells, { type: 'date' }).values).toEqual(expected)
      const times = days.map((date) => date.toISOString().replace(/\.?0*Z$/, 'Z'))
      expect(read(days.map((date) => date.toISOString())).values).toEqual(times)
    }),
  )
})

test('any text at all is read without an error, as text', () => {
  // Control characters of Latin-1 are repaired, as another test says.
  const text = fc.string({ unit: 'binary' }).map((binary) => binary.replace(/[\u0080-\u009f]/g, '_'))
  const cell = fc.oneof(text, fc.stringMatching(/^[-+0-9.,:/ TZe]{1,24}$/))
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 8 }), (cells) => {
      const { values } = read(cells, { type: 'string' })
      const edges = /^[\s\u200b\u200e\u200f\u2060]+|[\s\u200b\u200e\u200f\u2060]+$/g
      expect(values).toEqual(cells.map((text) => text.toWellFormed().replace(edges, '') || null))
      for (const type of ['integer', 'decimal', 'boolean', 'date', 'datetime'] as const) read(cells, { type })
      expect(read(cells).values).not.toContain('invalid')
    }),
    { numRuns: runs(2000) },
  )
})

function group(digits: string, separator: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, separator)
}
