/** Random tables and queries for property tests of the engine and over HTTP. */

import fc from 'fast-check'
import type { ColumnType, Value } from '../../src/engine/columns/column.ts'
import type { Operator } from '../../src/engine/operators.ts'
import type { ColumnFilter, Filter, PageQuery, SortField, WordFilter } from '../../src/engine/row-query.ts'
import { plainWords } from './plain-words.ts'
import { randomFrom } from './random-numbers.ts'

interface PlainColumn {
  readonly name: string
  readonly type: ColumnType
}

/** A table in its plainest form: typed columns and rows of values, null where there is none. */
export interface PlainTable {
  readonly columns: readonly PlainColumn[]
  readonly rows: readonly (readonly (Value | null)[])[]
}

export interface TableOptions {
  /** Only values that a CSV file can hold and an ingest leaves as they are: no empty or padded texts. */
  readonly fromFile?: boolean
  readonly mostRows?: number
}

const TYPES: readonly ColumnType[] = ['string', 'integer', 'decimal', 'boolean', 'date', 'datetime']

/** Spellings of a few texts: some have the same fold, some only look alike, and some are neighbours of both. */
const WORDS = [
  ...['Iași', 'Iaşi', 'IAȘI', 'Ias\u0326i', 'iasi', 'Brăila', 'Braila', 'BRĂILA', 'Braˇila', 'Bra\u0306ila'],
  ...[
    'Țara',
    'Ţara',
    'ţara',
    'tara',
    'România',
    'Romania',
    'ROMÂNIA',
    'Roma\u0302nia',
    'Romănia',
    'șase',
    'ŞASE',
  ],
  ...[
    'a',
    'A',
    'ă',
    'Â',
    'â',
    'ab',
    'áb',
    'b',
    'z',
    'ż',
    'ß',
    'ł',
    'Łódź',
    'İstanbul',
    'istanbul',
    'ΑΣ',
    'ας',
    'ασ',
  ],
  ...['0', '007', '1', '10', '2', '-1', '_', ' ', '9a', 'a9', '²', '٣', 'null', 'true', '50%', 'a_b'],
  ...[
    'say "hi"',
    '"',
    '""',
    'a,b',
    'a;b',
    'C:\\temp',
    'line\nbreak',
    'cr\rlf\r\n',
    'tab\there',
    '\u0001\u001f',
  ],
  ...[
    '日本語',
    'Кириллица',
    'кириллица',
    '😀',
    '😀😁',
    '𝔘nicode',
    '\ufeffbom',
    '\u2028',
    'e\u0301',
    'é',
    '\u0301',
    'ｱ',
  ],
  ...[
    'a'.repeat(15),
    'a'.repeat(16),
    'a'.repeat(17),
    'Bucureşti '.repeat(8).trim(),
    'București '.repeat(8).trim(),
  ],
  ...[
    'Łódź, în est',
    'lodz',
    'Straße 9',
    'strasse',
    'đak—mare',
    'Dak',
    'œuvre',
    'ﬁn ½',
    'a½b',
    'x²y',
    'ΣΟΦΟΣ σοφος',
  ],
]

const NOT_IN_FILES = ['', ' a', 'a ', '\u0000', 'a\u0000b', '\u00a0']

function isFileText(text: string): boolean {
  return text !== '' && text === text.trim() && !/[\p{Cc}\ufeff]/u.test(text)
}

function texts({ fromFile = false }: TableOptions): fc.Arbitrary<string> {
  const words = fromFile ? WORDS.filter(isFileText) : [...WORDS, ...NOT_IN_FILES]
  const random = fc.string({ unit: 'binary', maxLength: 8 })
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: fromFile ? random.filter(isFileText) : random },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words)).map((pair) => pair.join('')),
    },
  )
}

const integers = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.integer(),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0),
)

