/**
 * Which dataset a file becomes: options take precedence over the definition, the definition over what is served. The
 * definitions that come with the program are embedded here; a test compares their list with the folder.
 */

import { readFileSync } from 'node:fs'
import salaries2025 from '../../../data/definitions/economy/2025_salarii_aug_xlsx.json' with { type: 'json' }
import trade2023 from '../../../data/definitions/economy/comert_international_cu_bunuri_2023.json' with {
  type: 'json',
}
import trade2024 from '../../../data/definitions/economy/comert_international_cu_bunuri_2024.json' with {
  type: 'json',
}
import jobseekers2019 from '../../../data/definitions/economy/eures_pclm_judete_2019.json' with {
  type: 'json',
}
import jobseekers2023 from '../../../data/definitions/economy/eures_pclm_judete_sem1_2023.json' with {
  type: 'json',
}
import pupils2015 from '../../../data/definitions/education/elevi_2015_2016.json' with { type: 'json' }
import siruta from '../../../data/definitions/geospatial/siruta.json' with { type: 'json' }
import vehicles from '../../../data/definitions/transport/vehicle_registry.json' with { type: 'json' }
import { CommandError } from '../../base/errors.ts'
import { readRegularFile } from '../../base/process/regular-file.ts'
import { plainText, plainTextOrNull } from '../../base/text/plain-text.ts'
import { quoteArgument } from '../../base/text/quoting.ts'
import { snakeCase } from '../../base/text/snake-case.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import { undatedName } from '../../base/text/undated-name.ts'
import { type Definition, looksLikeDefinition, parseDefinition } from '../../read/definition/definition.ts'
import { requireDomain, requireName, requireTitle } from '../../read/definition/names.ts'
import { type ReadOptions, settleOptions } from '../../read/definition/read-options.ts'
import type { SourceFile } from '../../read/source/source.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { DatasetInfo } from '../../store/catalog/record.ts'
import type { SourceAbout } from '../fetch/ckan.ts'

export interface IdentityRequest {
  readonly file: string
  /** If left out, taken from the definition, a shipped one or the file's name. */
  readonly id?: string | undefined
  readonly domain?: string | undefined
  readonly title?: string | undefined
  /** Path of a definition file. */
  readonly definition?: string | undefined
  /** The file's rows are added to those served; if left out, the definition decides. */
  readonly append?: boolean | undefined
  /** How to read it; takes precedence over the definition. */
  readonly read?: ReadOptions | undefined
  /** The definition itself, as the last ingest used it; takes precedence over a path. */
  readonly knownDefinition?: Definition | null | undefined
  /** The domain may be chosen later, before publishing; until then it is empty. */
  readonly isDraft?: boolean | undefined
}

export interface Identity {
  readonly info: DatasetInfo
  /** With the options given with the file. */
  readonly definition: Definition | null
  /** The options given with the file. */
  readonly asked: ReadOptions
  /** The rows are added to those that are served, if any are. */
  readonly appends: boolean
  /** The title comes from the file name, so a title in the file takes precedence. */
  readonly isTitledByName: boolean
}

/**
 * @param about what the source says about its data
 * @throws CommandError `usage` when id, domain or title are missing, wrong, or the id belongs to another domain
 */
export function identifyDataset(
  request: IdentityRequest,
  fileName: string,
  catalog: Catalog,
  about: SourceAbout = {},
): Identity {
  const given =
    request.knownDefinition ??
    (request.definition === undefined ? undefined : readDefinition(request.definition))
  const byName = request.file === '-' ? '' : idOfName(fileName, catalog, request.domain)
  const id = request.id ?? given?.id ?? byName
  if (id === '' && request.id === undefined && given?.id === undefined)
    throw new CommandError(
      'usage',
      'the dataset needs a name, for example --id prices_2025: small letters, digits and _',
    )
  requireName('id', id)
  const record = catalog.record(id)
  const served = record?.dataset
  const named = given ?? findDefinition(request.domain, id) ?? null
  // Unless something else is given, a file that is added is read like the served version.
  const definition = named ?? (request.append ? ((record?.definition ?? null) as Definition | null) : null)
  const appends = request.append ?? definition?.mode === 'append'
  const domain = request.domain ?? definition?.domain ?? served?.domain ?? (request.isDraft ? '' : undefined)
  if (domain === undefined) {
    throw new CommandError(
      'usage',
      `'${id}' is new here and no definition of it is known, so its domain must be named: a word for its subject, for example --domain economy`,
    )
  }
  if (domain !== '' || !request.isDraft) requireDomain(domain)
  if (served && served.domain !== domain) {
    throw new CommandError(
      'usage',
      `'${id}' is published in the domain '${served.domain}', and an id exists only once: leave --domain out, or give this dataset another --id`,
    )
  }
  const inWords = (name: string) => name.replace(/[_\s\p{Cc}]+/gu, ' ').trim()
  const said = request.title ?? definition?.title ?? about.title ?? served?.title
  const wanted =
    said ??
    // The name as the publisher wrote it; standard input has none, so the id. Its accents may be separate characters.
    (inWords(undatedName(plainName(request.file, fileName))).normalize('NFC') || inWords(id) || id)
  const title = requireTitle(plainText(wanted))
  // The texts served with the rows that others are added to.
  const { id: _, domain: __, title: ___, ...known } = served ?? { id, domain, title }
  const texts = appends ? Object.fromEntries(Object.entries(known).filter(([, text]) => text !== null)) : {}
  const { read: asked = {} } = request
  return {
    definition: withOptions(definition, asked, { id, domain }),
    asked,
    appends,
    isTitledByName: said === undefined,
    info: describeDataset(id, domain, title, { ...texts, ...about, ...definition }),
  }
}

