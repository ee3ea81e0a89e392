import { expect, test } from 'bun:test'
import { compileFilter, weightOf } from '../../src/engine/aggregate/aggregate.ts'
import type { ResultFilter } from '../../src/engine/aggregate/group-query.ts'

const NUMBERS = Array.from({ length: 2000 }, (_, index) => String(1_000_000 + index))
const filter = (operator: ResultFilter['operator'], operands: ResultFilter['operands']): ResultFilter => ({
  ...{ result: 0, operator, operands },
})

/** Milliseconds that a filter takes for 20,000 numbers of which none passes, by their texts. */
function timeOf(tested: ResultFilter): number {
  const textOf = (group: number) => String(group)
  const passes = compileFilter(tested, 'integer', { places: 'near', textOf })
  let found = 0
  const began = performance.now()
  for (let group = 0; group < 20_000; group++) found += Number(passes(group, Number.NaN))
  expect(found).toBe(0)
  return performance.now() - began
}

test('thousands of alternatives take about as long as one', () => {
  for (const [many, one] of [
    [filter('in', [NUMBERS]), filter('in', [['1000000']])],
    [
      filter(
        'eq',
        NUMBERS.map((number) => [number]),
      ),
      filter('eq', [['1000000']]),
    ],
    [
      filter(
        'gte',
        NUMBERS.map((number) => [number]),
      ),
      filter('gte', [['1000000']]),
    ],
  ] as const) {
    timeOf(one)
    expect(timeOf(many)).toBeLessThan(10 * timeOf(one) + 20)
    expect(weightOf(many)).toBe(1)
  }
})

test('a search for many parts counts as many comparisons', () => {
  expect(weightOf(filter('contains', [['a'], ['b'], ['c']]))).toBe(3)
})

test('alternatives of a bound mean the nearest one, those of an exclusion what all of them exclude', () => {
  const passes = (operator: ResultFilter['operator'], operands: ResultFilter['operands'], text: string) =>
    compileFilter(filter(operator, operands), 'decimal', { places: 'near', textOf: () => text })(
      0,
      Number(text),
    )
  expect(passes('gt', [['5'], ['3.5']], '4')).toBe(true)
  expect(passes('gt', [['5'], ['3.5']], '3.5')).toBe(false)
  expect(passes('lte', [['5'], ['3.5']], '5')).toBe(true)
  expect(passes('lt', [['5.0'], ['3.5']], '5')).toBe(false)
  expect(passes('ne', [['5'], ['6']], '5')).toBe(true)
  expect(passes('not_in', [['5', '6'], ['5.0']], '5')).toBe(false)
  expect(passes('not_in', [['5', '6'], ['5']], '6')).toBe(true)
})
