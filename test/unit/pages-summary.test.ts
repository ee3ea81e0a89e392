import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readQueryString } from '../../src/base/text/query-string.ts'
import type { AggregateQuery } from '../../src/engine/aggregate/group-query.ts'
import { countValues } from '../../src/engine/filter/code-counts.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import { cutsOf, drawnNumbersOf, numbersOf, scaleOf } from '../../src/pages/chart/chart.ts'
import { INK } from '../../src/pages/chart/ink.ts'
import {
  extentsOf,
  lanesOf,
  momentOf,
  namedMoments,
  periodAt,
  ticksOf,
} from '../../src/pages/chart/scales.ts'
import { measureText } from '../../src/pages/question/measures.ts'
import { readQuestionText } from '../../src/pages/question/question.ts'
import { remainder } from '../../src/pages/summary/chart-figures.ts'
import { type Choice, readChoice, summaryAddress } from '../../src/pages/summary/choice.ts'
import { findFigures, inOrderOf, type Plan } from '../../src/pages/summary/figures.ts'
import { type Range, rangesOf } from '../../src/pages/summary/ranges.ts'
import { rowsOfGroup } from '../../src/pages/summary/shown.ts'
import { formatCompact, formatDigits } from '../../src/pages/texts/texts.ts'
import { aggregatePlainly } from '../support/aggregate-oracle.ts'
import { memorySource } from '../support/memory-source.ts'
import { runs } from '../support/property-runs.ts'
import { aggregateQueriesFor } from '../support/random-aggregate.ts'
import { tables } from '../support/random-table.ts'

const EVERY = { having: [], sort: [], limit: 1e9, offset: 0, count: true }

/** Of the first two groups and the first measure of random questions. */
const PLANS = tables({ mostRows: 60 }).chain((table) =>
  fc.record({
    table: fc.constant(table),
    query: aggregateQueriesFor(table).filter(
      ({ groups, measures }) => groups.length > 0 && measures.length > 0,
    ),
    mostRows: fc.integer({ min: 1, max: 8 }),
    mostColumns: fc.integer({ min: 1, max: 8 }),
    offset: fc.nat(3),
    order: fc.constantFrom('rows' as const, 'measure' as const),
  }),
)

describe('figures of a summary', () => {
  test('every cell and every total equals the oracle’s, whatever is shown', async () => {
    await fc.assert(
      fc.asyncProperty(PLANS, async ({ table, query, ...shown }) => {
        const [rows, columns = null] = query.groups
        const [measure] = query.measures
        const plan: Plan = { ...shown, filters: query.filters, rows: rows!, columns, measure: measure! }
        const figures = await findFigures(new OpenDataset(memorySource(table)), plan)
        const measured = (groups: AggregateQuery['groups']) =>
          new Map(
            aggregatePlainly(table, {
              ...EVERY,
              filters: query.filters,
              groups,
              measures: [measure!],
            }).rows.map((row) => [JSON.stringify(row.slice(0, -1)), row.at(-1)]),
          )
        const byRow = measured([rows!])
        expect(figures.total).toBe(measured([]).get('[]')!)
        expect(figures.rowCount).toBe(byRow.size)
        expect(figures.rows.length).toBe(Math.max(0, Math.min(shown.mostRows, byRow.size - shown.offset)))
        for (const [at, row] of figures.rows.entries())
          expect(figures.rowTotals[at]).toBe(byRow.get(JSON.stringify([row]))!)
        if (columns === null) return
        const byColumn = measured([columns])
        const byBoth = measured([rows!, columns])
        expect(figures.columns.length).toBe(Math.min(shown.mostColumns, byColumn.size))
        for (const [across, column] of figures.columns.entries()) {
          expect(figures.columnTotals[across]).toBe(byColumn.get(JSON.stringify([column]))!)
          for (const [at, row] of figures.rows.entries())
            expect(figures.cells[at]![across]).toBe(byBoth.get(JSON.stringify([row, column]))!)
        }
      }),
      { numRuns: runs(500) },
    )
  }, 60_000)
})

describe('columns of a summary', () => {
  const order = (type: 'string' | 'integer' | 'date', ...values: (string | null)[]) =>
    inOrderOf(
      type,
      values.map((value) => [value, '1']),
    ).map(([value]) => value)

  test('are in order of time and of numbers, null last; names as they come, the greatest first', () => {
    expect(order('integer', '10', null, '9', '-1')).toEqual(['-1', '9', '10', null])
    expect(order('string', '2024-02', '2023-11', null)).toEqual(['2023-11', '2024-02', null])
    expect(order('date', '2024-02-01', '2023-11-30')).toEqual(['2023-11-30', '2024-02-01'])
    expect(order('string', 'Vaslui', 'Alba', null, 'Cluj')).toEqual(['Vaslui', 'Alba', null, 'Cluj'])
  })
})

