import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isColumnFilter } from '../../src/engine/row-query.ts'
import { snippetsFor, tableSnippetsFor } from '../../src/pages/explorer/code-panel.tsx'
import {
  type Question,
  questionAddress,
  readForm,
  readQuestionText,
  turnSort,
  withoutFilter,
  writeQuestion,
} from '../../src/pages/question/question.ts'
import { showValue, toExplorerColumn } from '../../src/pages/question/shown-column.ts'
import { parseListQuery } from '../../src/query/query.ts'
import { querySchema } from '../../src/query/query-schema.ts'

const COLUMNS = [
  { name: 'county', type: 'string' },
  { name: 'chart', type: 'string' },
  { name: 'sort', type: 'string' },
  { name: 'people', type: 'integer' },
] as const

const ALL = ['filters', 'sort', 'fields', 'offset'] as const
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

  test('about columns named like parameters mean the columns', () => {
    const question = readQuestionText('?chart%5Beq%5D=a&sort%5Bcontains%5D=b')
    const query = new URL(
      questionAddress('/x', writeQuestion(question, ['filters'])),
      'http://x',
    ).search.slice(1)
    const { filters } = parseListQuery(query, querySchema(COLUMNS))
    expect(filters.map((filter) => isColumnFilter(filter) && [filter.column, filter.operator])).toEqual([
      [1, 'eq'],
      [2, 'contains'],
    ])
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

  test('come from forms, whose empty fields add nothing', () => {
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
  test('hold the address unchanged, in quotes that it cannot close', () => {
    const address = questionAddress('https://data.example.org/v1/a/b', [{ name: 'c', value: `'"$(x)\`!*\\` }])
    expect(address).not.toMatch(/['"$`!*\\()]/)
    for (const { text } of [...snippetsFor(address), ...tableSnippetsFor(address)])
      expect(text).toContain(address)
  })
})

const NOTHING_KNOWN = { title: null, unit: null, description: null, min: null, max: null }

describe('columns as people see them', () => {
  const column = (name: string, more: { title?: string; unit?: string; type?: 'integer' | 'decimal' } = {}) =>
    toExplorerColumn({ ...NOTHING_KNOWN, name, type: 'integer', ...more })
  const show = (value: number, language: 'ro' | 'en', ...[name, more]: Parameters<typeof column>) =>
    showValue(language, column(name, more), value)

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
