/** The log's filters, with the same names in the page's address and in the API. */

const NAMES = ['key_id', 'method', 'status_class', 'q', 'since', 'until', 'limit', 'offset'] as const

export type LogFilter = { readonly [Name in (typeof NAMES)[number]]?: string }

export const EMPTY_QUERY: LogFilter = {}

/** Reads the query of an address; unknown parameters are ignored. */
export function readLogQuery(search: string): LogFilter {
  const given = new URLSearchParams(search)
  const known = NAMES.map((name) => [name, given.get(name) ?? ''] as const)
  return Object.fromEntries(known.filter(([, value]) => value !== ''))
}

/** Writes the query of a call, without what is empty. */
export function writeLogQuery(query: LogFilter): string {
  const set = NAMES.map((name) => [name, query[name] ?? ''] as const).filter(([, value]) => value !== '')
  return new URLSearchParams(set.map(([name, value]) => [name, value])).toString()
}
