/** Turns a CKAN package (`/api/3/action/package_show` of its catalogue, CKAN API guide) into a dataset's texts. */

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { atEnd } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { isObject, withoutNulls } from '../../base/plain-object.ts'
import { snakeCase } from '../../base/text/snake-case.ts'
import type { Decision } from '../../read/report/decisions.ts'
import { refuse } from '../../read/report/reasons.ts'
import type { DatasetInfo } from '../../store/catalog/record.ts'
import { decodeSegment, publicUrl, readUrl, showAddress } from './address.ts'
import { type DownloadOptions, download } from './download.ts'
import type { Origin } from './request.ts'

type Texts = Omit<DatasetInfo, 'id' | 'domain'>

/** What a source says about its data: below options and definition, above what was known. */
export type SourceAbout = { readonly [Field in keyof Texts]?: NonNullable<Texts[Field]> }

export interface CkanFile {
  readonly url: URL
  /** The catalogue that named it. */
  readonly from: Origin
  readonly about: SourceAbout
  readonly decisions: readonly Decision[]
}

type PackageOptions = Omit<DownloadOptions, 'path' | 'maxBytes' | 'validators' | 'anyStatus' | 'onProgress'>

type Place = ReturnType<typeof placesOf>[number]

/** The fields of a resource that a choice needs (CKAN API guide, `package_show`). */
export type Resource = ReturnType<typeof readResources>[number]

/** Descriptions of packages with thousands of files stay below this size. */
const LARGEST_ANSWER = 64_000_000
const LONGEST_TITLE = 500

/**
 * Finds the file that `ckan:https://HOST[/PREFIX]/PACKAGE[/RESOURCE]` names. The address of a package's or a resource's
 * page, with `/dataset/` in it, works as well.
 * @throws CommandError `usage` when it names no file or several, with the list; `failed` when the host does not answer like
 * a CKAN catalogue
 */
export async function findCkanFile(
  address: string,
  workFolder: string,
  options: PackageOptions,
): Promise<CkanFile> {
  const root = readUrl(address)
  let failure: CommandError | undefined
  for (const place of placesOf(root, address)) {
    const found = await showPackage(root, place, workFolder, options)
    if (!(found instanceof CommandError))
      return { ...describeFile(address, place, found.shown), from: found.from }
    failure ??= found
  }
  throw failure as CommandError
}

/** Places where a package may be: the address does not show where the catalogue's own path ends. */
function placesOf(root: URL, address: string) {
  const page = /^(.*)\/dataset\/([^/]+)(?:\/resource\/([^/]+))?\/*$/.exec(root.pathname)
  const at = (prefix: string, name: string, resource?: string) => ({
    base: `${root.origin}${prefix}`,
    name: decodeSegment(name),
    resource: resource === undefined ? undefined : decodeSegment(resource),
  })
  if (page) return [at(page[1] as string, page[2] as string, page[3])]
  const segments = root.pathname.split('/').filter((segment) => segment !== '')
  const last = segments.at(-1)
  const before = segments.at(-2)
  if (last === undefined) throw refuse('wrong_address', {}, showAddress(address))
  const prefix = (left: number) => ['', ...segments.slice(0, left)].join('/')
  const alone = at(prefix(segments.length - 1), last)
  return before === undefined ? [alone] : [at(prefix(segments.length - 2), before, last), alone]
}

/** @returns the package, or why the catalogue did not give it */
async function showPackage(root: URL, { base, name }: Place, workFolder: string, options: PackageOptions) {
  const url = new URL(`${base}/api/3/action/package_show?id=${encodeURIComponent(name)}`)
  url.username = root.username
  url.password = root.password
  const path = join(workFolder, 'package.json')
  using _ = atEnd(() => rmSync(path, { force: true }))
  const answer = await download(url, { ...options, path, maxBytes: LARGEST_ANSWER, anyStatus: true })
  if (answer === null) throw new Error('a server says that a package is unchanged, but none was known')
  const shown = readAnswer(readFileSync(path, 'utf8'), answer.status, url, name)
  return shown instanceof CommandError ? shown : { shown, from: answer.from }
}

function readAnswer(text: string, status: number, url: URL, name: string): Package | CommandError {
  const shown = publicUrl(url)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return refuse('not_a_catalogue', { host: url.host }, `${shown}: HTTP status ${status}, no JSON`)
  }
  const answer = asRecord(body)
  if (answer.success === true) return asRecord(answer.result)
  const error = asRecord(answer.error)
  const kind = textOf(error.__type) ?? ''
  const said = textOf(error.message) ?? `HTTP status ${status}`
  if (status === 404 || /not found/i.test(kind))
    return refuse('package_not_found', { host: url.host, name }, said)
  if (status === 403 || /authorization/i.test(kind))
    return refuse('package_closed', { host: url.host, name }, said)
  return refuse('package_not_found', { host: url.host, name }, `${shown}: ${said}`)
}

