/**
 * Packages of a CKAN catalogue: what the action API (`/api/3/action/package_show`, CKAN API guide) says of one becomes
 * what the catalog says of the dataset.
 */

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../base/errors.ts'
import type { Decision } from '../../read/report/decisions.ts'
import { refuse } from '../../read/report/reasons.ts'
import { decodeSegment, publicUrl, readUrl, showAddress } from './address.ts'
import { chooseResource, type Resource } from './ckan-choice.ts'
import { type DownloadOptions, download } from './download.ts'
import type { Origin } from './request.ts'

/** What a source says of its data: below options and definition, above what was known. */
export interface SourceAbout {
  readonly title?: string
  readonly description?: string
  readonly publisher?: string
  readonly license?: string
  readonly keywords?: readonly string[]
  readonly source_url?: string
  readonly source_package_id?: string
}

export interface CkanFile {
  readonly url: URL
  /** The catalogue that named it. */
  readonly from: Origin
  readonly about: SourceAbout
  readonly decisions: readonly Decision[]
}

type PackageOptions = Omit<DownloadOptions, 'path' | 'maxBytes' | 'validators' | 'anyStatus' | 'onProgress'>

/** Where a package may be found: the address does not say where a catalogue's own path ends. */
interface Place {
  readonly base: string
  readonly name: string
  readonly resource: string | undefined
}

/** Descriptions of packages with thousands of files stay below this. */
const LARGEST_ANSWER = 64_000_000
const LONGEST_TITLE = 500

/**
 * The file that `ckan:https://HOST[/PREFIX]/PACKAGE[/RESOURCE]` means. The address of a package's or a
 * resource's page, with `/dataset/` in it, is understood as well.
 * @throws CommandError `usage` when it names none or several files, with the list; `failed` when the catalogue does
 * not answer as one
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
    if (!(found instanceof CommandError)) {
      const file = describeFile(address, place, found.shown)
      return { ...file, from: found.from }
    }
    failure ??= found
  }
  throw failure as CommandError
}

function placesOf(root: URL, address: string): Place[] {
  const page = /^(.*)\/dataset\/([^/]+)(?:\/resource\/([^/]+))?\/*$/.exec(root.pathname)
  const at = (prefix: string, name: string, resource?: string): Place => ({
    base: `${root.origin}${prefix}`,
    name: decodeSegment(name),
    resource: resource === undefined ? undefined : decodeSegment(resource),
  })
  if (page) return [at(page[1] as string, page[2] as string, page[3])]
  const segments = root.pathname.split('/').filter((segment) => segment !== '')
  const last = segments.at(-1)
  const before = segments.at(-2)
  if (last === undefined) {
    throw refuse('wrong_address', {}, showAddress(address))
  }
  const prefix = (left: number) =>
    segments
      .slice(0, left)
      .map((segment) => `/${segment}`)
      .join('')
  const alone = at(prefix(segments.length - 1), last)
  return before === undefined ? [alone] : [at(prefix(segments.length - 2), before, last), alone]
}

/** @returns the package, or why the catalogue did not give it */
async function showPackage(root: URL, { base, name }: Place, workFolder: string, options: PackageOptions) {
  const url = new URL(`${base}/api/3/action/package_show?id=${encodeURIComponent(name)}`)
  url.username = root.username
  url.password = root.password
  const path = join(workFolder, 'package.json')
  try {
    const answer = await download(url, { ...options, path, maxBytes: LARGEST_ANSWER, anyStatus: true })
    if (answer === null) throw new Error('nothing was known of a package, and yet it is unchanged')
    const shown = readAnswer(readFileSync(path, 'utf8'), answer.status, url, name)
    return shown instanceof CommandError ? shown : { shown, from: answer.from }
  } finally {
    rmSync(path, { force: true })
  }
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
  const about: SourceAbout = {
    title: (part === '' || part === title ? title : `${title}: ${part}`).slice(0, LONGEST_TITLE),
    ...optional('description', textOf(found.notes)),
    ...optional('publisher', textOf(asRecord(found.organization).title) ?? textOf(found.author)),
    ...optional('license', textOf(found.license_title) ?? textOf(found.license_id)),
    keywords: (Array.isArray(found.tags) ? found.tags.map(asRecord) : []).flatMap(
      ({ display_name, name }) => textOf(display_name) ?? textOf(name) ?? [],
    ),
    source_url: publicUrl(url),
    source_package_id: textOf(found.id) ?? name,
  }
  const decisions: Decision[] =
    reason === null
      ? []
      : [
          {
            kind: 'resource',
            reason: `the file '${resource.name || resource.id}' of the package was taken: ${reason}`,
            override: 'ckan:ADDRESS/PACKAGE/RESOURCE',
          },
        ]
  return { url, about, decisions }
}

function readResources(found: Package, base: string): Resource[] {
  const list = Array.isArray(found.resources) ? found.resources.map(asRecord) : []
  return list.flatMap((entry) => {
    const url = textOf(entry.url)
    if (url === undefined || !URL.canParse(url, base)) return []
    const changed = textOf(entry.last_modified) ?? textOf(entry.created) ?? ''
    return [
      {
        id: textOf(entry.id) ?? '',
        name: textOf(entry.name) ?? '',
        format: textOf(entry.format) ?? '',
        url: new URL(url, base).href,
        changed,
      },
    ]
  })
}

function optional<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: string })
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** A text with something in it. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