describe('addresses of a summary', () => {
  test('read back as written, beside filters on columns named like their parameters', () => {
    const choice: Choice = {
      rows: 'month(zi)',
      columns: 'rows',
      measure: 'sum(x)',
      order: 'measure',
      draw: 'columns',
      isEvery: true,
      offset: 50,
    }
    const question = readQuestionText('?q=unu+doi&rows[eq]=a&measure[gte]=5')
    const address = summaryAddress({ dataset: { id: 'x' }, chosenLanguage: undefined }, choice, question)
    expect(readChoice(readQueryString(address.split('?')[1]!).parameters)).toEqual({ choice, question })
  })

  test('lead from a group to its rows, replacing wider filters', () => {
    const asked = readQuestionText('?zi[gte]=2020-01-01&judet=Cluj&judet=Alba')
    const filters = (column: string, part: Parameters<typeof rowsOfGroup>[2]['part'], value: string | null) =>
      rowsOfGroup(asked, column, { part }, value)?.filters.map(
        (one) => `${one.column} ${one.operator} ${one.value}`,
      )
    expect(filters('judet', null, 'Cluj')).toEqual(['zi gte 2020-01-01', 'judet eq Cluj'])
    expect(filters('zi', 'month', '2024-02')).toEqual([
      ...['judet eq Cluj', 'judet eq Alba', 'zi gte 2024-02-01', 'zi lt 2024-03-01'],
    ])
    expect(filters('zi', 'quarter', '2021-Q1')?.slice(2)).toEqual(['zi gte 2021-01-01', 'zi lt 2021-04-01'])
    expect(filters('zi', 'year', '2100')?.slice(2)).toEqual(['zi gte 2100-01-01', 'zi lt 2101-01-01'])
    expect(filters('zi', 'day', '2024-05-06')?.at(-1)).toBe('zi eq 2024-05-06')
    expect(filters('judet', null, null)?.at(-1)).toBe('judet is_null true')
    expect(filters('judet', null, '')).toBeUndefined()
  })

  test('the bounds of a period keep the reader’s own where those are narrower', () => {
    const bounds = (own: readonly [string, string][], part: 'year' | 'month', value: string) => {
      const filters = own.map(([operator, text]) => ({ column: 'zi', operator, value: text }))
      const question = { ...readQuestionText(''), filters }
      return rowsOfGroup(question, 'zi', { part }, value)?.filters.map(
        (one) => `${one.operator} ${one.value}`,
      )
    }
    expect(bounds([['gte', '2020-06-01']], 'year', '2020')).toEqual(['gte 2020-06-01', 'lt 2021-01-01'])
    expect(bounds([['lt', '2020-06-01T12:00:00+02:00']], 'year', '2020')).toEqual([
      ...['gte 2020-01-01', 'lt 2020-06-01T12:00:00+02:00'],
    ])
    expect(
      bounds(
        [
          ['gte', '2019-01-01'],
          ['gte', '2020-03-01'],
        ],
        'year',
        '2020',
      ),
    ).toEqual(['gte 2020-01-01', 'lt 2021-01-01'])
    expect(bounds([['lte', '2020-02-10']], 'month', '2020-02')).toEqual([
      'lte 2020-02-10',
      'gte 2020-02-01',
      'lt 2020-03-01',
    ])
    expect(bounds([], 'year', '9999')).toEqual(['gte 9999-01-01'])
    expect(bounds([], 'year', '987')).toEqual(['gte 0987-01-01', 'lt 0988-01-01'])
    expect(bounds([], 'month', '2020-12')).toEqual(['gte 2020-12-01', 'lt 2021-01-01'])
  })
})

