/**
 * A file's name or a title without the day or month at its end, so that next month's file gives the same id and title
 * (contract 14, "Titles").
 */

import { titleOf } from './plain-text.ts'

const MONTHS =
  'ianuarie|februarie|martie|aprilie|mai|iunie|iulie|august|septembrie|octombrie|noiembrie|decembrie|' +
  'january|february|march|april|may|june|july|september|october|november|december|' +
  'ian|jan|feb|mar|apr|iun|jun|iul|jul|aug|sept|sep|oct|noi|nov|dec'
const YEAR = '(?:19|20)\\d\\d'
const DAY = '(?:0?[1-9]|[12]\\d|3[01])'
const MONTH = '(?:0?[1-9]|1[0-2])'
const GAP = '[\\s_.,/-]*'
/** Between numbers: `2026-09`, `15.09.2026`. */
const SIGN = '[\\s_./-]'
const TIME = '(?:[t\\s_-]*(?:[01]\\d|2[0-3])[.:_-]?[0-5]\\d(?:[.:_-]?[0-5]\\d)?)?'

/** `noi` also means "new", so it is a month only beside a day or a year. */
const MOMENTS = [
  // 2026-09-15, 20260915, with or without a time, and 2026-09, 202609.
  `${YEAR}${SIGN}${MONTH}${SIGN}${DAY}${TIME}`,
  `${YEAR}(?:0[1-9]|1[0-2])(?:(?:0[1-9]|[12]\\d|3[01])${TIME})?`,
  `${YEAR}${SIGN}${MONTH}`,
  // 15.09.2026, 15092026 and 09.2026.
  `(?:${DAY}${SIGN})?${MONTH}${SIGN}${YEAR}`,
  '(?:0[1-9]|[12]\\d|3[01])(?:0[1-9]|1[0-2])20\\d\\d',
  // 15 septembrie 2026, sept-2026, 2026 septembrie, septembrie.
  `(?:${DAY}${GAP})?(?:${MONTHS})${GAP}${YEAR}`,
  `${YEAR}${GAP}(?:${DAY}${GAP})?(?:${MONTHS})`,
  `${DAY}${GAP}(?:${MONTHS})`,
  `(?:${MONTHS.replace('|noi|', '|')})`,
]

const AT_END = new RegExp(`(?<![\\p{L}\\p{N}])(?:${MOMENTS.join('|')})\\)?$`, 'iu')
/** The number of a copy: `(1)`. */
const COPY = /\s*\(\d{1,3}\)$/
/** Words before a moment, or the first of two days: `în perioada 1-`, `la data de`, `pe luna`. */
const LEAD =
  /(?<![\p{L}\p{N}])(?:(?:la|p[âa]n[ăa]|din|de|pe|[îi]n|data|luna|lunii|perioada|until|as|at|of|on|for|in|month)|\d{1,2}(?=[-–]$))[\s_.,–(-]*$/iu
const EDGE = /[\s_.,;:/–([-]+$/u

/**
 * @param name of a file without its extension, or a title
 * @returns the name without days, months and copy numbers at its end; unchanged if nothing else is left
 */
export function undatedName(name: string): string {
  let rest = name.trim()
  for (;;) {
    const shorter = rest.replace(COPY, '').replace(EDGE, '').replace(AT_END, '')
    if (shorter === rest) break
    const isDated = AT_END.test(rest.replace(COPY, '').replace(EDGE, ''))
    rest = isDated ? withoutLead(shorter) : shorter
  }
  return /\p{L}/u.test(rest) ? rest : name.trim()
}

function withoutLead(text: string): string {
  let rest = text
  for (;;) {
    const shorter = rest.replace(LEAD, '')
    if (shorter === rest) return rest.replace(EDGE, '')
    rest = shorter
  }
}

/** Lines above a table that are not its title: who made it, where, its number, and how to read it. */
const NO_TITLE =
  /^(?:[(*]|anex|nr\b|tel\b|fax|email|e-mail|cui\b|cif\b|adres|surs|source|not[aă]\b|note\b|ministe?r|prim[aă]ri|consili|direc[tțţ]i|agen[tțţ]i|inspectorat|autoritate|rom[aâ]nia\b|jude[tțţ]ul\b|comuna\b|municipiul\b|ora[sșş]ul\b|universitate|spital|serviciul\b|biroul\b|compartiment|department|institu)|[@:]|https?/iu
const LONGEST_ABOVE = 200

/**
 * @param rows the texts above a table, one for each record with a single cell
 * @returns the first that says what the table is about, without a day or month at its end; null: none does
 */
export function titleAbove(rows: readonly string[]): string | null {
  for (const row of rows) {
    const title = titleOf(row, LONGEST_ABOVE + 1)
    if (title === null || title.length > LONGEST_ABOVE || NO_TITLE.test(title)) continue
    const undated = undatedName(title)
    if ((undated.match(/\p{L}{2,}/gu) ?? []).length >= 2) return undated
  }
  return null
}
