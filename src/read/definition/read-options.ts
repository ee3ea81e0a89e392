/**
 * The options for reading a file. Each is defined once: its name and type, its option on the command line, its place in a
 * definition's `read` and in what a refresh repeats, and the words with which a report recommends it.
 */

import { CommandError } from '../../base/errors.ts'
import { quoteArgument } from '../../base/text/quoting.ts'
import type { Schema, ValueBy } from './schema.ts'

const text = { type: 'string' } as const
const NO_QUOTE = 'none'

/**
 * `flag` is the option on the command line, with its placeholder; null: only definitions have it. `help` is for `--help`.
 * `parse` reads the command line's text; left out: the text itself is the value. @throws CommandError `usage`
 */
type ReadOption = {
  schema: Schema
  flag: string | null
  help: string
  parse?: (text: string, before?: unknown) => unknown
}

const OPTIONS = {
  format: { schema: text, flag: null, help: '' },
  encoding: {
    schema: text,
    flag: '--encoding <name>',
    help: 'the encoding, for example windows-1250 (default: detected)',
  },
  delimiter: {
    schema: text,
    flag: '--delimiter <character>',
    help: 'the delimiter, or the word tab (default: detected)',
  },
  quote: {
    schema: text,
    flag: '--quote <character>',
    help: 'the quote around cells, or the word none (default: detected)',
    // An empty text is the same as the word.
    parse: (text: string) => {
      if (isQuote(text)) return text
      throw new CommandError('usage', `the quote must be one ASCII character or the word none, not '${text}'`)
    },
  },
  sheet: {
    schema: text,
    flag: '--sheet <name>',
    help: 'the sheet of a workbook, by name or number (default: the largest table)',
  },
  hidden: {
    schema: { type: 'boolean' },
    flag: '--hidden',
    help: 'also read the hidden rows and columns of a workbook (default: they are left out)',
  },
  header_row: {
    schema: { type: ['integer', 'array'], minimum: 0, items: { type: 'integer', minimum: 1 } },
    flag: '--header-row <number>',
    help: 'the record (row of the file, blank ones counted) with the headers, from 1; 3-4 for a header of two, 0 for none',
    parse: parseHeaderRows,
  },
  totals: {
    schema: { type: 'string', enum: ['keep', 'leave_out', 'quarantine'] },
    flag: '--totals <what>',
    help: 'rows of totals: keep, leave_out or quarantine (default: keep)',
  },
  // Notes below the table (default: leave_out).
  footnotes: { schema: { type: 'string', enum: ['keep', 'leave_out', 'quarantine'] }, flag: null, help: '' },
  ragged: {
    schema: { type: 'string', enum: ['repair', 'quarantine'] },
    flag: '--ragged <what>',
    help: 'rows with more or fewer cells than the header (default: repair)',
  },
  null_values: {
    schema: { type: 'array', items: text },
    flag: '--null-values <texts>',
    help: 'texts that mean no value, separated by commas, for example "-,n/a"',
    parse: addTexts,
  },
  // For numbers that could be read with either mark.
  decimal_mark: { schema: { type: 'string', enum: ['.', ','] }, flag: null, help: '' },
  date_order: {
    schema: { type: 'string', enum: ['dmy', 'mdy'] },
    flag: '--date-order <order>',
    help: 'day or month first in dates such as 1/2/2019 (default: detected)',
  },
} as const satisfies Record<string, ReadOption>

export type ReadOptionName = keyof typeof OPTIONS
export const READ_OPTIONS: Readonly<Record<ReadOptionName, ReadOption>> = OPTIONS
/** Options that are left out are detected from the file. */
export type ReadOptions = { readonly [K in ReadOptionName]?: ValueBy<(typeof OPTIONS)[K]['schema']> }

/** What happens to records that are not rows of the table. */
export type AroundRule = NonNullable<ReadOptions['totals']>

export const READ_OPTION_NAMES = Object.keys(READ_OPTIONS) as ReadOptionName[]

/** The requested options take precedence over the definition's. */
export function settleOptions(asked: ReadOptions, defined: ReadOptions | undefined): ReadOptions {
  return { ...defined, ...pickOptions((name) => asked[name]) }
}