describe('scales', () => {
  const numbers = fc.array(fc.option(fc.double({ min: -1e9, max: 1e9, noNaN: true })), {
    minLength: 1,
    maxLength: 6,
  })

  test('bars share one baseline, lie within the drawing, and are as long as their values', () => {
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 1, maxLength: 5 }), fc.boolean(), (given, isStacked) => {
        const rows = isStacked ? given.map((row) => row.map((value) => value && Math.abs(value))) : given
        const [least, most] = extentsOf(rows, isStacked)
        fc.pre(most - least > 1e-3)
        const at = (value: number) => (value - least) / (most - least)
        for (const row of rows) {
          const lanes = lanesOf(row, isStacked, at)
          expect(lanes.length).toBe(isStacked ? 1 : row.length)
          for (const { series, from, to } of lanes.flat()) {
            expect(Math.min(from, 1 - to)).toBeGreaterThanOrEqual(-1e-9)
            expect(Math.abs(to - from - Math.abs(row[series]!) / (most - least))).toBeLessThan(1e-6)
          }
          for (const [first] of lanes)
            if (first)
              expect(Math.min(Math.abs(first.from - at(0)), Math.abs(first.to - at(0)))).toBeLessThan(1e-9)
        }
      }),
    )
  })

  test('the others do not set the scale: a longer bar is cut at its end, and its pieces keep their shares', () => {
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 2, maxLength: 5 }), fc.boolean(), (given, isStacked) => {
        const isLast = (index: number) => index === given.length - 1
        const rows = given.map((row, at) => {
          const values = Array.from({ length: given[0]!.length }, (_, index) => {
            const value = row[index] ?? null
            return value === null ? null : String(isStacked ? Math.abs(value) : value)
          })
          return { label: '', at, values, total: null, isOthers: isLast(at) }
        })
        const [least, most] = scaleOf({ rows, isStacked })
        const named = extentsOf(rows.slice(0, -1).map(numbersOf), isStacked)
        fc.pre(named[1] - named[0] > 1e-3)
        expect([least, most]).toEqual(named)
        for (const [index, row] of rows.entries()) {
          const drawn = drawnNumbersOf({ rows, isStacked }, row)
          const cuts = cutsOf({ rows, isStacked }, row)
          if (!isLast(index) || cuts.every((cut) => cut === null)) expect(drawn).toEqual(numbersOf(row))
          const [low, high] = extentsOf([drawn], isStacked)
          const slack = (most - least) * 1e-9
          expect(low).toBeGreaterThanOrEqual(least - slack)
          expect(high).toBeLessThanOrEqual(most + slack)
          if (isStacked && typeof cuts[0] === 'number') {
            const sum = numbersOf(row).reduce<number>((all, value) => all + (value ?? 0), 0)
            for (const [series, value] of numbersOf(row).entries())
              expect(Math.abs((drawn[series] ?? 0) / high - (value ?? 0) / sum)).toBeLessThan(1e-9)
          }
        }
      }),
    )
  })

  test('the rest of a total is exact', () => {
    expect(remainder('1000000000000000000000.30', ['999999999999999999999.1', null, '0.2', undefined])).toBe(
      '1',
    )
    expect([remainder('5', []), remainder(null, ['1']), remainder('-2.5', ['0.25'])]).toEqual([
      '5',
      null,
      '-2.75',
    ])
  })

  test('have the short numbers of each language', () => {
    const ticks = [0, 0.25, 2500, 200_000, 1_500_000, -3e9]
    expect(ticks.map((tick) => formatCompact('ro', tick).replaceAll('\u00a0', ' '))).toEqual([
      ...['0', '0,25', '2.500', '200.000', '1,5 mil.', '-3 mld.'],
    ])
    expect(ticks.map((tick) => formatCompact('en', tick))).toEqual([
      '0',
      '0.25',
      '2.5k',
      '200k',
      '1.5m',
      '-3bn',
    ])
  })

  test('ticks are round, evenly spaced, and enclose zero and every value', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1e12, max: 1e12, noNaN: true }), { minLength: 1 }), (values) => {
        fc.pre(Math.max(...values.map(Math.abs)) > 1e-6)
        const ticks = ticksOf(values)
        expect(ticks.length).toBeGreaterThan(2)
        expect(ticks.length).toBeLessThan(8)
        expect(ticks).toContain(0)
        const slack = Math.abs(ticks[1]! - ticks[0]!) * 1e-9
        expect(ticks[0]!).toBeLessThanOrEqual(Math.min(...values) + slack)
        expect(ticks.at(-1)!).toBeGreaterThanOrEqual(Math.max(...values) - slack)
      }),
    )
  })

  test('periods follow the order and distance of time', () => {
    expect(momentOf('year', '2024') - momentOf('year', '2021')).toBe(3)
    expect(momentOf('quarter', '2024-Q1') - momentOf('quarter', '2023-Q4')).toBe(1)
    expect(momentOf('month', '2024-01') - momentOf('month', '2022-12')).toBe(13)
    expect(momentOf('day', '2024-03-01') - momentOf(null, '2024-02-28')).toBe(2)
    expect(momentOf(null, '2024-01-02T12:00:00Z') - momentOf('day', '2024-01-02')).toBe(0.5)
  })
})

