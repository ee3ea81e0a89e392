import { describe, expect, test } from 'bun:test'
import {
  chosenBeyond,
  facetColumns,
  isChosen,
  listValues,
  MOST_WHOLE,
  turnValue,
} from '../../src/pages/explorer/facets.ts'
import {
  questionAddress,
  questionsOf,
  readQuestionText,
  writeQuestion,
} from '../../src/pages/question/question.ts'

const filtersOf = (question: ReturnType<typeof readQuestionText>) =>
  decodeURIComponent(questionAddress('', writeQuestion(question, ['filters'])))

describe('values listed beside the rows', () => {
  test('are offered for columns whose values repeat and are few enough to choose from', () => {
    const column = (type: 'string' | 'integer' | 'boolean' | 'decimal', distinct_count: number) => ({
      type,
      distinct_count,
    })
    const columns = [
      ...[column('string', 1), column('string', 2), column('string', 1000), column('string', 1001)],
      ...[column('integer', 60), column('integer', 61), column('boolean', 2), column('decimal', 3)],
    ]
    expect(facetColumns(columns, 1e6)).toEqual([1, 2, 4, 6])
    expect(facetColumns(columns, 100)).toEqual([1, 6])
    expect(facetColumns(Array(20).fill(column('boolean', 2)), 100)).toHaveLength(8)
  })

  test('are all listed if there are few, and the most frequent otherwise', () => {
    const facetOf = (distinct: number) => {
      const values = Array.from({ length: Math.min(distinct, MOST_WHOLE) }, (_, at) => ({
        value: `v${at}`,
        count: 100 - at,
      }))
      const listed = values.reduce((rows, { count }) => rows + count, 0)
      return { column: 0, distinct, nulls: 3, other: 5000 - listed, values }
    }
    const few = { ...facetOf(12), other: 0 }
    expect(listValues(few)).toEqual(few)
    const { values, other } = listValues(facetOf(13))
    expect(values.map(({ value }) => value)).toEqual(['v0', 'v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7'])
    expect(values.reduce((rows, { count }) => rows + count, other)).toBe(5000)
  })

  test('of one column are alternatives, selected and cleared one by one', () => {
    const asked = readQuestionText('?an[gte]=2020&judet=Cluj&offset=50')
    expect(isChosen(asked, 'judet', 'CLUJ')).toBe(true)
    const both = turnValue(asked, 'judet', 'Alba')
    expect(filtersOf(both)).toBe('?an[gte]=2020&judet[eq]=Cluj&judet[eq]=Alba')
    expect(both.offset).toBe(0)
    expect(filtersOf(turnValue(both, 'judet', 'cluj'))).toBe('?an[gte]=2020&judet[eq]=Alba')
  })

  test('exclude rows without one, and vice versa', () => {
    const asked = readQuestionText('?judet=Cluj&an=2020')
    const missing = turnValue(asked, 'judet', null)
    expect(filtersOf(missing)).toBe('?an[eq]=2020&judet[is_null]=true')
    expect(isChosen(missing, 'judet', null)).toBe(true)
    expect(filtersOf(turnValue(missing, 'judet', 'Alba'))).toBe('?an[eq]=2020&judet[eq]=Alba')
    expect(filtersOf(turnValue(missing, 'judet', null))).toBe('?an[eq]=2020')
  })

  test('that are selected stay visible where the list omits them', () => {
    const facet = { column: 'judet', nulls: 0, other: 5, values: [{ value: 'Cluj', count: 9 }] }
    expect(chosenBeyond(readQuestionText('?judet=cluj&judet=Alba&an=1'), facet)).toEqual(['Alba'])
  })
})

describe('hints', () => {
  const hint = (parameter: string, value: string, rows: number) => ({ parameter, value, rows })
  const lead = (query: string, ...hints: ReturnType<typeof hint>[]) =>
    questionsOf(readQuestionText(query), hints).map(({ question, rows }) => [filtersOf(question), rows])

  test('on several parameters are followed together, alternatives one by one', () => {
    expect(lead('?judet=Iasi&q=scola', hint('judet[eq]', 'Iași', 4), hint('q', 'școala', 4))).toEqual([
      ['?q=școala&judet[eq]=Iași', 4],
    ])
    expect(lead('?judet=Iasi&an=1', hint('judet', 'Iași', 4), hint('judet', 'Iaşi', 4))).toEqual([
      ['?an[eq]=1&judet[eq]=Iași', 4],
      ['?an[eq]=1&judet[eq]=Iaşi', 4],
    ])
    expect(lead('?a=1&b=2', hint('a', '3', 4), hint('b', '5', 6))).toEqual([
      ['?b[eq]=2&a[eq]=3', 4],
      ['?a[eq]=1&b[eq]=5', 6],
    ])
  })

  test('a column named q is a column', () => {
    expect(lead('?q[eq]=x', hint('q[eq]', 'y', 1))).toEqual([['?q[eq]=y', 1]])
  })
})
