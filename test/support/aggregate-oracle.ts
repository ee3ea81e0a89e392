/**
 * Groups and measures over plain rows, as slow and obvious as possible, to compare the engine's answers with. Numbers are
 * exact fractions. It shares no code with the engine, only the types of queries.
 */

import type {
  AggregatePage,
  AggregateQuery,
  DatePart,
  GroupKey,
  Measure,
  ResultFilter,
} from '../../src/engine/aggregate/group-query.ts'
import type { ColumnType, Value } from '../../src/engine/columns/column.ts'
import { compareValues, matchingRows } from './oracle.ts'
import type { PlainTable } from './random-table.ts'

interface Fraction {
  readonly above: bigint
  readonly below: bigint
}

/** The number written in a text: `12`, `-0.5`, `1e+21`, `5e-324`. */
function fractionOf(text: string): Fraction {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text)!
  const above = BigInt(`${sign}${whole}${fraction}`)
  const power = Number(exponent) - fraction.length
  return power < 0
    ? { above, below: 10n ** BigInt(-power) }
    : { above: above * 10n ** BigInt(power), below: 1n }
}

function add(a: Fraction, b: Fraction): Fraction {
  return { above: a.above * b.below + b.above * a.below, below: a.below * b.below }
}

function compare(a: Fraction, b: Fraction): number {
  const left = a.above * b.below
  const right = b.above * a.below
  return left < right ? -1 : left > right ? 1 : 0
}

/** All digits of a fraction whose denominator is a product of twos and fives. */
function plain({ above, below }: Fraction): string {
  const sign = above < 0n ? '-' : ''
  const size = above < 0n ? -above : above
  let text = `${sign}${size / below}`
  let rest = size % below
  if (rest > 0n) text += '.'
  for (; rest > 0n; rest = (rest * 10n) % below) text += String((rest * 10n) / below)
  return text
}

/** Rounded half to even to 15 significant digits. */
function round15({ above, below }: Fraction): Fraction {
  if (above === 0n) return { above, below: 1n }
  const size = above < 0n ? -above : above
  // One unit of the fifteenth digit.
  let unit: Fraction = { above: 1n, below: 1n }
  const times = (factor: bigint): Fraction => ({ above: unit.above * factor, below: unit.below })
  while (compare({ above: size, below }, times(10n ** 15n)) >= 0) unit = times(10n)
  while (compare({ above: size, below }, times(10n ** 14n)) < 0)
    unit = { above: unit.above, below: unit.below * 10n }
  const numerator = size * unit.below
  const denominator = below * unit.above
  let units = numerator / denominator
  const doubled = 2n * (numerator % denominator)
  if (doubled > denominator || (doubled === denominator && units % 2n === 1n)) units++
  return { above: (above < 0n ? -units : units) * unit.above, below: unit.below }
}

const NUMBERS: readonly ColumnType[] = ['integer', 'decimal']

/** Of the values of a column equal to this one, the text most frequent in the whole table, then the first by code point. */
function shown(table: PlainTable, column: number, value: Value): string {
  if (NUMBERS.includes(table.columns[column]!.type)) return String(value)
  const counts = new Map<string, number>()
  for (const row of table.rows) {
    const other = row[column]!
    if (other !== null && compareValues(table, column, other, value) === 0)
      counts.set(String(other), (counts.get(String(other)) ?? 0) + 1)
  }
  const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
  return [...counts].sort((a, b) => b[1] - a[1] || byCodePoint(a[0], b[0]))[0]![0]
}

function partOf(date: string, part: DatePart): string {
  const [year, month, day] = date.slice(0, 10).split('-') as [string, string, string]
  if (part === 'year') return String(Number(year))
  if (part === 'quarter') return `${year}-Q${Math.ceil(Number(month) / 3)}`
  return part === 'month' ? `${year}-${month}` : `${year}-${month}-${day}`
}

function typeOf(table: PlainTable, { column, part }: GroupKey): ColumnType {
  if (part === null) return table.columns[column]!.type
  return part === 'year' ? 'integer' : part === 'day' ? 'date' : 'string'
}

function measureType(table: PlainTable, { kind, column }: Measure): ColumnType {
  if (kind.startsWith('count') || column === null) return 'integer'
  return kind === 'avg' || kind === 'median' ? 'decimal' : table.columns[column]!.type
}

