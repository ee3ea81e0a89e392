/** What was decided about the header, in sentences for people. */

import { adviseOption } from '../definition/read-options.ts'
import type { ConfidencePart } from '../report/confidence.ts'
import type { Decision } from '../report/decisions.ts'
import { because } from '../report/reasons.ts'
import { isDrawnLine } from './cell-kinds.ts'
import { isUnitAlone } from './header-levels.ts'
import type { Line } from './lines.ts'

/** Titles that are repeated, and characters of each. */
const NAMED = 3
const LONGEST_TEXT = 60

interface HeaderFindings {
  readonly levels: readonly Line[]
  /** null: a person named the header, so the records above it need no explanation. */
  readonly titles: readonly Line[] | null
  /** Lines below the header that are no rows. */
  readonly skipped: readonly Line[]
  readonly cells: readonly string[]
}

export function describeHeader({ levels, titles, skipped, cells }: HeaderFindings): Decision[] {
  const decisions: Decision[] = []
  const override = adviseOption('header_row')
  const records = levels.map(({ record }) => record)
  if (titles !== null && titles.length > 0) {
    const reason = `record ${records[0]} was taken for the header, and what stands above it for titles: ${quoteTitles(titles)}`
    decisions.push({ kind: 'titles', reason, override })
  }
  if (titles !== null && records.length > 1) {
    const alone = new Set(levels.flatMap(({ texts }) => texts.map(withoutSpace)))
    const joined = cells.find((cell) => !alone.has(withoutSpace(cell))) ?? cells[0] ?? ''
    const reason = `records ${records[0]} to ${records.at(-1)} are one header: names that stand over several columns, and lines below them, are joined, as in '${shorten(joined)}'`
    decisions.push({ kind: 'header', reason, override })
  }
  for (const { record, texts } of skipped) {
    const shown = shorten(texts.filter((text) => text !== '').join(' '))
    const [kind, what] = isDrawnLine(texts)
      ? ['drawn_line', 'is a drawn line']
      : isUnitAlone(texts)
        ? ['units', 'says what the numbers count']
        : ['numbering', 'numbers the columns']
    const reason = `record ${record} ${what} (${shown}) and is not a row of data`
    decisions.push({ kind, reason, override: null })
  }
  return decisions
}

/** @param titles records above the first row that are none */
export function describeNoHeader(by: string, titles: readonly Line[]): Decision {
  const above =
    titles.length === 0 ? '' : `, and what stands above its rows is left out: ${quoteTitles(titles)}`
  const reason = `the file has no header, as ${by} says: its columns are called column_1, column_2 …${above}`
  return { kind: 'header', reason, override: adviseOption('header_row') }
}

/** A header whose record could as well be a row: it has numbers where the rows have theirs. */
export function doubtHeader(header: {
  records: readonly number[]
  cells: readonly string[]
}): ConfidencePart {
  const names = header.cells.slice(0, NAMED).join(', ')
  const [record = 1] = header.records
  return {
    of: 'header',
    sure: 0.5,
    doubt: `record ${record} would be the header, but looks like data (${names})`,
    reasons: because('header_like_data', { record }),
    override: `${adviseOption('header_row', 0)} when the file has no header, or ${adviseOption('header_row', record)} when it is one`,
  }
}

/** @param preamble records below the header that have texts where all others have numbers */
export function doubtPreamble(
  { records }: { readonly records: readonly number[] },
  preamble: readonly Line[],
): ConfidencePart {
  const [record = 1] = records
  const last = preamble.at(-1)?.record ?? record
  const own = records.length > 1 ? records : record
  return {
    of: 'header',
    sure: 0.5,
    doubt: `record ${record} would be the header, but the ${preamble.length} records below it have texts where all others have numbers: ${quoteTitles(preamble)}`,
    reasons: because('texts_below_header', { record, count: preamble.length }),
    override: `${adviseOption('header_row', last)} when record ${last} names the columns, or ${adviseOption('header_row', own)} when all below it are rows`,
  }
}

function quoteTitles(titles: readonly Line[]): string {
  const named = titles.slice(0, NAMED).map(({ texts }) => {
    const text = texts
      .filter((cell) => cell !== '')
      .join(' ')
      .replace(/\s+/g, ' ')
    return `'${shorten(text)}'`
  })
  const rest = titles.length - named.length
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '')
}

/** A text cut to a length that fits into a sentence. */
export function shorten(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text
}
