/** What was decided about the header, in sentences for people. */

import type { Decision } from '../report.ts'
import type { Line } from './lines.ts'

/** Titles that are repeated, and characters of each. */
const NAMED = 3
const LONGEST_TEXT = 60

interface HeaderFindings {
  readonly levels: readonly Line[]
  /** null: a person named the header, and what stands above it is nobody's doubt. */
  readonly titles: readonly Line[] | null
  readonly numbering: Line | null
  readonly cells: readonly string[]
}

export function describeHeader({ levels, titles, numbering, cells }: HeaderFindings): Decision[] {
  const decisions: Decision[] = []
  const override = '--header-row'
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
  if (numbering !== null) {
    const reason = `record ${numbering.record} numbers the columns (${shorten(numbering.texts.filter((text) => text !== '').join(' '))}) and is not a row of data`
    decisions.push({ kind: 'numbering', reason, override: null })
  }
  return decisions
}

export function describeNoHeader(by: string): Decision {
  const reason = `the file has no header, as ${by} says: its columns are called column_1, column_2 …`
  return { kind: 'header', reason, override: '--header-row' }
}

/** @param header with nothing but numbers for names */
export function looksLikeData(header: { records: readonly number[]; cells: readonly string[] }): string {
  const names = header.cells.slice(0, NAMED).join(', ')
  return `record ${header.records[0]} was taken for the header, but looks like data (${names}): if the file has no header, say --header-row 0`
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
