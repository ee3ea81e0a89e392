/**
 * Names that columns are served by although they would get others now: what programs ask for stays, also when the rules for
 * names change or a new column begins like an old one. Earlier releases left symbols out, cut all long names at the end, and
 * numbered what has no Latin letter.
 */

import { LONGEST_NAME, longColumnName, shortenInside, stripDiacritics } from '../../base/text/snake-case.ts'
import type { Decision } from '../report/decisions.ts'

export interface ServedName {
  readonly name: string
  /** The header as the file had it; null for a column that no file has. */
  readonly source_name: string | null
}

export interface FormerName {
  readonly name: string
  /** What the column would be called in a new dataset. */
  readonly byHeader: string
}

/** Characters of a long name that its last words may have. */
export const TAIL_ROOMS = [32, 44, 56] as const
const SHOWN_NAMES = 3

/** @returns the name by cell, for columns that keep one */
export function findFormerNames(
  header: readonly string[],
  names: readonly string[],
  served: readonly ServedName[],
): Map<number, string> {
  const kept = new Map<number, string>()
  const cellsOf = Map.groupBy(header.keys(), (cell) => header[cell] as string)
  for (const [text, columns] of Map.groupBy(served, ({ source_name: source }) => source)) {
    const cells = text === null ? undefined : cellsOf.get(text)
    // Several columns with one header are told apart by their order alone.
    if (text === null || cells === undefined || cells.length !== columns.length) continue
    for (const [i, cell] of cells.entries()) {
      const { name } = columns[i] as ServedName
      if (name !== names[cell] && isFormerName(name, text, cell)) kept.set(cell, name)
    }
  }
  return kept
}

/** Whether a column was named by its header, now or by earlier releases, and by no definition. */
function isFormerName(name: string, header: string, cell: number): boolean {
  const long = longColumnName(header)
  const given = [
    oldestName(header, cell),
    cutName(long),
    ...TAIL_ROOMS.map((room) => shortenInside(long, room)),
  ]
  if (given.includes(name)) return true
  const numbered = /^(.+)_\d+$/.exec(name)?.[1]
  return numbered !== undefined && given.some((text) => text.startsWith(numbered))
}

/** What a column was called when only Latin letters made names. */
export function oldestName(header: string, cell: number): string {
  return cutName(stripDiacritics(header)) || `column_${cell + 1}`
}

function cutName(text: string): string {
  return text
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, LONGEST_NAME)
    .replace(/_+$/, '')
}

export function describeFormerNames(kept: readonly FormerName[]): Decision[] {
  if (kept.length === 0) return []
  const shown = kept
    .slice(0, SHOWN_NAMES)
    .map(({ name, byHeader }) => `'${name}' (by its header: '${byHeader}')`)
  const more = kept.length > SHOWN_NAMES ? ` and ${kept.length - SHOWN_NAMES} more` : ''
  return [
    {
      kind: 'former_names',
      reason: `columns keep the names that they are served by: ${shown.join(', ')}${more}`,
      override: '"columns" in a definition',
    },
  ]
}
