/** Which dataset a file becomes: options stand before the definition, the definition before what is served. */

import { readFileSync } from 'node:fs'
import type { Catalog } from '../catalog/catalog.ts'
import type { DatasetInfo } from '../catalog/record.ts'
import { CommandError } from '../errors.ts'
import { snakeCase } from '../text/snake-case.ts'
import {
  type Definition,
  parseDefinition,
  requireDomain,
  requireId,
  requireTitle,
} from './definition/definition.ts'
import { findDefinition } from './definition/shipped-definitions.ts'

export interface IdentityRequest {
  readonly file: string
  readonly id?: string | undefined
  readonly domain?: string | undefined
  readonly title?: string | undefined
  readonly definition?: string | undefined
}

export interface Identity {
  readonly info: DatasetInfo
  readonly definition: Definition | null
}

/** @throws CommandError `usage` when id, domain or title are missing, wrong, or the id belongs to another domain */
export function identifyDataset(request: IdentityRequest, fileName: string, catalog: Catalog): Identity {
  const given = request.definition === undefined ? undefined : readDefinition(request.definition)
  const id = requireId(request.id ?? given?.id ?? nameToId(request.file, fileName))
  const served = catalog.record(id)?.dataset
  const definition = given ?? findDefinition(request.domain, id) ?? null
  const domain = request.domain ?? definition?.domain ?? served?.domain
  if (domain === undefined) {
    throw new CommandError(
      'usage',
      `no definition of '${id}' is known, so its domain must be named with --domain`,
    )
  }
  requireDomain(domain)
  if (served && served.domain !== domain) {
    throw new CommandError(
      'usage',
      `'${id}' is published in the domain '${served.domain}'; ids are unique over all domains`,
    )
  }
  const title = requireTitle(
    request.title ?? definition?.title ?? served?.title ?? (id.replaceAll('_', ' ').trim() || id),
  )
  return { definition, info: describeDataset(id, domain, title, definition) }
}

function describeDataset(
  id: string,
  domain: string,
  title: string,
  definition: Definition | null,
): DatasetInfo {
  return {
    id,
    domain,
    title,
    description: definition?.description ?? null,
    publisher: definition?.publisher ?? null,
    license: definition?.license ?? null,
    keywords: definition?.keywords ?? [],
    source_url: definition?.source_url ?? null,
    source_package_id: definition?.source_package_id ?? null,
  }
}

function readDefinition(path: string): Definition {
  let json: string
  try {
    json = readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandError('usage', `the definition ${path} cannot be read: ${(error as Error).message}`)
  }
  return parseDefinition(json, path)
}

/** The file's name without its extension. */
function nameToId(file: string, fileName: string): string {
  const id = file === '-' ? '' : snakeCase(fileName.replace(/(?<=.)\.[a-z0-9]{1,5}$/i, ''))
  if (id !== '') return id
  throw new CommandError('usage', 'the dataset needs a name: give one with --id')
}
