/** Datasets that a new file may be the next edition of: those whose columns have the same names. */

import type { Catalog } from '../../store/catalog/catalog.ts'

export interface Likeness {
  readonly id: string
  /** Column names that both have, divided by those that either has: 0 to 1. */
  readonly share: number
}

const LEAST_SHARED = 2
const LEAST_SHARE = 0.5
/** Publishers see only those in the domains of their role. */
const MOST_FOUND = 200

/**
 * @param names columns of the file
 * @returns the most alike first, ties by id; a table with one column is like no other
 */
export function findAlike(catalog: Pick<Catalog, 'columnNames'>, names: readonly string[]): Likeness[] {
  const own = new Set(names)
  const found: Likeness[] = []
  for (const { id, columns } of catalog.columnNames()) {
    const shared = columns.filter((name) => own.has(name)).length
    const share = shared / (own.size + columns.length - shared)
    if (shared >= LEAST_SHARED && share >= LEAST_SHARE)
      found.push({ id, share: Math.round(share * 1000) / 1000 })
  }
  return found.sort((a, b) => b.share - a.share || (a.id < b.id ? -1 : 1)).slice(0, MOST_FOUND)
}
