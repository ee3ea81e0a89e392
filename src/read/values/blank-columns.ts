/** Columns that are none: no name and no value in the whole file. Delimiters at the ends of rows leave them. */

import type { ColumnPlan } from '../definition/columns.ts'
import type { Decision } from '../report/decisions.ts'
import type { LoadedColumn } from './validation.ts'

interface Columns {
  readonly plan: ColumnPlan
  readonly columns: readonly LoadedColumn[]
}

/**
 * Leaves out columns without name and values. One that is being served or declared stays, and one is left of a file that
 * has no others.
 * @param kept names of the columns that stay
 */
export function dropBlankColumns(
  { plan, columns }: Columns,
  kept: ReadonlySet<string>,
): Columns & { readonly decisions: readonly Decision[] } {
  const isBlank = ({ plan: { name, sourceName, type }, typed }: LoadedColumn) =>
    sourceName?.trim() === '' && type === null && hasNoValue(typed) && !kept.has(name)
  const blank = columns.filter(isBlank)
  if (blank.length === 0 || blank.length === columns.length) return { plan, columns, decisions: [] }
  const cells = blank.map(({ plan: { cell } }) => cell + 1)
  const what = cells.length === 1 ? `column ${cells[0]} has` : `columns ${listPlaces(cells)} have`
  const reason = `${what} neither a name nor any value, and ${cells.length === 1 ? 'is' : 'are'} left out`
  const dropped = new Set(blank.map(({ plan: { name } }) => name))
  return {
    columns: columns.filter(({ plan: { name } }) => !dropped.has(name)),
    plan: {
      ...plan,
      columns: plan.columns.filter(({ name }) => !dropped.has(name)),
      undeclared: withoutBlank(plan.undeclared, cells.length),
    },
    decisions: [{ kind: 'blank_columns', reason, override: '"columns" in a definition' }],
  }
}

/** Cells of white space are entries too, and nobody's value. */
function hasNoValue({ values, valueIds }: LoadedColumn['typed']): boolean {
  return values.offsets.length < 2 || (valueIds?.every((value) => value === 0) ?? false)
}

/** Takes as many blank headers away as columns were left out; those at the end first. */
function withoutBlank(headers: readonly string[], count: number): string[] {
  let left = count
  return headers
    .toReversed()
    .filter((header) => header.trim() !== '' || left-- <= 0)
    .toReversed()
}

const LISTED = 8

function listPlaces(places: readonly number[]): string {
  const shown = places.slice(0, LISTED).join(', ')
  return places.length > LISTED ? `${shown} and ${places.length - LISTED} more` : shown
}
