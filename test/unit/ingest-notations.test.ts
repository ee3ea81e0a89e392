/** Numbers of several notations in one column: offered as values, read when the column says so, never guessed. */

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { openWorkplace, writeDefinition } from '../support/ingest.ts'
import { runs } from '../support/property-runs.ts'
import { xlsx } from '../support/workbooks.ts'

const columnsOf = (column: object) => writeDefinition({ id: 'sample', domain: 'test', columns: [column] })

async function notationOf(cells: readonly string[]) {
  const report = await openWorkplace().ingest(`suma;x\n${cells.map((cell) => `${cell};1\n`).join('')}`)
  return report.columns[0]
}

type Written = Readonly<{ whole: number; fraction: string; isComma: boolean; isGrouped: boolean }>

const PLAIN = Array.from({ length: 60 }, (_, i) => `${i * 7}.${10 + i}`)

describe('numbers in another notation', () => {
  test('are offered as values, with what they would be, and never as missing', async () => {
    const column = await notationOf([...PLAIN, '220.264,45', '1.220.264,45', '3,5', '220.264,45'])
    expect(column).toMatchObject({ type: 'string', nearly: null })
    expect(column?.notation).toEqual({
      ...{ type: 'decimal', decimal_mark: '.', exceptions: 3, cells: 4 },
      values: [
        { value: '220.264,45', count: 2, read_as: '220264.45', otherwise: null },
        { value: '1.220.264,45', count: 1, read_as: '1220264.45', otherwise: null },
        { value: '3,5', count: 1, read_as: '3.5', otherwise: null },
      ],
    })
    expect(column?.text_because).toContain(
      `3 of its values are written differently from the others; "decimal_mark": "." of the column in a definition reads '220.264,45' as 220264.45`,
    )
    const one = await notationOf([...PLAIN, '3,5', '3,5'])
    expect(one?.text_because).toStartWith('1 of its values is written differently from the others; ')
  })

  test('with two readings are shown with both, and only what parses as nothing may mean no value', async () => {
    const column = await notationOf([...PLAIN, '1.234', '220.264,45', '-'])
    expect(column?.notation?.values).toEqual([
      { value: '1.234', count: 1, read_as: '1.234', otherwise: '1234' },
      { value: '220.264,45', count: 1, read_as: '220264.45', otherwise: null },
    ])
    expect(column?.nearly).toMatchObject({ exceptions: 1, values: [{ value: '-' }] })
  })

  test('are counted as repaired where the column has a mark, and its other texts stay in the way', async () => {
    const place = openWorkplace()
    const cells = ['12.5', '7', '220.264,45', '1.234', '-']
    const text = `suma;x\n${cells.map((cell) => `${cell};1\n`).join('')}`
    const definition = columnsOf({ name: 'suma', decimal_mark: ',' })
    const asText = await place.ingest(text, { definition })
    expect(asText.columns[0]).toMatchObject({ type: 'string', notation: null })
    const request = { definition, read: { null_values: ['-'] }, acceptDrift: true }
    const { repairs } = await place.ingest(text, request)
    expect(place.rows().map(({ suma }) => suma)).toEqual([12.5, 7, 220264.45, 1234, null])
    expect(repairs).toContainEqual({ column: 'suma', kind: 'thousands_separator', count: 2 })
    expect(repairs).toContainEqual({ column: 'suma', kind: 'decimal_comma', count: 1 })
  })

  test('are texts among the numbers of a workbook too, whose own numbers are never ambiguous', async () => {
    const rows = [['suma', 'x'], ...[12.5, 1.234, '220.264,45', 8].map((cell) => [cell, 1])]
    const place = openWorkplace()
    const request = { definition: columnsOf({ name: 'suma', decimal_mark: '.' }) }
    const file = xlsx([{ name: 'S', rows, merges: [] }])
    const { columns } = await place.ingest(file)
    expect(columns[0]?.notation?.values).toEqual([
      { value: '220.264,45', count: 1, read_as: '220264.45', otherwise: null },
    ])
    await place.ingest(file, { ...request, acceptDrift: true })
    expect(place.rows().map(({ suma }) => suma)).toEqual([12.5, 1.234, 220264.45, 8])
  })

  test('do not count as another notation where they are codes, or where one notation reads all', async () => {
    expect((await notationOf(['007', '12.5', '3,5']))?.type).toBe('string')
    expect((await notationOf(['1.234,5', '7', '12,5']))?.type).toBe('decimal')
    expect((await notationOf(['abc', 'def', '12.5', '3,5']))?.notation).toBeNull()
  })
})

test.each([
  ['boolean', ['da', 'nu', 'da', 'nu', 'nu', 'da', 'da', 'nu', 'nu', 'da', 'yes'], 'yes', 'true'],
  ['date', [...Array.from({ length: 12 }, (_, i) => `${10 + i}.01.2024`), '45321'], '45321', '2024-01-30'],
])(
  'a value of a column of %ss in another notation is one when the type is declared',
  async (type, cells, value, as) => {
    const column = await notationOf(cells)
    expect(column?.nearly).toBeNull()
    expect(column?.notation).toMatchObject({
      ...{ type, decimal_mark: null, cells: 1 },
      values: [{ value, count: 1, read_as: as, otherwise: null }],
    })
  },
)

test('mixed numbers of both notations read back exactly, by the mark where they are ambiguous', async () => {
  const grouped = (whole: number, sign: string) => String(whole).replaceAll(/\B(?=(?:\d{3})+$)/g, sign)
  const number: fc.Arbitrary<Written> = fc.record({
    whole: fc.nat(99_999_999),
    fraction: fc.stringMatching(/^\d{0,4}$/),
    isComma: fc.boolean(),
    isGrouped: fc.boolean(),
  })
  const write = ({ whole, fraction, isComma, isGrouped }: Written) => {
    const [mark, sign] = isComma ? [',', '.'] : ['.', ',']
    return `${isGrouped ? grouped(whole, sign) : whole}${fraction === '' ? '' : mark}${fraction}`
  }
  /** One sign with one to three digits before it and three after is a decimal mark only where the column says so. */
  const OPEN = /^[1-9]\d{0,2}[.,]\d{3}$/
  const readBy = (text: string, mark: string, { whole, fraction }: Written) => {
    if (!OPEN.test(text)) return Number(`${whole}.${fraction}`)
    const [before, after] = text.split(/[.,]/)
    return Number(text.includes(mark) ? `${before}.${after}` : `${before}${after}`)
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(number, { minLength: 1, maxLength: 30 }),
      fc.constantFrom('.', ','),
      async (numbers, mark) => {
        const cells = numbers.map(write)
        const place = openWorkplace()
        const text = `suma;x\n${cells.map((cell) => `${cell};1\n`).join('')}`
        await place.ingest(text, { definition: columnsOf({ name: 'suma', decimal_mark: mark }) })
        const expected = numbers.map((one, at) => readBy(cells[at] as string, mark, one))
        expect(place.rows().map(({ suma }) => suma)).toEqual(expected)
      },
    ),
    { numRuns: runs(200) },
  )
})
