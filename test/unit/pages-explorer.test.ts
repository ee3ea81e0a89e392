import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Value } from '../../src/engine/columns/column.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import { isColumnFilter } from '../../src/engine/query.ts'
import { countValues } from '../../src/engine/value-counts.ts'
import { type Chart, makeChart } from '../../src/pages/explorer/chart.ts'
import {
  type Question,
  questionAddress,
  readForm,
  readQuestionText,
  turnSort,
  withoutFilter,
  writeQuestion,
} from '../../src/pages/explorer/question.ts'
import { showNumber, toExplorerColumn } from '../../src/pages/explorer/shown-column.ts'
import { snippetsFor } from '../../src/pages/explorer/snippets.ts'
import { parseListQuery } from '../../src/query/query.ts'
import { querySchema } from '../../src/query/query-schema.ts'
import { memorySource } from '../support/memory-source.ts'

const COLUMNS = [
  { name: 'county', type: 'string' },
  { name: 'chart', type: 'string' },
  { name: 'sort', type: 'string' },
  { name: 'people', type: 'integer' },
] as const

const ALL = ['filters', 'sort', 'fields', 'offset', 'chart'] as const
const names = fc.constantFrom(...COLUMNS.map(({ name }) => name))

const questions: fc.Arbitrary<Question> = fc.record({
  q: fc.option(fc.string({ minLength: 1 })),
  filters: fc.array(
    fc.record({
      column: names,
      operator: fc.constantFrom('eq', 'contains', 'in'),
      value: fc.string({ minLength: 1, unit: 'binary' }).map((text) => text.toWellFormed()),
    }),
  ),
  sort: fc.uniqueArray(fc.record({ column: names, descending: fc.boolean() }), {
    selector: (one) => one.column,
  }),
  fields: fc.uniqueArray(names),
  offset: fc.nat(),
  chart: fc.option(names),
})

describe('questions', () => {
  test('are read from the address they were written to', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const address = questionAddress('/datasets/x', writeQuestion(question, ALL))
        expect(address).toMatch(/^[\w/?&=%.~,:+-]+$/)
        expect(readQuestionText(new URL(address, 'http://localhost').search)).toEqual(question)
      }),
    )
  })

  test('of columns named like parameters mean the columns', () => {
    const question = readQuestionText('?chart%5Beq%5D=a&sort%5Bcontains%5D=b&chart=people')
    const query = new URL(
      questionAddress('/x', writeQuestion(question, ['filters'])),
      'http://x',
    ).search.slice(1)
    const { filters } = parseListQuery(query, querySchema(COLUMNS))
    expect(filters.map((filter) => isColumnFilter(filter) && [filter.column, filter.operator])).toEqual([
      [1, 'eq'],
      [2, 'contains'],
    ])
    expect(question.chart).toBe('people')
  })

  test('cycle a column through ascending, descending and file order; a change starts at the first page', () => {
    const asked = readQuestionText('?county=Cluj&offset=50')
    const rising = turnSort(asked, 'people')
    expect([rising.sort, rising.offset]).toEqual([[{ column: 'people', descending: false }], 0])
    const falling = turnSort(rising, 'people')
    expect(falling.sort).toEqual([{ column: 'people', descending: true }])
    expect(turnSort(falling, 'people').sort).toEqual([])
    expect(withoutFilter(asked, 0)).toEqual({ ...asked, filters: [], offset: 0 })
  })

  test('come from forms, whose empty fields ask nothing', () => {
    const form = (fields: Record<string, string>) =>
      readForm(
        Object.entries(fields).map(([name, value]) => ({ name, value })),
        COLUMNS.length,
      )
    expect(form({ sort: 'people' })).toBeUndefined()
    expect(form({ 'f.column': 'people', 'f.operator': 'gte', 'f.value': '' })?.filters).toEqual([])
    expect(
      form({ 'county[eq]': 'Cluj', 'f.column': 'people', 'f.operator': 'gte', 'f.value': '5' })?.filters,
    ).toEqual([
      { column: 'county', operator: 'eq', value: 'Cluj' },
      { column: 'people', operator: 'gte', value: '5' },
    ])
  })
})

