import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Parameter, writeQueryString } from '../../src/base/text/query-string.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import { type Hint, withHints } from '../../src/query/hints.ts'
import { parseListQuery } from '../../src/query/query.ts'
import { querySchema } from '../../src/query/query-schema.ts'
import { memorySource } from '../support/memory-source.ts'
import { matchingRows } from '../support/oracle.ts'
import { runs } from '../support/property-runs.ts'
import { type PlainTable, tables } from '../support/random-table.ts'

const NO_ROWS = new Uint8Array()

/** Operators that refuse an empty text. */
const PARTS: readonly string[] = ['[contains]', '[starts_with]']

const SLIPS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.normalize('NFD').replace(/\p{M}/gu, ''),
  (text) => `${text}x`,
  (text) => text.slice(1),
  (text) => text.replace(/(.)(.)/su, '$2$1'),
  (text) => text.replaceAll('a', 'â'),
]

/** A value of a text column with a slip, as a filter or a word; also filters that nothing near repairs. */
function parametersFor({ columns, rows }: PlainTable): fc.Arbitrary<readonly Parameter[]> {
  const texts = [...columns.entries()].flatMap(([column, { name, type }]) =>
    type === 'string'
      ? rows.flatMap((row) => (row[column] === null ? [] : [{ name, text: String(row[column]) }]))
      : [],
  )
  const numbers = columns.flatMap(({ name, type }, column) =>
    type === 'integer' || type === 'decimal' || type === 'date'
      ? rows.flatMap((row) => (row[column] === null ? [] : [{ name, type, value: row[column]! }]))
      : [],
  )
  if (texts.length === 0 || numbers.length === 0) return fc.constant([])
  const bounds = fc.constantFrom('', '[eq]', '[in]', '[gt]', '[gte]', '[lt]', '[lte]')
  const number = fc
    .tuple(fc.constantFrom(...numbers), bounds, fc.integer({ min: -3, max: 3 }))
    .map(([{ name, type, value }, suffix, off]): Parameter => {
      const shown = type === 'date' ? shiftDay(String(value), off) : String(shiftNumber(Number(value), off))
      return { name: name + suffix, value: shown }
    })
  const place = fc.constantFrom('', '[eq]', '[in]', '[contains]', '[starts_with]', 'q')
  const one = fc
    .tuple(fc.constantFrom(...texts), fc.constantFrom(...SLIPS), place)
    .map(([{ name, text }, slip, suffix]): Parameter => {
      const value = slip(text).toWellFormed()
      if (suffix === 'q') return { name: 'q', value: value.trim() === '' ? '-' : value }
      if (suffix === '[in]') return { name: name + suffix, value: `"${value.replaceAll('"', '""')}"` }
      return { name: name + suffix, value: value === '' && PARTS.includes(suffix) ? '-' : value }
    })
  return fc.uniqueArray(fc.oneof(one, number), { minLength: 1, maxLength: 3, selector: ({ name }) => name })
}

function shiftDay(day: string, days: number): string {
  const shifted = new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
  return /^\d{4}-/.test(shifted) ? shifted : day
}

function shiftNumber(number: number, off: number): number {
  return Number.isSafeInteger(number + off) ? number + off : number
}

function follow(parameters: readonly Parameter[], hints: readonly Hint[]): string {
  const changed = parameters.map(({ name, value }) => ({
    name,
    value: hints.find(({ parameter }) => parameter === name)?.value ?? value,
  }))
  return writeQueryString(changed)
}

/** Its beginning is nothing but a diacritic, of which nothing is left to compare. */
const MARK: [PlainTable, Parameter[][]] = [
  { columns: [{ name: 'text', type: 'string' }], rows: [['\u0301'], ['日本語']] },
  [
    [
      { name: 'text[starts_with]', value: '\u0301' },
      { name: 'text', value: '日本語' },
    ],
  ],
]

test('a query that follows its hints finds the rows that they promise', async () => {
  const cases = tables().chain((table) =>
    fc.tuple(fc.constant(table), fc.array(parametersFor(table), { maxLength: 12 })),
  )
  let hinted = 0
  await fc.assert(
    fc.asyncProperty(cases, async ([table, questions]) => {
      const dataset = new OpenDataset(memorySource(table))
      const schema = querySchema(table.columns)
      for (const parameters of questions) {
        const { filters } = parseListQuery(writeQueryString(parameters), schema)
        const answer: { rows: Uint8Array; hints?: readonly Hint[] } = { rows: NO_ROWS }
        const { hints } = await withHints(dataset, { filters, parameters }, answer)
        if (hints === undefined) continue
        hinted++
        expect(matchingRows(table, filters)).toEqual([])
        const found = (followed: readonly Hint[]) =>
          matchingRows(table, parseListQuery(follow(parameters, followed), schema).filters).length
        // Each separately where every filter matches something, else all together.
        const isAlone = hints.every((hint) => found([hint]) === hint.rows)
        expect([hints, isAlone || hints.every(({ rows }) => found(hints) === rows)]).toEqual([hints, true])
        for (const { rows } of hints) expect(rows).toBeGreaterThan(0)
      }
    }),
    { numRuns: runs(250), examples: [[MARK]] },
  )
  expect(hinted).toBeGreaterThan(0)
})

const NUMBERS: PlainTable = {
  columns: [
    { name: 'n', type: 'integer' },
    { name: 'day', type: 'date' },
  ],
  rows: [40, 50, 60].map((n) => [
    n,
    `2024-01-${n}`.replace('40', '10').replace('50', '20').replace('60', '30'),
  ]),
}

test.each([
  [
    'n=51',
    [
      ['n', '50', 1],
      ['n', '60', 1],
    ],
  ],
  ['n[eq]=70', [['n[eq]', '60', 1]]],
  [
    'n[in]=51,52',
    [
      ['n[in]', '50,52', 1],
      ['n[in]', '60,52', 1],
    ],
  ],
  ['n[gte]=61', [['n[gte]', '60', 1]]],
  ['n[gt]=60', [['n[gt]', '50', 1]]],
  ['n[lt]=40', [['n[lt]', '50', 1]]],
  ['n[lte]=1', [['n[lte]', '40', 1]]],
  [
    'n[gte]=51&n[lte]=59',
    [
      ['n[gte]', '50', 1],
      ['n[lte]', '60', 1],
    ],
  ],
  [
    'day=2024-01-21',
    [
      ['day', '2024-01-20', 1],
      ['day', '2024-01-30', 1],
    ],
  ],
  ['day[gte]=2025-01-01', [['day[gte]', '2024-01-30', 1]]],
  ['n[ne]=40&n[lt]=50', [['n[lt]', '60', 1]]],
] as const)('%s names the nearest values below and above', async (query, expected) => {
  const dataset = new OpenDataset(memorySource(NUMBERS))
  const { filters, parameters } = parseListQuery(query.replaceAll('[', '%5B'), querySchema(NUMBERS.columns))
  const answer: { rows: Uint8Array; hints?: readonly Hint[] } = { rows: NO_ROWS }
  const { hints = [] } = await withHints(dataset, { filters, parameters }, answer)
  expect(hints.map(({ parameter, value, rows }) => [parameter, value, rows])).toEqual(expected as never)
})