function measured(table: PlainTable, rows: readonly number[], { kind, column }: Measure): string | null {
  if (column === null) return String(rows.length)
  const values = rows.map((row) => table.rows[row]![column]!).filter((value) => value !== null)
  const sorted = values.toSorted((a, b) => compareValues(table, column, a, b))
  const isNew = (value: Value, at: number) =>
    at === 0 || compareValues(table, column, value, sorted[at - 1]!) !== 0
  if (kind === 'count') return String(values.length)
  if (kind === 'count_distinct') return String(sorted.filter(isNew).length)
  if (values.length === 0) return null
  if (kind === 'min') return shown(table, column, sorted[0]!)
  if (kind === 'max') return shown(table, column, sorted.at(-1)!)
  const fraction = (value: Value) => fractionOf(String(value))
  if (kind === 'median') {
    const [low, high] = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!]
    if (low === high) return String(low)
    const { above, below } = add(fraction(low), fraction(high))
    return plain(round15({ above, below: below * 2n }))
  }
  const sum = values.map(fraction).reduce(add)
  return plain(kind === 'sum' ? sum : round15({ above: sum.above, below: sum.below * BigInt(values.length) }))
}

/** Compares shown values, neither null. */
function compareShown(type: ColumnType, a: string, b: string): number {
  if (NUMBERS.includes(type)) return compare(fractionOf(a), fractionOf(b))
  return compareValues({ columns: [{ name: 'result', type }], rows: [] }, 0, a, b)
}

function passes(type: ColumnType, { operator, operands }: ResultFilter, text: string | null): boolean {
  if (!NUMBERS.includes(type) || operator === 'is_null') {
    const value = type === 'boolean' && text !== null ? text === 'true' : text
    const table: PlainTable = { columns: [{ name: 'result', type }], rows: [[value]] }
    return matchingRows(table, [{ column: 0, operator, operands }]).length === 1
  }
  if (text === null) return false
  return operands.some((operand) => {
    const differences = operand.map((value) => compareShown(type, text, String(value)))
    const first = differences[0]!
    const answers: Partial<Record<ResultFilter['operator'], boolean>> = {
      eq: first === 0,
      ne: first !== 0,
      gt: first > 0,
      gte: first >= 0,
      lt: first < 0,
      lte: first <= 0,
      in: differences.includes(0),
      not_in: !differences.includes(0),
    }
    return answers[operator]!
  })
}

/** The page of groups that a query asks for. */
export function aggregatePlainly(table: PlainTable, query: AggregateQuery): AggregatePage {
  const types = [
    ...query.groups.map((key) => typeOf(table, key)),
    ...query.measures.map((measure) => measureType(table, measure)),
  ]
  const groups = new Map<string, { key: (string | null)[]; rows: number[] }>()
  if (query.groups.length === 0) groups.set('[]', { key: [], rows: [] })
  for (const row of matchingRows(table, query.filters)) {
    const key = query.groups.map(({ column, part }) => {
      const value = table.rows[row]![column]!
      if (value === null) return null
      return part === null ? shown(table, column, value) : partOf(String(value), part)
    })
    const name = JSON.stringify(key)
    const group = groups.get(name) ?? { key, rows: [] }
    group.rows.push(row)
    groups.set(name, group)
  }
  const byResult = (result: number, descending: boolean) => (a: (string | null)[], b: (string | null)[]) => {
    const [left, right] = [a[result]!, b[result]!]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    const difference = compareShown(types[result]!, left, right)
    return descending ? -difference : difference
  }
  const orders = [
    ...query.sort.map(({ result, descending }) => byResult(result, descending)),
    ...query.groups.map((_, result) => byResult(result, false)),
  ]
  const all = [...groups.values()]
    .map(({ key, rows }) => [...key, ...query.measures.map((measure) => measured(table, rows, measure))])
    .filter((result) =>
      query.having.every((filter) => passes(types[filter.result]!, filter, result[filter.result]!)),
    )
    .sort((a, b) => orders.map((order) => order(a, b)).find((difference) => difference !== 0) ?? 0)
  const rows = all.slice(query.offset, query.offset + query.limit)
  return {
    total: query.count ? all.length : null,
    count: rows.length,
    hasNext: query.offset + query.limit < all.length,
    rows,
  }
}
