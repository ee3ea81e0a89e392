/**
 * Decisions about a draft: a part of a definition. They take precedence over the definition of the dataset that the draft
 * is an edition of, so a later edition of the same file needs no decision.
 */

import { holdsDomain } from '../../accounts/keys/scopes.ts'
import { type Publisher, requireDomain } from '../../accounts/people/publisher.ts'
import { ApiError } from '../../base/errors.ts'
import { isObject, withoutNulls } from '../../base/plain-object.ts'
import { LONGEST_NAME } from '../../base/text/snake-case.ts'
import { type Changes, withChanges } from '../../read/definition/changes.ts'
import {
  type DefinedColumn,
  type Definition,
  type DefinitionPart,
  findPartProblem,
} from '../../read/definition/definition.ts'
import { LONGEST_KEYWORD, LONGEST_TEXT, MOST_KEYWORDS } from '../../read/definition/names.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Draft } from '../../store/catalog/drafts.ts'
import type { VersionRecord } from '../../store/catalog/record.ts'
import type { IngestReport } from '../edition/compose-report.ts'
import { findDefinition, identifyDataset, idOfName, titledBy } from '../edition/identity.ts'
import { composeDefinition } from '../edition/written-definition.ts'
import type { FetchedSource } from '../fetch/fetch-source.ts'

/** Every request for a draft reads all its decisions, and a request can add a megabyte. */
const MOST_DECIDED = 2 ** 20

/**
 * Merges a request's decisions into a draft's, field by field, and within `read` option by option. null takes one back.
 * @throws ApiError `invalid_body` naming the first field that is unknown or wrong
 */
export function mergeChanges(changes: Changes, added: Changes): Changes {
  const merged: Record<string, unknown> = { ...changes, ...added }
  if (isObject(added.read)) merged.read = { ...(isObject(changes.read) ? changes.read : {}), ...added.read }
  const size = JSON.stringify(merged).length
  const problem =
    size > MOST_DECIDED
      ? `the decisions about this draft have ${size.toLocaleString('en')} characters in total, and may have ${MOST_DECIDED.toLocaleString('en')}; take some back with null`
      : (findPartProblem(withChanges({}, merged)) ?? findLongText(withChanges({}, merged)))
  if (problem === null) return merged
  throw new ApiError('invalid_body', `${problem}.`, [{ location: 'body', message: `${problem}.` }])
}

/** The same limits as for editing the texts of a published dataset. */
function findLongText({ columns = [], keywords = [], ...rest }: DefinitionPart): string | null {
  if (keywords.length > MOST_KEYWORDS) return `keywords has more than ${MOST_KEYWORDS} entries`
  if (keywords.some((word) => word.length > LONGEST_KEYWORD))
    return `keywords has an entry of more than ${LONGEST_KEYWORD} characters`
  const fields = Object.entries(rest).map(([name, value]) => [name, value] as const)
  const ofColumns = columns.flatMap((column) =>
    Object.entries(column).map(([name, value]) => [`columns, ${column.name}.${name}`, value] as const),
  )
  const long = [...fields, ...ofColumns].find(
    ([, value]) => typeof value === 'string' && value.length > LONGEST_TEXT,
  )
  return long === undefined
    ? null
    : `${long[0]} has more than ${LONGEST_TEXT.toLocaleString('en')} characters`
}

/** Fields that describe a dataset and its columns, as opposed to how its file is read. */
const TEXTS = [
  'id',
  'title',
  'description',
  'publisher',
  'license',
  'keywords',
  'domain',
  'source_url',
  'source_package_id',
  'refresh',
]
const COLUMN_TEXTS = ['title', 'unit', 'description']

/** Whether two states of a draft start from the same definition: of the same dataset, or both of a new one. */
export function haveOneBase(catalog: Catalog, before: DecidedDraft, after: DecidedDraft): boolean {
  const [one, other] = [decided(catalog, before).id, decided(catalog, after).id]
  const isNew = (id: string) => catalog.find(id) === undefined && findDefinition(undefined, id) === undefined
  return one === other || (isNew(one) && isNew(other))
}

/** Whether a change of decisions makes it necessary to read the file again. */
export function changeReading(before: Changes, after: Changes): boolean {
  return !Bun.deepEquals(withoutTexts(before), withoutTexts(after))
}

function withoutTexts(changes: Changes): Changes {
  const { columns, ...rest } = without(changes, TEXTS)
  return Array.isArray(columns)
    ? { ...rest, columns: columns.map((column: object) => without(column, COLUMN_TEXTS)) }
    : { ...rest, columns }
}

function without(object: object, fields: readonly string[]): Changes {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !fields.includes(name)))
}

type DecidedDraft = Pick<Draft, 'changes' | 'dataset' | 'fileName'>

/** The decisions about a draft: its publisher's, over those in the dataset's definition. */
export function decided(catalog: Catalog, draft: DecidedDraft): DefinitionPart & { readonly id: string } {
  const { changes, dataset, fileName } = draft
  const id = typeof changes.id === 'string' ? changes.id : (dataset ?? nameOf(catalog, fileName))
  return { ...withChanges(baseOf(catalog, id), changes), id }
}

/** How the file is to be ingested. */
export interface Asked {
  readonly id: string
  readonly domain: string | undefined
  /** null: no definition is known, and nothing was decided. */
  readonly definition: Definition | null
}