const decimals = fc.oneof(
  fc.integer({ min: -40, max: 40 }).map((quarter) => quarter / 4),
  fc.constantFrom(
    0.1,
    0.30000000000000004,
    1e21,
    1e-7,
    1.5e-9,
    123456789.123,
    1.7976931348623157e308,
    5e-324,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
)

const dates = fc
  .date({ min: new Date('1899-12-30'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

function datetimes({ fromFile = false }: TableOptions): fc.Arbitrary<string> {
  const instants = fc.constantFrom('2021-01-10T17:00:00', '2021-01-10T17:00:01', '1999-12-31T23:59:59')
  const fractions = ['', '.5', '.25', '.000001', '.123456789123']
  // One instant, another spelling.
  const padded = ['.0', '.50', '.000', '.5000']
  return fc
    .tuple(instants, fc.constantFrom(...fractions, ...(fromFile ? [] : padded)))
    .map(([instant, fraction]) => `${instant}${fraction}Z`)
}

/** Any value of a type. */
export function valuesOf(type: ColumnType, options: TableOptions = {}): fc.Arbitrary<Value> {
  switch (type) {
    case 'string':
      return texts(options)
    case 'integer':
      return integers
    case 'decimal':
      return decimals
    case 'boolean':
      return fc.boolean()
    case 'date':
      return dates
    case 'datetime':
      return datetimes(options)
  }
}

/**
 * A column's values repeat, as real ones do; some columns are mostly null, some never. Which row gets which value
 * follows from one number, so that large tables are made and made smaller quickly.
 */
function columnValues(type: ColumnType, rows: number, options: TableOptions): fc.Arbitrary<(Value | null)[]> {
  const nullShare = fc.constantFrom(0, 0, 0.2, 0.5, 1)
  const pool = fc.array(valuesOf(type, options), { minLength: 1, maxLength: 30 })
  return fc.tuple(nullShare, pool, fc.nat()).map(([share, values, seed]) => {
    const random = randomFrom(seed)
    const pick = () => (random() < share ? null : values[Math.floor(random() * values.length)]!)
    return Array.from({ length: rows }, pick)
  })
}

/** A table of one to seven columns of any types. */
export function tables(options: TableOptions = {}): fc.Arbitrary<PlainTable> {
  const types = fc.array(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 7 })
  const rows = fc.oneof(fc.nat(12), fc.nat(options.mostRows ?? 150))
  return fc.tuple(types, rows).chain(([chosen, count]) =>
    fc.tuple(...chosen.map((type) => columnValues(type, count, options))).map((columns) => ({
      columns: chosen.map((type, position) => ({ name: `${type}_${position}`, type })),
      rows: Array.from({ length: count }, (_, row) => columns.map((values) => values[row]!)),
    })),
  )
}

const COMPARISONS: readonly Operator[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in', 'is_null']

/** The operators that a column type takes (contract 3). */
export function operatorsOf(type: ColumnType): readonly Operator[] {
  if (type === 'string') return [...COMPARISONS, 'contains', 'starts_with']
  return type === 'boolean' ? ['eq', 'ne', 'in', 'not_in', 'is_null'] : COMPARISONS
}

const RESPELLINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.normalize('NFD'),
  (text) => text.replace(/[șț]/g, (letter) => (letter === 'ș' ? 'ş' : 'ţ')),
]

const EQUALITY: readonly Operator[] = ['eq', 'ne', 'in', 'not_in']

/** A value to search for: mostly one that occurs in the column, in some spelling, or a part of it. */
function operandFor(table: PlainTable, column: number, operator: Operator, options: TableOptions) {
  const { type } = table.columns[column]!
  if (operator === 'is_null') return fc.boolean()
  const present = table.rows.map((row) => row[column]!).filter((value) => value !== null)
  const values = valuesOf(type, options)
  const chosen =
    present.length === 0
      ? values
      : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...present) }, { weight: 1, arbitrary: values })
  if (type === 'datetime' && EQUALITY.includes(operator))
    return fc.oneof(
      chosen,
      chosen.map((value) => String(value).slice(0, 'YYYY-MM-DD'.length)),
    )
  if (type !== 'string') return chosen
  return fc.tuple(chosen, fc.nat(3), fc.nat(), fc.nat()).map(([value, spelling, from, length]): Value => {
    const text = RESPELLINGS[spelling]!(String(value))
    if (operator !== 'contains' && operator !== 'starts_with') return text
    const characters = [...text]
    const start = operator === 'contains' ? from % (characters.length + 1) : 0
    const part = characters.slice(start, start + 1 + (length % (characters.length + 1))).join('')
    return part === '' ? 'a' : part
  })
}

function filterFor(table: PlainTable, options: TableOptions): fc.Arbitrary<ColumnFilter> {
  return fc.nat(table.columns.length - 1).chain((column) =>
    fc.constantFrom(...operatorsOf(table.columns[column]!.type)).chain((operator) => {
      const operand = operandFor(table, column, operator, options)
      const isList = operator === 'in' || operator === 'not_in'
      const list = fc.array(operand, { minLength: 1, maxLength: isList ? 6 : 1 })
      return fc
        .array(list, { minLength: 1, maxLength: 2 })
        .map((operands): ColumnFilter => ({ column, operator, operands }))
    }),
  )
}

/** One to three words to search for, mostly beginnings of words that occur; sometimes none. */
function wordsFor(table: PlainTable, options: TableOptions): fc.Arbitrary<WordFilter> {
  const present = table.rows.flat().flatMap((value) => (value === null ? [] : plainWords(String(value))))
  const others = texts(options).map((text) => plainWords(text)[0] ?? 'a')
  const whole =
    present.length === 0
      ? others
      : fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...present) }, { weight: 1, arbitrary: others })
  const word = fc.tuple(whole, fc.nat()).map(([text, length]) => {
    const characters = [...text]
    return characters.slice(0, 1 + (length % characters.length)).join('')
  })
  const some = fc.array(word, { minLength: 1, maxLength: 3 })
  return fc
    .oneof({ weight: 15, arbitrary: some }, { weight: 1, arbitrary: fc.constant([]) })
    .map((words) => ({ words }))
}

/** Up to four filters, with an operator at most once per column, and in one case of three a search for words. */
export function filtersFor(table: PlainTable, options: TableOptions = {}): fc.Arbitrary<readonly Filter[]> {
  const filters = fc.uniqueArray(filterFor(table, options), {
    maxLength: 4,
    selector: (filter) => `${filter.column} ${filter.operator}`,
  })
  return fc
    .tuple(filters, fc.option(wordsFor(table, options), { freq: 2 }))
    .map(([chosen, words]) => (words === null ? chosen : [...chosen, words]))
}

/** Up to three columns to sort by. */
export function sortsFor(table: PlainTable): fc.Arbitrary<readonly SortField[]> {
  const field = fc.record({ column: fc.nat(table.columns.length - 1), descending: fc.boolean() })
  return fc.uniqueArray(field, { maxLength: 3, selector: (chosen) => chosen.column })
}

/** Some of the columns, in any order. */
export function fieldsFor(table: PlainTable): fc.Arbitrary<readonly number[]> {
  return fc.shuffledSubarray([...table.columns.keys()], { minLength: 1 })
}

/** A page by offset, often past the end. */
export function pageQueriesFor(table: PlainTable, options: TableOptions = {}): fc.Arbitrary<PageQuery> {
  return fc.record({
    filters: filtersFor(table, options),
    sort: sortsFor(table),
    fields: fieldsFor(table),
    limit: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(1000)),
    offset: fc.oneof(fc.constant(0), fc.nat(table.rows.length + 3)),
    count: fc.boolean(),
  })
}
