/** Which of a CKAN package's files an ingest takes, when it is not told. */

import type { CommandError } from '../../base/errors.ts'
import { snakeCase } from '../../base/text/snake-case.ts'
import { refuse } from '../../read/report/reasons.ts'

/** What this needs of a resource (CKAN API guide, `package_show`). */
export interface Resource {
  readonly id: string
  readonly name: string
  readonly format: string
  readonly url: string
  /** When its data changed, or it was made; in the order of time, empty when not told. */
  readonly changed: string
}

export interface Choice {
  readonly resource: Resource
  /** Why this one, for people; null when there was nothing to choose. */
  readonly reason: string | null
}

/** Formats that can be read, the plainest first: of the same table in several, the first is taken. */
const FORMATS = ['csv', 'tsv', 'txt', 'xlsx', 'ods', 'xls', 'json', 'ndjson', 'jsonl', 'zip', 'gz']

/** Words that only say which edition a file is: months, Romanian and English, long and short. */
const EDITION_WORDS = new Set(
  ['ro', 'en'].flatMap((language) =>
    (['long', 'short'] as const).flatMap((month) => {
      const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' })
      return Array.from({ length: 12 }, (_, i) => snakeCase(format.format(Date.UTC(2024, i, 15))))
    }),
  ),
)
for (const word of 'luna anul trim trimestrul semestrul sem i ii iii iv v q'.split(' '))
  EDITION_WORDS.add(word)

/**
 * @param wanted the id, the name or the position (from 1) of a resource; undefined: the only readable one, of the same
 * table in several formats the plainest, of several editions of one table the newest
 * @throws CommandError `usage` with the list of resources when none or several fit
 */
export function chooseResource(
  shown: string,
  resources: readonly Resource[],
  wanted: string | undefined,
): Choice {
  if (resources.length === 0) throw refuse('package_without_files', {}, shown)
  if (wanted !== undefined) return { resource: findWanted(shown, resources, wanted), reason: null }
  const readable = resources.filter((resource) => FORMATS.includes(formatOf(resource)))
  const [only, ...others] = readable
  if (only === undefined) throw ambiguous(shown, 'has no file in a format that can be read', resources)
  if (others.length === 0)
    return {
      resource: only,
      reason: resources.length === 1 ? null : `it is the only table${besides(resources, only)}`,
    }
  const tables = Map.groupBy(readable, (resource) => tableOf(resource))
  if (tables.size > 1) throw ambiguous(shown, `has ${readable.length} files of different names`, resources)
  return chooseEdition(shown, resources, readable)
}

/** Of files whose names differ only in format, numbers and months. */
function chooseEdition(shown: string, all: readonly Resource[], readable: readonly Resource[]): Choice {
  const editions = Map.groupBy(readable, (resource) => wordsOf(resource).join(' '))
  const plainest = [...editions.values()].map(
    (files) =>
      files.toSorted((a, b) => FORMATS.indexOf(formatOf(a)) - FORMATS.indexOf(formatOf(b)))[0] as Resource,
  )
  const [newest, next] = plainest.toSorted((a, b) =>
    a.changed < b.changed ? 1 : a.changed > b.changed ? -1 : 0,
  )
  if (newest === undefined) throw ambiguous(shown, 'has no file', all)
  if (next === undefined) {
    const format = formatOf(newest).toUpperCase()
    return {
      resource: newest,
      reason: `of one table in several formats ${format} was taken${besides(all, newest)}`,
    }
  }
  if (newest.changed === '' || newest.changed === next.changed)
    throw ambiguous(shown, `has ${readable.length} files, and none is the newest`, all)
  return {
    resource: newest,
    reason: `it is the newest of ${plainest.length} editions, from ${newest.changed.slice(0, 10)}${besides(all, newest)}`,
  }
}

function findWanted(shown: string, resources: readonly Resource[], wanted: string): Resource {
  const byId = resources.find(({ id }) => id === wanted)
  if (byId) return byId
  const named = resources.filter(({ name }) => snakeCase(name) === snakeCase(wanted) && name !== '')
  if (named.length === 1) return named[0] as Resource
  if (named.length > 1) throw ambiguous(shown, `has ${named.length} files named '${wanted}'`, resources)
  const place = /^[1-9]\d{0,4}$/.test(wanted) ? resources[Number(wanted) - 1] : undefined
  if (place) return place
  throw ambiguous(shown, `has no file '${wanted}'`, resources)
}

function ambiguous(shown: string, what: string, resources: readonly Resource[]): CommandError {
  const list = resources.map(
    ({ id, name, format }, i) => `  ${i + 1}  ${name || '(no name)'}${format && `, ${format}`}, ${id}`,
  )
  return refuse(
    'package_of_several',
    {},
    `${shown} ${what}; name one by adding /ID, /NAME or /POSITION to the address:\n${list.join('\n')}`,
  )
}

function besides(resources: readonly Resource[], taken: Resource): string {
  const others = resources.filter((resource) => resource !== taken)
  const named = others.slice(0, 10).map(({ name, format, id }) => `${name || id}${format && ` (${format})`}`)
  const rest = others.length > named.length ? ` and ${others.length - named.length} more` : ''
  return `; not taken: ${named.join(', ')}${rest}`
}

/** The format as the publisher calls it, where it is a known one; else the ending of the file's name. */
function formatOf({ format, url }: Resource): string {
  const named = format.trim().toLowerCase().replace(/^\./, '').replace(/^.*\//, '')
  if (FORMATS.includes(named)) return named
  const ending = /\.([a-z0-9]{1,6})$/i.exec(url.replace(/[?#].*$/, ''))?.[1]?.toLowerCase() ?? ''
  // `CSV/XLS` and the like: what is behind the address decides.
  return FORMATS.includes(ending) ? ending : named
}

/** A file's name in words, without the ending and the names of formats. */
function wordsOf({ name, url }: Resource): string[] {
  const text = name || (url.split('/').at(-1) ?? '')
  const words = snakeCase(text).split('_')
  return words.filter((word) => word !== '' && !FORMATS.includes(word))
}

/** The name of the table: the same for all its editions. */
function tableOf(resource: Resource): string {
  const words = wordsOf(resource).map((word) => word.replace(/\d+/g, ''))
  return words.filter((word) => word !== '' && !EDITION_WORDS.has(word)).join(' ')
}