/** @param lookUp undefined: the option is left out */
export function pickOptions(lookUp: (name: ReadOptionName) => unknown): ReadOptions {
  const entries = READ_OPTION_NAMES.map((name) => [name, lookUp(name)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** An option's flag on the command line, without its value; null: only a definition can set it. */
export function flagOf(name: ReadOptionName): string | null {
  return READ_OPTIONS[name].flag?.replace(/ .*/, '') ?? null
}

/** How to set an option, for the end of a sentence: on the command line if possible. @param value left out: any */
export function adviseOption(name: ReadOptionName, value?: ReadOptions[ReadOptionName]): string {
  const flag = flagOf(name)
  if (flag === null)
    return `"${name}"${value === undefined ? '' : `: ${JSON.stringify(value)}`} under "read" in a definition`
  if (value === undefined) return flag
  // Quotes as `splitTexts` reads them.
  const quoted = (text: string) =>
    text === text.trim() && !/[",]/.test(text) ? text : `"${text.replaceAll('"', '""')}"`
  const given = typeof value === 'object' ? value.map((one) => quoted(String(one))).join() : String(value)
  return `${flag} ${given === '' ? NO_QUOTE : quoteArgument(given)}`
}

/** Checks what the schema cannot express: values that mean nothing, or not together. */
export function findReadProblem(options: ReadOptions): string | null {
  const { format, delimiter, quote, sheet, header_row: header } = options
  if (header !== undefined && !areHeaderRows([header].flat()))
    return 'read.header_row must be the number of a record, from 1, or a list of such numbers in order, or 0 for no header'
  if (delimiter !== undefined && !isDelimiter(delimiter))
    return 'read.delimiter must be one ASCII character, \\t or tab, not a quote or a line end'
  if (quote !== undefined && !isQuote(quote)) return 'read.quote must be one ASCII character, or none'
  if (quote !== undefined && quote === delimiter) return `read.delimiter and read.quote are both '${quote}'`
  if (format === 'csv' && sheet !== undefined) return 'read.sheet names a sheet, and delimited text has none'
  return null
}

function isDelimiter(text: string): boolean {
  return /^(tab|\\t)$/i.test(text) || (isSign(text) && text !== '"')
}

/** One ASCII character that can separate or quote cells. */
function isSign(text: string): boolean {
  return text.length === 1 && text < '\x7f' && !'\0\r\n'.includes(text)
}

function isQuote(text: string): boolean {
  return parseQuote(text) < 0 || isSign(text)
}

/** The byte of a quote; -1: there are no quotes. */
export function parseQuote(text: string): number {
  return text === '' || text.toLowerCase() === NO_QUOTE ? -1 : text.charCodeAt(0)
}

/** @throws CommandError `usage` unless it is one ASCII character, `\t` or `tab` */
export function parseDelimiter(text: string): number {
  if (isDelimiter(text)) return text.length === 1 ? text.charCodeAt(0) : '\t'.charCodeAt(0)
  throw new CommandError('usage', `the delimiter must be one ASCII character, \\t or tab, not '${text}'`)
}

/** A header chosen by a person. */
export interface AskedHeader {
  /** Record numbers, from 1, counting blank ones, in order; empty: the file has no header. */
  readonly rows: readonly number[]
  /** Where the choice was made, for messages. */
  readonly by: string
}

/** Reads `3`, `0`, `3-4` or `3,4`. @throws CommandError `usage` for any other text */
export function parseHeaderRows(text: string): number[] {
  const wrong = new CommandError(
    'usage',
    `--header-row '${text}' must be a record's number, counted from 1, two of them such as 3-4 for a header of several, or 0 when the file has none`,
  )
  if (!/^\d{1,9}([-,]\d{1,9})*$/.test(text.trim())) throw wrong
  const numbers = text.trim().split(/[-,]/).map(Number)
  const [from = 0, to = from] = numbers
  const isRange = text.includes('-')
  if ((isRange && numbers.length !== 2) || to - from > 20) throw wrong
  const rows = isRange ? Array.from({ length: to - from + 1 }, (_, i) => from + i) : numbers
  if (areHeaderRows(rows)) return rows
  throw wrong
}

/** Whether the numbers can designate a header: 0 alone, or records in order. */
function areHeaderRows(rows: readonly number[]): boolean {
  if (rows.length === 1) return Number.isInteger(rows[0]) && (rows[0] as number) >= 0
  return rows.length > 1 && rows.every((row, i) => Number.isInteger(row) && row > (rows[i - 1] ?? 0))
}

/** The texts of an option that may be given several times. */
function addTexts(list: string, before?: unknown): string[] {
  return [...(Array.isArray(before) ? before : []), ...splitTexts(list)]
}

/** A list of texts in one argument: `-,n/a`. Texts with a comma or outer spaces are in double quotes, doubled inside. */
export function splitTexts(list: string): string[] {
  const pieces = list.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(?:,|$)/g)
  const texts = [...pieces].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim())
  return texts.filter((text) => text !== '')
}
