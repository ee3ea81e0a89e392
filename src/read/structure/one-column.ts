/** Text whose lines look as if they held other columns than were found: another delimiter, fixed width, a printed table. */

import { isNumeric } from './cell-kinds.ts'

/** Lines that are looked at, and the fewest that say anything. */
const LOOKED_AT = 500
const LEAST_LINES = 2
const MOST = 0.8
/** Signs that stand between cells more often than within them. A comma does when no space is behind it. */
const SIGNS = [';', '\t', '|', '^', '~', '¦', '§', '\u0001', '\u001e', '\u001f', ',']
const LONE_COMMA = /,(?! )/
/** Two spaces or more between texts. */
const WIDE_GAP = /\S {2,}\S/
const WIDER_GAP = /\S {3,}\S/

/**
 * @param lines of a table of one column, in file order, none of them blank, without the delimiter that was found
 * @returns what they look like, after "they are", and the delimiter that would split them, when it is one that can be named
 */
export function findOtherLayout(
  lines: readonly string[],
): { looks: string; delimiter: string | null } | null {
  // Without quoted parts; where a quote has no other, these are unknown.
  const withoutQuoted = (line: string) =>
    line.split('"').length % 2 === 1 ? line.replace(/"[^"]*"/g, '""') : line
  const unquoted = lines.slice(0, LOOKED_AT).map((text) => withoutQuoted(text).trimEnd())
  if (unquoted.length < LEAST_LINES) return null
  const sign = SIGNS.find((sign) => isBetweenCells(unquoted, sign) || isBetweenNames(unquoted, sign))
  if (sign === '\t') return { looks: 'delimited by tabs', delimiter: 'tab' }
  if (sign !== undefined) {
    const name = sign < ' ' ? `the control character ${sign.charCodeAt(0)}` : `'${sign}'`
    // Control characters and what is not ASCII cannot be typed.
    return { looks: `delimited by ${name}`, delimiter: /^[!-~]$/.test(sign) ? sign : null }
  }
  if (areQuotedRows(lines.slice(0, LOOKED_AT)))
    return {
      looks: 'rows with quotes around each line as a whole: take these off to have the columns',
      delimiter: null,
    }
  if (unquoted.filter((line) => /^[\s+|]*[-=_]{3,}[-=_+|\s]*$/.test(line)).length > 1)
    return { looks: 'a printed table', delimiter: null }
  if (unquoted.length <= LEAST_LINES) return null
  if (areWords(unquoted)) return { looks: 'delimited by spaces', delimiter: ' ' }
  return haveColumns(unquoted) ? { looks: 'of fixed width, or printed', delimiter: null } : null
}

/**
 * Whether lines have gaps that come from columns: below the first one, as the names of a header may be as wide as their
 * columns. One gap of two spaces, between texts and at any place, is a slip in typing a name.
 */
function haveColumns([header = '', ...lines]: readonly string[]): boolean {
  if (!isShare(lines, (line) => WIDE_GAP.test(line))) return false
  const pieces = lines.map((line) => line.trim().split(/ {2,}/))
  const areSlips =
    !WIDE_GAP.test(header) &&
    pieces.every((line) => line.length <= 2 && !line.some(isNumeric)) &&
    !lines.some((line) => WIDER_GAP.test(line))
  const starts = lines.map((line) => line.search(/ {2}\S/)).filter((start) => start >= 0)
  const most = Math.max(...[...Map.groupBy(starts, (start) => start).values()].map(({ length }) => length))
  return !areSlips || most >= MOST * lines.length
}

const PLAIN_NUMBER = /^[-+]?\d+(?:[.,]\d+)?$/

/** Whether all lines have as many words as the first one, which has none of the numbers that all others have. */
function areWords(lines: readonly string[]): boolean {
  const words = lines.map((line) => line.trim().split(' '))
  const [names = [], ...rows] = words
  if (names.length < 2 || words.some(({ length }) => length !== names.length)) return false
  return names.some(
    (name, at) => !PLAIN_NUMBER.test(name) && rows.every((row) => PLAIN_NUMBER.test(row[at] as string)),
  )
}

/**
 * Whether most rows of a table of several columns have wide gaps within a cell, as those have that a sign in the texts of
 * a printed line cut. Names for all cells, none of them with a gap, prove the delimiter: the texts of one column are
 * aligned then. In two columns no piece between gaps may be a number, as `Name, first name` may stand over the texts.
 */
export function isFixedWidth(rows: readonly (readonly string[])[], names: readonly string[]): boolean {
  const isGapped = (cells: readonly string[]) => cells.some((cell) => WIDER_GAP.test(cell))
  if (rows.length <= LEAST_LINES || !isShare(rows, isGapped)) return false
  if (names.some((name) => name.trim() === '' || WIDE_GAP.test(name))) return true
  const havePieces = (cell: string) => WIDER_GAP.test(cell) && cell.trim().split(/ {2,}/).some(isNumeric)
  return names.length <= 2 && rows.some((cells) => cells.some(havePieces))
}

/** @param rows untrimmed cells: whether a space stands behind every delimiter and no cell is a number, as in texts */
export function areSentences(rows: readonly (readonly string[])[]): boolean {
  return (
    rows.length > LEAST_LINES &&
    rows.every((cells) => cells.slice(1).every((cell) => cell.startsWith(' ') && !isNumeric(cell.trim())))
  )
}

function isShare<T>(lines: readonly T[], holds: (line: T) => boolean): boolean {
  return lines.filter(holds).length >= MOST * lines.length
}

/** A sign that most lines have, and more than half of these equally often; or half of all, as often as the first one. */
function isBetweenCells(lines: readonly string[], sign: string): boolean {
  const counts = new Map<number, number>()
  const countIn = (line: string) => line.slice(1, -1).split(sign === ',' ? LONE_COMMA : sign).length - 1
  for (const line of lines) {
    const count = countIn(line)
    counts.set(count, (counts.get(count) ?? 0) + 1)
  }
  const inFirst = countIn(lines[0] as string)
  if (inFirst > 0 && (counts.get(inFirst) ?? 0) >= 0.5 * lines.length) return true
  const having = lines.length - (counts.get(0) ?? 0)
  counts.delete(0)
  return having >= MOST * lines.length && Math.max(0, ...counts.values()) > 0.5 * having
}

/** Whether each line is one quoted text, and all of them have as many of a sign in it as the first one. */
function areQuotedRows(lines: readonly string[]): boolean {
  if (!lines.every((line) => /^"(?:[^"]|"")*"$/.test(line.trimEnd()))) return false
  const rows = lines.map((line) =>
    line
      .trimEnd()
      .slice(1, -1)
      .replaceAll('""', '"')
      .replace(/"[^"]*"/g, '""'),
  )
  const countOf = (row: string, sign: string) => row.split(sign === ',' ? LONE_COMMA : sign).length
  return SIGNS.some((sign) => {
    const names = countOf(rows[0] as string, sign)
    return names > 1 && isShare(rows, (row) => countOf(row, sign) === names)
  })
}

/** A sign between the names of the first line that half of the others have, none more often: these end early. */
function isBetweenNames([header = '', ...lines]: readonly string[], sign: string): boolean {
  const names = header.split(sign).map((name) => name.trim())
  if (names.length < 2 || names.some((name) => name === '' || name.includes(' '))) return false
  const counts = lines.map((line) => line.split(sign === ',' ? LONE_COMMA : sign).length - 1)
  return counts.filter((count) => count > 0).length * 2 >= lines.length && Math.max(...counts) < names.length
}