describe('lines to paste', () => {
  test('hold the address as it is, in quotes that it cannot end', () => {
    const address = questionAddress('https://data.example.org/v1/a/b', [{ name: 'c', value: `'"$(x)\`!*\\` }])
    expect(address).not.toMatch(/['"$`!*\\()]/)
    for (const { text } of snippetsFor(address)) expect(text).toContain(address)
  })
})

describe('charts', () => {
  const draw = (
    type: 'string' | 'integer' | 'decimal' | 'date' | 'datetime' | 'boolean',
    values: (Value | null)[],
  ) => {
    const table = { columns: [{ name: 'c', type }], rows: values.map((value) => [value]) }
    const dataset = OpenDataset.open(memorySource(table))
    return countValues(dataset, 0, [], (counts) => makeChart('c', counts)) as Chart
  }
  const range = (count: number) => Array.from({ length: count }, (_, index) => index)

  test('rank texts by frequency and say what is left', () => {
    const chart = draw('string', [...range(40).map((index) => `v${index % 20}`), 'v7', null, null])
    expect(chart.kind).toBe('ranking')
    expect(chart.bars[0]).toEqual({ label: 'v7', value: 3 })
    expect([chart.bars.length, chart.others, chart.missing, chart.total]).toEqual([12, 16, 2, 43])
  })

  test('keep few numbers in their order', () => {
    expect(draw('integer', [3, 1, 2, 2, 2]).bars.map(({ label }) => label)).toEqual(['1', '2', '3'])
  })

  test('put numbers into ranges that begin at round numbers and hold every row once', () => {
    for (const values of [
      range(1000),
      range(500).map((value) => value / 7 - 20),
      range(99).map((value) => value * 1e12),
    ]) {
      const type = values.every(Number.isInteger) ? 'integer' : 'decimal'
      const { kind, bars, others } = draw(type, values)
      expect([kind, others]).toEqual(['histogram', 0])
      expect(bars.reduce((sum, { value }) => sum + value, 0)).toBe(values.length)
      expect(bars.length).toBeLessThanOrEqual(42)
      for (const [index, bar] of bars.entries()) {
        expect(Number(bar.label)).toBeLessThan(Number(bar.to))
        if (index > 0) expect(bar.label).toBe(bars[index - 1]!.to!)
      }
    }
  })

  test('give every whole number a bar of its own where they are few', () => {
    const { kind, bars } = draw(
      'integer',
      range(35).map((index) => 1990 + index),
    )
    expect([kind, bars.length, bars[0]]).toEqual(['histogram', 35, { label: '1990', value: 1 }])
  })

  test('show days, months or years without gaps', () => {
    const day = (offset: number) => new Date(Date.UTC(2020, 0, 1 + offset)).toISOString().slice(0, 10)
    const days = draw('date', [day(0), day(3)])
    expect([days.kind, days.bars.map(({ value }) => value)]).toEqual(['timeline', [1, 0, 0, 1]])
    const end = draw('date', ['9999-12-30', '9999-12-31', '9999-12-31'])
    expect(end.bars.map(({ value }) => value)).toEqual([1, 2])
    const months = draw('datetime', [`${day(0)}T10:00:00Z`, `${day(400)}T00:00:00Z`])
    expect([months.bars[0]!.label, months.bars.length]).toEqual(['2020-01', 14])
    const years = draw('date', ['1890-05-01', '2020-01-01'])
    expect([years.bars[0]!.label, years.bars.at(-1)!.label, years.bars.length]).toEqual(['1890', '2020', 131])
    const ages = draw('date', ['0001-01-01', '9999-12-31'])
    expect([ages.bars.length, ages.bars[0]!.value, ages.others]).toEqual([400, 1, 1])
  })

  test('of nothing are empty', () => {
    expect(draw('integer', [null]).bars).toEqual([])
    expect(draw('string', []).total).toBe(0)
  })
})

describe('columns as people see them', () => {
  const column = (name: string, more: { title?: string; unit?: string; type?: 'integer' | 'decimal' } = {}) =>
    toExplorerColumn({ name, title: null, unit: null, type: 'integer', description: null, ...more })
  const show = (value: number, language: 'ro' | 'en', ...[name, more]: Parameters<typeof column>) =>
    showNumber(language, column(name, more), value)

  test('amounts have separators, by language', () => {
    expect(show(1234567, 'ro', 'vehicle_count')).toBe('1.234.567')
    expect(show(1234567, 'en', 'vehicle_count')).toBe('1,234,567')
    expect(show(12345.5, 'ro', 'value_lei', { type: 'decimal' })).toBe('12.345,5')
  })

  test('codes, years and other names have none, unless they have a unit', () => {
    for (const name of ['siruta', 'cn8_code', 'cod_postal', 'An_Fabricatie', 'school_id'])
      expect([name, show(179132, 'ro', name)]).toEqual([name, '179132'])
    expect(show(179132, 'ro', 'x', { title: 'Cod SIRUTA' })).toBe('179132')
    expect(show(179132, 'ro', 'nr_elevi', { unit: 'elevi' })).toBe('179.132')
  })
})
