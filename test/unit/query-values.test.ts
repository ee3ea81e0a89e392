import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ColumnType, Value } from '../../src/engine/columns/column.ts'
import { coerceValue, isRefusal, splitList } from '../../src/query/values.ts'

const ACCEPTED: readonly [ColumnType, string, Value][] = [
  ['string', '', ''],
  ['string', ' a ', ' a '],
  ['integer', '5', 5],
  ['integer', '-5', -5],
  ['integer', '5.0', 5],
  ['integer', '007', 7],
  ['integer', '-0', 0],
  ['integer', '9007199254740991', 9007199254740991],
  ['integer', '-9007199254740991', -9007199254740991],
  ['decimal', '1.50', 1.5],
  ['decimal', '-0.0', 0],
  ['decimal', '12', 12],
  ['decimal', '1e-7', 1e-7],
  ['decimal', '-1.5e+21', -1.5e21],
  ['integer', '1e3', 1000],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['date', '2024-02-29', '2024-02-29'],
  ['date', '0001-01-01', '0001-01-01'],
  ['datetime', '2021-01-10T17:00:00Z', '2021-01-10T17:00:00Z'],
  ['datetime', '2021-01-10t17:00:00z', '2021-01-10T17:00:00Z'],
  ['datetime', '2021-01-10', '2021-01-10T00:00:00Z'],
  ['datetime', '2021-01-10T17:00:00.500Z', '2021-01-10T17:00:00.5Z'],
  ['datetime', '2021-01-10T17:00:00.000Z', '2021-01-10T17:00:00Z'],
  ['datetime', '2021-01-01T01:30:00+02:00', '2020-12-31T23:30:00Z'],
  ['datetime', '2020-12-31T23:30:00.25-01:45', '2021-01-01T01:15:00.25Z'],
]

const REFUSED: readonly [ColumnType, string, string, string | undefined][] = [
  ['integer', '', 'not an integer', undefined],
  ['integer', '1.5', 'not a whole number', undefined],
  ['integer', '+5', 'not an integer', '5'],
  ['integer', ' 5', 'not an integer', '5'],
  ['integer', '1e-3', 'not a whole number', undefined],
  ['integer', '1E3', 'not an integer', '1e3'],
  ['integer', '1e16', 'outside of ±9007199254740991', undefined],
  ['decimal', '1e 21', 'not a number', '1e21'],
  ['decimal', '1e400', 'outside of the range', undefined],
  ['integer', '0x10', 'not an integer', undefined],
  ['integer', '9007199254740992', 'outside of ±9007199254740991', undefined],
  ['integer', '-9007199254740992', 'outside of ±9007199254740991', undefined],
  ['decimal', '1,5', 'not a number', '1.5'],
  ['decimal', '.5', 'not a number', '0.5'],
  ['decimal', '5.', 'not a number', undefined],
  ['decimal', 'NaN', 'not a number', undefined],
  ['decimal', `1${'0'.repeat(400)}`, 'outside of the range', undefined],
  ['boolean', 'da', 'not a boolean', 'true'],
  ['boolean', 'Nu', 'not a boolean', 'false'],
  ['boolean', 'TRUE', 'not a boolean', 'true'],
  ['boolean', '1', 'not a boolean', 'true'],
  ['boolean', 'constructor', 'not a boolean', 'true'],
  ['date', '2023-02-29', 'not a day of the calendar', undefined],
  ['date', '2023-13-01', 'not a day of the calendar', undefined],
  ['date', '31.01.2023', 'not a date', '2023-01-31'],
  ['date', '2023-01-31T10:00:00Z', 'not a date', '2023-01-31'],
  ['datetime', '2021-01-10T17:00:00 02:00', '%2B', '2021-01-10T17:00:00%2B02:00'],
  ['datetime', '2021-01-10T17:00:00', 'RFC 3339', '2021-01-10T17:00:00Z'],
  ['datetime', '2021-01-10 17:00:00Z', 'RFC 3339', '2021-01-10T17:00:00Z'],
  ['datetime', '2021-02-30T00:00:00Z', 'not a moment', undefined],
  ['datetime', '2021-01-01T24:00:00Z', 'not a moment', undefined],
  ['datetime', '2021-01-01T00:00:00+24:00', 'not a moment', undefined],
  ['datetime', '0000-01-01T00:00:00+00:01', 'not a moment', undefined],
]

