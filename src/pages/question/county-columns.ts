import type { Definition } from '../../read/definition/definition.ts'
import { loadShippedReference, type Standardize } from '../../read/values/reference.ts'
import type { VersionRecord } from '../../store/catalog/record.ts'
import { findCoordinates } from './coordinates.ts'

const TABLE = 'counties'
/** A column with more distinct texts holds something other than counties. */
const MOST_VALUES = 200
const WORD = /(^|[^a-z])(judet|county|counties)/

let shipped: Standardize | undefined

/** The county that a text names, as spelt in the reference table `counties`; undefined for none. */
export function countyOf(text: string): string | undefined {
  shipped ??= loadShippedReference(TABLE)
  return shipped(text)
}

/**
 * Positions of the columns for a map of counties: first those in the spelling of the reference table, then texts with
 * "county" in name or title whose first or last value is in the table: a total may remain among the counties.
 */
export function countyColumns({
  columns,
  definition,
}: Pick<VersionRecord, 'columns' | 'definition'>): number[] {
  const declared = (definition as Definition | null)?.columns ?? []
  const tabled = declared.filter(({ canonical }) => canonical === TABLE).map(({ name }) => name)
  const isSmall = ({ type, distinct_count: distinct }: VersionRecord['columns'][number]) =>
    type === 'string' && distinct > 0 && distinct <= MOST_VALUES
  const standard = columns.filter(
    (one) => isSmall(one) && tabled.some((name) => one.name === `${name}_canonical`),
  )
  const named = columns.filter(
    (one) => isSmall(one) && !tabled.includes(one.name) && !standard.includes(one) && namesCounties(one),
  )
  return [...standard, ...named].map((column) => columns.indexOf(column))
}

/** Whether rows can be drawn as counties or points. */
export function hasMap(record: VersionRecord): boolean {
  return findCoordinates(record.columns) !== undefined || countyColumns(record).length > 0
}

function namesCounties({ name, title, min, max }: VersionRecord['columns'][number]): boolean {
  const words = `${name} ${title ?? ''}`.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return WORD.test(words) && [min, max].some((value) => countyOf(String(value)) !== undefined)
}
