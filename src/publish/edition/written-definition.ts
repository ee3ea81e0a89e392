/** `--write-definition`: what was decided about a file, written as a definition to edit and keep beside it. */

import { existsSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandError } from '../../base/errors.ts'
import { columnName } from '../../base/text/snake-case.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import type { DefinedColumn, Definition } from '../../read/definition/definition.ts'
import type { ReadOptions } from '../../read/definition/read-options.ts'
import type { IngestReport } from './compose-report.ts'
import type { Identity } from './identity.ts'

/** @throws CommandError `usage` when the file exists already, as it may have been edited, or its folder does not exist */
export function refuseExistingFile(path: string | undefined): void {
  if (path === undefined) return
  if (!existsSync(dirname(path)))
    throw new CommandError('usage', `--write-definition: the folder ${dirname(path)} does not exist`)
  if (!existsSync(path)) return
  throw new CommandError(
    'usage',
    `${path} already exists and is not overwritten: give --write-definition another name, or remove it first`,
  )
}

/** What a run says about the definition to be written. */
export interface WrittenRequest {
  /** Path of the file. */
  readonly writeDefinition?: string | undefined
  readonly append?: boolean | undefined
  /** Includes what can be detected from the file itself. */
  readonly fullDefinition?: boolean | undefined
}

/**
 * @param report null: the file has no table, so the definition holds only the request's options
 * @param suggestions names of reference tables by column
 * @throws CommandError `failed` when the file cannot be written
 */
export function createDefinitionFile(
  path: string,
  report: IngestReport | null,
  identity: Identity,
  request: WrittenRequest,
  suggestions: ReadonlyMap<string, string> = new Map(),
): void {
  const definition = composeDefinition(report, identity, request, suggestions)
  const text = `${JSON.stringify(definition, null, 2)}\n`
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    throw new CommandError('failed', `the definition ${path} cannot be written: ${explainFailure(error)}`)
  }
}

/**
 * Leaves out what is accidental: no column becomes required because this file has no empty cell in it. What is detected
 * from the file is left out too, as it is detected in the next one, unless everything is asked for.
 */
export function composeDefinition(
  report: IngestReport | null,
  { info, definition }: Identity,
  { append, fullDefinition: isFull = false }: WrittenRequest,
  suggestions: ReadonlyMap<string, string> = new Map(),
): Definition {
  const acknowledged = report?.personal_data.filter((column) => column.acknowledged) ?? []
  const read = { ...definition?.read, ...(isFull && report ? decidedOptions(report) : {}) }
  const columns = report && composeColumns(report, definition, suggestions, isFull)
  const { id, domain, keywords, ...texts } = info
  const known = Object.entries(texts).filter(([, value]) => value !== null)
  return {
    ...definition,
    id,
    domain,
    ...Object.fromEntries(known),
    ...(keywords.length === 0 ? {} : { keywords }),
    ...(Object.keys(read).length === 0 ? {} : { read }),
    ...(columns ? { columns } : {}),
    ...(append === true ? { mode: 'append' } : {}),
    ...(acknowledged.length === 0 ? {} : { personal_data: acknowledged.map(({ column }) => column) }),
  }
}

function decidedOptions({ dialect }: IngestReport): ReadOptions {
  const { format, encoding, delimiter, quote, header_rows: header, sheet } = dialect
  const [row = 0] = header
  // JSON objects contain their names.
  const hasHeader = format !== 'json' && format !== 'ndjson'
  return {
    format,
    ...(format === 'csv' ? { encoding, delimiter, quote } : {}),
    ...(hasHeader ? { header_row: header.length > 1 ? header : row } : {}),
    ...(sheet === null ? {} : { sheet }),
  }
}

function composeColumns(
  { columns }: IngestReport,
  definition: Definition | null,
  suggestions: ReadonlyMap<string, string>,
  isFull: boolean,
): DefinedColumn[] {
  const declared = new Map(definition?.columns?.map((column) => [column.name, column]))
  const canonical = new Set(
    definition?.columns?.flatMap((column) =>
      column.canonical === undefined ? [] : `${column.name}_canonical`,
    ),
  )
  const own = columns.filter(({ name }) => !canonical.has(name))
  const sources = own.map(({ source_name: source }) => columnName(source ?? ''))
  return own.map(({ name, source_name: source, type, distinct_count: distinct, nearly }) => {
    const table = suggestions.get(name)
    const plain = columnName(source ?? '')
    const isUnnamed = source === null || (plain === '' && /^column_\d+$/.test(name))
    // Its name alone finds it: no other column has that name; or, in a full definition, the header is the name.
    const isAlone = isFull
      ? source?.trim().toLowerCase() === name
      : sources.filter((other) => other === name).length === 1
    const isFound = isUnnamed || (plain === name && isAlone)
    return {
      name,
      ...(isFound ? {} : { source: source as string }),
      // A column that is text because of a few values may become numeric when those are declared to be null.
      ...(!isFull || distinct === 0 || nearly !== null ? {} : { type }),
      ...(table === undefined ? {} : { canonical: table }),
      ...declared.get(name),
    }
  })
}
