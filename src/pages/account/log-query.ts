/** The log's filters as the page's address and the API write them: the same names, texts as they stand. */

const NAMES = ['key_id', 'method', 'status_class', 'q', 'since', 'until', 'limit', 'offset'] as const

export type LogFilter = { readonly [Name in (typeof NAMES)[number]]?: string }

export const EMPTY_QUERY: LogFilter = {}

/** Reads an address's query; what the API would not know is left out. */
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