/**
 * What an ingest of the draft asks for. Where nothing was decided, exactly what the served version was made with, so the
 * same file gives the same version.
 */
export function askedOf(catalog: Catalog, draft: Draft): Asked {
  const part = decided(catalog, draft)
  const { id } = part
  const served = catalog.record(id)
  if (served !== undefined && isEmpty(draft.changes)) {
    return { id, domain: undefined, definition: (served.definition ?? null) as Definition | null }
  }
  const domain = part.domain ?? served?.dataset.domain
  return { id, domain, definition: { ...part, id, domain: domain ?? '' } }
}

/**
 * The definition that reads the next edition as this one was read: the decisions, and what the file does not say itself.
 */
export function resultingDefinition(catalog: Catalog, draft: Draft, report: IngestReport): Definition {
  const { id, domain, definition } = askedOf(catalog, draft)
  const request = { file: draft.fileName, id, domain, knownDefinition: definition, isDraft: true }
  const about = (draft.fetched as Pick<FetchedSource, 'about'> | null)?.about
  const identity = identifyDataset(request, draft.fileName, catalog, about)
  return composeDefinition(report, titledBy(identity, report.title), {})
}

/** A dataset's definition, with the texts as they were edited since. */
function baseOf(catalog: Catalog, id: string): DefinitionPart {
  const record = catalog.record(id)
  if (record === undefined) return findDefinition(undefined, id) ?? { id }
  const { domain, title, description, publisher, license, keywords } = record.dataset
  const stored = record.definition as Definition | null
  const texts = withoutNulls({ title, description, publisher, license })
  const listed = (keywords.length > 0 || stored?.keywords) && { keywords }
  return { ...stored, id, domain, ...texts, ...listed, ...editedColumns(record, stored) }
}

function editedColumns({ columns, said }: VersionRecord, definition: Definition | null) {
  const { columns: declared = [] } = definition ?? {}
  const edited = new Map(Object.entries(said.columns ?? {}))
  const named = declared.map((column) => {
    const served = columns.find(({ name }) => name === column.name)
    const fields = Object.keys(edited.get(column.name) ?? {})
    if (served === undefined || fields.length === 0) return column
    return {
      ...column,
      ...Object.fromEntries(fields.map((field) => [field, served[field as keyof typeof served]])),
    }
  })
  const isEdited = named.some((column, i) => column !== declared[i])
  return isEdited && { columns: named.map(withoutNulls) as DefinedColumn[] }
}

function nameOf(catalog: Catalog, fileName: string): string {
  return idOfName(fileName, catalog) || 'dataset'
}

/**
 * Makes a draft an edition of another dataset, whose definition and texts apply from then on: of the decisions, only those
 * on how the file is read stay.
 * @param dataset null: it becomes a new dataset
 * @throws ApiError `dataset_not_found`, `role_missing`, `scope_missing`
 */
export function editionOf(
  catalog: Catalog,
  publisher: Publisher,
  draft: DecidedDraft,
  dataset: string | null,
): Pick<Draft, 'dataset' | 'changes'> {
  const { changes } = draft
  const { id } = decided(catalog, draft)
  if (dataset === (catalog.find(id) === undefined ? null : id)) return draft
  if (dataset !== null) requireEdition(catalog, publisher, dataset)
  const read = changes.read === undefined ? {} : { read: changes.read }
  return {
    dataset,
    changes: { ...(dataset === null && firstChanges(catalog, publisher, draft.fileName)), ...read },
  }
}

/** @throws ApiError `dataset_not_found`, `role_missing`, `scope_missing` */
export function requireEdition(catalog: Catalog, publisher: Publisher, dataset: string): void {
  const found = catalog.find(dataset)
  if (found === undefined)
    throw new ApiError('dataset_not_found', `There is no dataset '${dataset}' to make an edition of.`)
  requireDomain(publisher, found.domain)
}

/** The initial decisions about a new dataset: the domain, if the role has only one, and a free id. */
export function firstChanges(catalog: Catalog, { domains }: Publisher, fileName: string): Changes {
  const [domain] = domains === 'all' || domains.length > 1 ? [] : domains
  const id = freeName(catalog, fileName)
  return { ...(domain !== undefined && { domain }), ...(id !== null && { id }) }
}

/**
 * The dataset that a file is the next edition of, among those the publisher may change: the one whose id its name gives, or
 * the only one whose last file had that name.
 */
export function guessDataset(catalog: Catalog, { domains }: Publisher, fileName: string): string | null {
  const isOpen = (domain: string) => holdsDomain(domains, domain)
  const id = nameOf(catalog, fileName)
  const found = catalog.find(id)
  if (found !== undefined && isOpen(found.domain)) return id
  const known = catalog.publishedFrom(fileName).filter(({ domain }) => isOpen(domain))
  return known.length === 1 ? (known[0]?.id ?? null) : null
}

/** Another id for a new dataset than its file's name gives; null when that one is free. */
function freeName(catalog: Catalog, fileName: string): string | null {
  const name = nameOf(catalog, fileName)
  if (catalog.find(name) === undefined) return null
  for (let number = 2; ; number++) {
    const suffix = `_${number}`
    const free = name.slice(0, LONGEST_NAME - suffix.length) + suffix
    if (catalog.find(free) === undefined) return free
  }
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0
}
