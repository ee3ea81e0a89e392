/** Which part of the catalog a page shows. */

import type { Parameter } from '../../base/text/query-string.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { CatalogEntry } from '../../store/catalog/record.ts'

/** Entries on a page: about 20 KB with their texts. */
export const PAGE_ENTRIES = 50
const LONGEST_SEARCH = 200
const MOST_PAGES = 10_000

export interface CatalogQuery {
  /** Words searched for; empty: none. */
  readonly q: string
  /** null: all. */
  readonly domain: string | null
  /** From 1. */
  readonly page: number
}

export interface Found {
  readonly total: number
  readonly entries: readonly CatalogEntry[]
}

/** Reads the page's parameters. People edit addresses, so invalid values are ignored, never refused. */
export function readCatalogQuery(parameters: readonly Parameter[]): CatalogQuery {
  const given = (name: string) => parameters.find((parameter) => parameter.name === name)?.value.trim() ?? ''
  const page = Number(given('page'))
  return {
    q: given('q').slice(0, LONGEST_SEARCH),
    domain: given('domain') || null,
    page: Number.isInteger(page) && page > 1 && page < MOST_PAGES ? page : 1,
  }
}

/** The parameters of a page, without defaults. */
export function writeCatalogQuery({ q, domain, page }: CatalogQuery): Parameter[] {
  const parameters: Parameter[] = []
  if (q !== '') parameters.push({ name: 'q', value: q })
  if (domain !== null) parameters.push({ name: 'domain', value: domain })
  if (page > 1) parameters.push({ name: 'page', value: String(page) })
  return parameters
}

/** Best match first, or by domain and id. */
export function findEntries(catalog: Catalog, { q, domain, page }: CatalogQuery): Found {
  const window = { limit: PAGE_ENTRIES, offset: (page - 1) * PAGE_ENTRIES }
  if (q === '') {
    const { total, datasets } = catalog.list({ domain: domain ?? undefined, ...window })
    return { total, entries: datasets }
  }
  const { total, datasets } = catalog.search(q, window)
  return { total, entries: datasets }
}