describe('filter values', () => {
  test.each(ACCEPTED)('a %s column takes %p', (type, text, value) => {
    expect(coerceValue(type, text)).toBe(value)
  })

  test.each(REFUSED)('a %s column refuses %p', (type, text, reason, suggestion) => {
    const result = coerceValue(type, text)
    if (!isRefusal(result)) throw new Error(`taken as ${result}`)
    expect(result.message).toContain(reason)
    if (suggestion === undefined) expect(result.suggestions).toBeUndefined()
    else expect(result.suggestions?.[0]).toBe(suggestion)
  })

  test.each([
    ['decimal', '6674,4', ['6674.4']],
    ['decimal', '6.674,4', ['6674.4']],
    ['decimal', '6,674.4', ['6674.4']],
    ['decimal', '6 674,4', ['6674.4']],
    ['decimal', '6\u00a0674', ['6674']],
    ['decimal', '\u22121,5', ['-1.5']],
    ['decimal', '1,000', ['1000', '1']],
    ['decimal', '1,234', ['1234', '1.234']],
    ['decimal', '+1.234', ['1.234', '1234']],
    ['integer', ' 1.000', ['1', '1000']],
    ['decimal', '12.5 ', ['12.5']],
    ['decimal', '0,123', ['0.123']],
    ['integer', '1,000', ['1000', '1']],
    ['integer', '1,500', ['1500']],
    ['integer', '1.500', ['1500']],
    ['integer', '-1.234.567', ['-1234567']],
    ['integer', '1,5', undefined],
  ] as const)('a %s column suggests for %p what it may be', (type, text, suggestions) => {
    const result = coerceValue(type, text)
    if (!isRefusal(result)) throw new Error(`taken as ${result}`)
    expect(result.suggestions).toEqual(suggestions as string[] | undefined)
    expect(result.message.includes('thousands or decimals')).toBe(suggestions?.length === 2)
  })

  test('every integer and every double comes back as lists write it', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) =>
        Object.is(coerceValue('integer', String(value)), value + 0),
      ),
    )
    const doubles = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(fc.property(doubles, (value) => Object.is(coerceValue('decimal', String(value)), value + 0)))
  })

  test('every moment with an offset becomes the same moment in UTC', () => {
    const moments = fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
    const offsets = fc.integer({ min: -1439, max: 1439 })
    const two = (number: number) => String(number).padStart(2, '0')
    fc.assert(
      fc.property(moments, offsets, (moment, offset) => {
        const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, 19)
        const ahead = Math.abs(offset)
        const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`
        expect(coerceValue('datetime', local + zone)).toBe(`${moment.toISOString().slice(0, 19)}Z`)
      }),
    )
  })
})

describe('lists of in and not_in', () => {
  test.each([
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    [' a , b ', [' a ', ' b ']],
    ['"a,b",c', ['a,b', 'c']],
    ['"say ""hi"""', ['say "hi"']],
    ['5" pipe', ['5" pipe']],
    ['""', ['']],
  ])('%p is %p', (text, items) => {
    expect(splitList(text)).toEqual(items)
  })

  test.each([
    ['', 'the list is empty'],
    ['a,,b', 'empty item'],
    [',a', 'empty item'],
    ['a,', 'empty item'],
    ['"a', 'not closed'],
    ['"a""', 'not closed'],
    ['"a"b,c', 'comma must follow'],
  ])('%p is refused', (text, reason) => {
    const result = splitList(text)
    if (Array.isArray(result)) throw new Error('taken')
    expect((result as { message: string }).message).toContain(reason)
  })

  test('any texts survive being written as a list', () => {
    const write = (items: string[]) => items.map((item) => `"${item.replaceAll('"', '""')}"`).join()
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (items) => {
        expect(splitList(write(items))).toEqual(items)
      }),
    )
  })
})