type Package = Readonly<Record<string, unknown>>

function describeFile(address: string, place: Place, found: Package): Omit<CkanFile, 'from'> {
  const resources = readResources(found, place.base)
  const shown = showAddress(address)
  const { resource, reason } = chooseResource(shown, resources, place.resource)
  const url = readUrl(resource.url)
  const name = textOf(found.name) ?? place.name
  const title = textOf(found.title) ?? name
  const part = place.resource !== undefined && resources.length > 1 ? resource.name : ''
  const about = withoutNulls({
    title: (part === '' || part === title ? title : `${title}: ${part}`).slice(0, LONGEST_TITLE),
    description: textOf(found.notes),
    publisher: textOf(asRecord(found.organization).title) ?? textOf(found.author),
    license: textOf(found.license_title) ?? textOf(found.license_id),
    keywords: (Array.isArray(found.tags) ? found.tags.map(asRecord) : []).flatMap(
      ({ display_name, name }) => textOf(display_name) ?? textOf(name) ?? [],
    ),
    source_url: publicUrl(url),
    source_package_id: textOf(found.id) ?? name,
  })
  const decision = {
    kind: 'resource',
    reason: `the file '${resource.name || resource.id}' of the package was taken: ${reason}`,
    override: 'ckan:ADDRESS/PACKAGE/RESOURCE',
  } as const
  return { url, about, decisions: reason === null ? [] : [decision] }
}

function readResources(found: Package, base: string) {
  const list = Array.isArray(found.resources) ? found.resources.map(asRecord) : []
  return list.flatMap((entry) => {
    const url = textOf(entry.url)
    if (url === null || !URL.canParse(url, base)) return []
    return [
      {
        id: textOf(entry.id) ?? '',
        name: textOf(entry.name) ?? '',
        format: textOf(entry.format) ?? '',
        url: new URL(url, base).href,
        // When its data changed, or it was created: sorts by time; empty when not given.
        changed: textOf(entry.last_modified) ?? textOf(entry.created) ?? '',
      },
    ]
  })
}

function asRecord(value: unknown): Package {
  return isObject(value) ? value : {}
}

function textOf(value: unknown): string | null {
  return (typeof value === 'string' && value.trim()) || null
}

/** Readable formats, the plainest first: where a table comes in several, the first of them is taken. */
const FORMATS = ['csv', 'tsv', 'txt', 'xlsx', 'ods', 'xls', 'json', 'ndjson', 'jsonl', 'zip', 'gz']

/** Words that only say which edition a file is: months in Romanian and English, long and short. */
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
 * @param wanted the id, the name or the position (from 1) of a resource; undefined: the only readable one; the plainest, if
 * one table comes in several formats; the newest, if there are several editions of one table
 * @returns the resource, and for people why it was taken; null when there was no choice
 * @throws CommandError `usage` with the list of resources when none or several fit
 */
export function chooseResource(shown: string, resources: readonly Resource[], wanted: string | undefined) {
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
  // All editions of a table have the same name.
  const tables = readable.map((resource) => {
    const words = wordsOf(resource).map((word) => word.replace(/\d+/g, ''))
    return words.filter((word) => word !== '' && !EDITION_WORDS.has(word)).join(' ')
  })
  if (new Set(tables).size > 1)
    throw ambiguous(shown, `has ${readable.length} files of different names`, resources)
  return chooseEdition(shown, resources, readable)
}

/** Chooses among files whose names differ only in format, numbers and months. */
function chooseEdition(shown: string, all: readonly Resource[], readable: readonly Resource[]) {
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

/** The publisher's format, if it is a known one; else the extension of the file's name. */
function formatOf({ format, url }: Resource): string {
  const named = format.trim().toLowerCase().replace(/^\./, '').replace(/^.*\//, '')
  if (FORMATS.includes(named)) return named
  const ending = /\.([a-z0-9]{1,6})$/i.exec(url.replace(/[?#].*$/, ''))?.[1]?.toLowerCase() ?? ''
  // For `CSV/XLS` and the like, the extension decides.
  return FORMATS.includes(ending) ? ending : named
}

/** The words of a file's name, without its extension and the names of formats. */
function wordsOf({ name, url }: Resource): string[] {
  const text = name || (url.split('/').at(-1) ?? '')
  const words = snakeCase(text).split('_')
  return words.filter((word) => word !== '' && !FORMATS.includes(word))
}
