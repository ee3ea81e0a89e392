/** Which dataset a file becomes: options stand before the definition, the definition before what is served. */

import { readFileSync } from 'node:fs'
import type { Catalog } from '../catalog/catalog.ts'
import type { DatasetInfo } from '../catalog/record.ts'
import { CommandError } from '../errors.ts'
import { snakeCase } from '../text/snake-case.ts'
import { explainFailure } from '../text/system-failure.ts'
import {
  type Definition,
  parseDefinition,
  requireDomain,
  requireId,
  requireTitle,
} from './definition/definition.ts'
import { findDefinition } from './definition/shipped-definitions.ts'
import type { SourceAbout } from './remote/ckan.ts'

export interface IdentityRequest {
  readonly file: string
  readonly id?: string | undefined
  readonly domain?: string | undefined
  readonly title?: string | undefined
  readonly definition?: string | undefined
  /** The definition itself, as the last ingest used it; stands before a path. */
  readonly knownDefinition?: Definition | null | undefined
}

export interface Identity {
  readonly info: DatasetInfo
  readonly definition: Definition | null
}

/**
 * @param about what the source itself says of its data
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
  const id = requireId(request.id ?? given?.id ?? nameToId(request.file, fileName))
  const served = catalog.record(id)?.dataset
  const definition = given ?? findDefinition(request.domain, id) ?? null
  const domain = request.domain ?? definition?.domain ?? served?.domain
  if (domain === undefined) {
    throw new CommandError(
      'usage',
      `'${id}' is new here and no definition of it is known, so its domain must be named: a word for its subject, for example --domain economy`,
    )
  }
  requireDomain(domain)
  if (served && served.domain !== domain) {
    throw new CommandError(
      'usage',
      `'${id}' is published in the domain '${served.domain}', and an id exists only once: leave --domain out, or give this dataset another --id`,
    )
  }
  const title = requireTitle(
    request.title ??
      definition?.title ??
      about.title ??
      served?.title ??
      nameToTitle(request.file, fileName, id),
  )
  return { definition, info: describeDataset(id, domain, title, { ...about, ...definition }) }
}

function describeDataset(id: string, domain: string, title: string, known: SourceAbout): DatasetInfo {
  return {
    id,
    domain,
    title,
    description: known.description ?? null,
    publisher: known.publisher ?? null,
    license: known.license ?? null,
    keywords: known.keywords ?? [],
    source_url: known.source_url ?? null,
    source_package_id: known.source_package_id ?? null,
  }
}

function readDefinition(path: string): Definition {
  let json: string
  try {
    json = decodeText(readFileSync(path))
  } catch (error) {
    throw new CommandError('usage', `the definition ${path} cannot be read: ${explainFailure(error)}`)
  }
  return parseDefinition(json, path)
}

/** UTF-8, or UTF-16 by its mark, as some editors save what they call Unicode. */
function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return new TextDecoder(isUtf16 ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(bytes)
}

function nameToId(file: string, fileName: string): string {
  const id = snakeCase(plainName(file, fileName))
  if (id !== '') return id
  throw new CommandError(
    'usage',
    'the dataset needs a name, for example --id prices_2025: small letters, digits and _',
  )
}

/** The name as the publisher wrote it; of standard input, which has none, the id's. */
function nameToTitle(file: string, fileName: string, id: string): string {
  const inWords = (name: string) => name.replace(/[_\s\p{Cc}]+/gu, ' ').trim()
  // File systems may hand out letters and their accents apart.
  return inWords(plainName(file, fileName)).normalize('NFC') || inWords(id) || id
}

/** The file's name without its extension; none of standard input. */
function plainName(file: string, fileName: string): string {
  if (file === '-') return ''
  const unwrapped = fileName.replace(/(?<=.\.[a-z]{3,6})\.(gz|gzip|zip)$/i, '')
  return unwrapped.replace(/(?<=.)\.[a-z0-9]{1,6}$/i, '')
}