/** The definition with the options given, so that the desk and refreshes read the next edition by them. */
function withOptions(
  definition: Definition | null,
  asked: ReadOptions,
  place: Pick<Definition, 'id' | 'domain'>,
): Definition | null {
  if (Object.keys(asked).length === 0) return definition
  return { ...(definition ?? place), read: settleOptions(asked, definition?.read) }
}

/** The dataset with the title from its file, unless another title was given. @param title null: the file has none */
export function titledBy(identity: Identity, title: string | null): Identity {
  if (title === null || !identity.isTitledByName) return identity
  return { ...identity, info: { ...identity.info, title } }
}

function describeDataset(id: string, domain: string, title: string, known: SourceAbout): DatasetInfo {
  return {
    id,
    domain,
    title,
    description: plainTextOrNull(known.description),
    publisher: plainTextOrNull(known.publisher),
    license: plainTextOrNull(known.license),
    keywords: known.keywords?.map(plainText) ?? [],
    source_url: plainTextOrNull(known.source_url),
    source_package_id: plainTextOrNull(known.source_package_id),
  }
}

function readDefinition(path: string): Definition {
  let json: string
  try {
    json = decodeText(readRegularFile(path))
  } catch (error) {
    throw new CommandError('usage', `the definition ${path} cannot be read: ${explainFailure(error)}`)
  }
  return parseDefinition(json, path)
}

/** Larger files are data. */
const LARGEST_DEFINITION = 2 ** 20

/** @throws CommandError `usage` when the file to ingest is a definition */
export function refuseDefinition({ path, name, bytes }: SourceFile): void {
  if (bytes > LARGEST_DEFINITION || !looksLikeDefinition(decodeText(readFileSync(path)))) return
  throw new CommandError(
    'usage',
    `${name} is a definition, not data: name the file with the data first, izvor ingest FILE --definition ${quoteArgument(name)}`,
  )
}

/** UTF-8, or UTF-16 by its byte order mark, which some editors save as "Unicode". */
function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return new TextDecoder(isUtf16 ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(bytes)
}

/**
 * The id from a file's name; empty when nothing of it has an ASCII form.
 * @param domain the domain of a shipped definition, if one is given
 * @returns the name without a date at its end, unless the whole name is the id of a dataset or a definition
 */
export function idOfName(fileName: string, catalog: Catalog, domain?: string): string {
  const name = plainName('', fileName)
  const whole = snakeCase(name)
  if (whole === '' || catalog.find(whole) !== undefined || findDefinition(domain, whole) !== undefined)
    return whole
  return snakeCase(undatedName(name)) || whole
}

/** The file's name without its extension; empty for standard input. */
function plainName(file: string, fileName: string): string {
  if (file === '-') return ''
  const unwrapped = fileName.replace(/(?<=.\.[a-z]{3,6})\.(gz|gzip|zip)$/i, '')
  return unwrapped.replace(/(?<=.)\.[a-z0-9]{1,6}$/i, '')
}

/** As written in the files: a test parses each of them. */
const SHIPPED = [
  salaries2025,
  trade2023,
  trade2024,
  jobseekers2019,
  jobseekers2023,
  pupils2015,
  siruta,
  vehicles,
] as readonly unknown[] as readonly Definition[]

/** All of them, ordered by domain, then id. */
export function shippedDefinitions(): readonly Definition[] {
  return SHIPPED
}

/** The shipped definition of a dataset; without a domain, the one of that id. */
export function findDefinition(domain: string | undefined, id: string): Definition | undefined {
  return SHIPPED.find(
    (definition) => definition.id === id && (domain === undefined || definition.domain === domain),
  )
}
