/**
 * Filter queries of `package_search` (`fq`), the part of Solr's language that portals and harvesters send: `field:value`,
 * `field:"a text"`, `field:(a OR b)`, `field:[from TO to]`, with AND, OR, NOT, `+`, `-` and brackets.
 */

export type Fields = Readonly<Record<string, readonly string[]>>

export type Matcher = (fields: Fields) => boolean

const FILTER_FIELDS = [
  'groups',
  'organization',
  'owner_org',
  'tags',
  'name',
  'id',
  'title',
  'res_format',
  'license_id',
  'metadata_modified',
  'metadata_created',
  'state',
  'private',
  'type',
  'dataset_type',
  'capacity',
] as const

export class FilterQueryError extends Error {}

const TOKEN = /\s*(\(|\)|\+|-|[A-Za-z_]+:|\[[^\]]*\]|"(?:[^"\\]|\\.)*"|[^\s()"]+)/y

/** The most characters of all filter queries of a call: each condition is tried on every dataset, and harvesters send few. */
export const LONGEST_FILTER_QUERY = 4000

/**
 * Reads a filter query of at most `LONGEST_FILTER_QUERY` characters.
 * @returns a test for a dataset; every dataset passes an empty query
 * @throws FilterQueryError that names what was not understood
 */
export function readFilterQuery(text: string): Matcher {
  const reader = new Reader(tokensOf(text))
  const matcher = reader.isDone ? () => true : reader.any()
  if (!reader.isDone) throw new FilterQueryError(`"${reader.next}" was not expected`)
  return matcher
}

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  for (let at = 0, end = text.trimEnd().length; at < end; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)?.[1]
    if (found === undefined) throw new FilterQueryError(`"${text.slice(at, at + 20)}" was not understood`)
    tokens.push(found)
  }
  return tokens
}

/** The deepest nesting of brackets and negations; no client needs more. */
const DEEPEST = 20

class Reader {
  readonly #tokens: readonly string[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  get next(): string | undefined {
    return this.#tokens[this.#at]
  }

  get isDone(): boolean {
    return this.#at >= this.#tokens.length
  }

  /** Conditions joined by OR; within `field:( … )`, values of that field. */
  any(field?: string): Matcher {
    const parts = [this.#all(field)]
    while (this.next === 'OR') {
      this.#at++
      parts.push(this.#all(field))
    }
    return parts.length === 1 ? parts[0]! : (fields) => parts.some((part) => part(fields))
  }

  #all(field?: string): Matcher {
    const parts: Matcher[] = []
    while (!this.isDone && this.next !== 'OR' && this.next !== ')') {
      if (this.next === 'AND') this.#at++
      parts.push(this.#one(field))
    }
    if (parts.length === 0) throw new FilterQueryError('a condition is missing')
    return (fields) => parts.every((part) => part(fields))
  }

  #one(inside?: string): Matcher {
    if (inside !== undefined && !['+', '-', 'NOT', '('].includes(this.next ?? '')) return this.#values(inside)
    const token = this.#take()
    if (token === '+') return this.#one(inside)
    if (token === '-' || token === 'NOT') {
      const part = this.#deeper(() => this.#one(inside))
      return (fields) => !part(fields)
    }
    if (token === '(') return this.#bracketed(() => this.any(inside))
    // A minus read as part of the next word: `-tags:x`.
    if (token.startsWith('-') && token.length > 1) throw new FilterQueryError(`"${token}" was not understood`)
    if (!token.endsWith(':')) throw new FilterQueryError(`"${token}" has no field before it, as in tags:word`)
    const field = token.slice(0, -1)
    if (!FILTER_FIELDS.some((known) => known === field))
      throw new FilterQueryError(`there is no field "${field}"; the fields are ${FILTER_FIELDS.join(', ')}`)
    return this.#values(field)
  }

  #values(field: string): Matcher {
    const token = this.#take()
    if (token === '(') return this.#bracketed(() => this.any(field))
    if (token === ')' || token === 'AND' || token === 'OR')
      throw new FilterQueryError(`"${token}" stands where a value of "${field}" is expected`)
    if (token.startsWith('[')) return inRange(field, token)
    const wanted = (token.startsWith('"') ? token.slice(1, -1).replace(/\\(.)/g, '$1') : token).toLowerCase()
    if (wanted === '*') return (fields) => (fields[field]?.length ?? 0) > 0
    const isBeginning = wanted.endsWith('*') && !token.startsWith('"')
    const start = wanted.slice(0, -1)
    const passes = (value: string) => (isBeginning ? value.startsWith(start) : value === wanted)
    return (fields) => fields[field]?.some((value) => passes(value.toLowerCase())) ?? false
  }

  #bracketed(read: () => Matcher): Matcher {
    const matcher = this.#deeper(read)
    if (this.#take() !== ')') throw new FilterQueryError('a bracket is not closed')
    return matcher
  }

  #deeper(read: () => Matcher): Matcher {
    if (++this.#depth > DEEPEST)
      throw new FilterQueryError('brackets or negations stand too deep in one another')
    const matcher = read()
    this.#depth--
    return matcher
  }

  #take(): string {
    const token = this.next
    if (token === undefined) throw new FilterQueryError('it ends too early')
    this.#at++
    return token
  }
}

function inRange(field: string, token: string): Matcher {
  const bounds = /^\[\s*(\S+)\s+TO\s+(\S+)\s*\]$/.exec(token)
  if (bounds === null)
    throw new FilterQueryError(`"${token}" is not a range such as [2026-01-01T00:00:00Z TO *]`)
  const [from, to] = [momentOf(bounds[1]!), momentOf(bounds[2]!)]
  return (fields) =>
    fields[field]?.some((value) => {
      const moment = Date.parse(value)
      return (from === undefined || moment >= from) && (to === undefined || moment <= to)
    }) ?? false
}

/** undefined for an open bound. */
function momentOf(text: string): number | undefined {
  if (text === '*') return undefined
  const isWhole = /[zZ]$|[+-]\d\d:\d\d$/.test(text) || /^\d{4}-\d\d-\d\d$/.test(text)
  // Datasets have whole seconds. A dataset published in the second of a harvest is returned twice rather than missed.
  const moment = Date.parse((isWhole ? text : `${text}Z`).replace(/(:\d\d)\.\d+/, '$1'))
  if (Number.isNaN(moment))
    throw new FilterQueryError(`"${text}" is not a moment such as 2026-01-01T00:00:00Z`)
  return moment
}