test('pictures have the colours of the light page', async () => {
  const read = (file: string) =>
    Bun.file(new URL(`../../src/pages/style/${file}.css`, import.meta.url)).text()
  const styles = (await read('base')) + (await read('summary'))
  const light = (name: string) => new RegExp(`--${name}: light-dark\\((#\\w+),`).exec(styles)?.[1]
  for (let index = 0; index < 9; index++) expect(INK.series(index)).toBe(light(`series-${index}`)!)
  expect([INK.text, INK.soft, INK.rule, INK.axis]).toEqual(
    ['ink', 'ink-soft', 'rule', 'rule-strong'].map((name) => light(name)!),
  )
})

describe('time axes', () => {
  test('periods and their moments convert both ways', () => {
    for (const [part, text] of [
      ...[
        ['year', '1987'],
        ['quarter', '2023-Q4'],
        ['quarter', '2024-Q1'],
        ['month', '2024-12'],
        ['month', '2025-01'],
      ],
      ['day', '2024-02-29'],
    ] as const)
      expect(periodAt(part as 'year', momentOf(part as 'year', text!))).toBe(text!)
    expect(momentOf('year', 'altele')).toBeNaN()
  })

  test('name the first and the newest moment, and a few between', () => {
    expect(namedMoments(1990, 2024, 5)).toEqual([1990, 2000, 2010, 2024])
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 1, max: 9000 }), (first, span) => {
        const named = namedMoments(first, first + span, 5)
        expect([named[0], named.at(-1)]).toEqual([first, first + span])
        expect(named.length).toBeLessThanOrEqual(6)
        expect(named).toEqual(named.toSorted((a, b) => a - b))
      }),
    )
  })
})

describe('ranges', () => {
  const rangesFor = (type: 'integer' | 'decimal', values: readonly number[]) => {
    const table = { columns: [{ name: 'c', type }], rows: values.map((value) => [value]) }
    return countValues(new OpenDataset(memorySource(table)), 0, [], rangesOf) as Range[]
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

  test('begin at round numbers and hold every row once', () => {
    for (const values of [
      upTo(1000),
      upTo(500).map((value) => value / 7 - 20),
      upTo(99).map((value) => value * 1e12),
    ]) {
      const ranges = rangesFor(values.every(Number.isInteger) ? 'integer' : 'decimal', values)
      expect(ranges.reduce((sum, { rows }) => sum + rows, 0)).toBe(values.length)
      expect(ranges.length).toBeLessThanOrEqual(42)
      for (const [index, range] of ranges.entries()) {
        expect(Number(range.from)).toBeLessThan(Number(range.to))
        if (index > 0) expect(range.from).toBe(ranges[index - 1]!.to!)
      }
    }
  })

  test('are single whole numbers where these are few, and absent for few values', () => {
    const years = rangesFor(
      'integer',
      upTo(35).map((index) => 1990 + index),
    )
    expect([years.length, years[0]]).toEqual([35, { from: '1990', to: undefined, rows: 1 }])
    expect(rangesFor('integer', [3, 1, 2, 2, 2])).toEqual([])
    expect(rangesFor('decimal', [])).toEqual([])
  })
})

describe('values', () => {
  test('keep all their digits in either language', () => {
    expect(formatDigits('ro', '12345678901234567890.1250')).toBe('12.345.678.901.234.567.890,1250')
    expect(formatDigits('en', '-1234.5')).toBe('-1,234.5')
    expect(formatDigits('ro', '-0.05')).toBe('-0,05')
    expect(formatDigits('ro', '1e-7')).toBe('0,0000001')
    expect(formatDigits('ro', '2e+21')).toBe('2.000.000.000.000.000.000.000')
  })

  test('means are rounded to what people read, and no number has an exponent', () => {
    const mean = (value: string) => measureText('en', { kind: 'avg', column: 0 }, [], value)
    expect([mean('1234.56789'), mean('0.0123456'), mean('0.0000000123456'), mean('3')]).toEqual([
      ...['1,234.57', '0.0123', '0.0000000123', '3.00'],
    ])
    expect(measureText('en', { kind: 'sum', column: 0 }, [], null)).toBe('–')
  })
})
