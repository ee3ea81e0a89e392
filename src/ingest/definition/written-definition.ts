/** `--write-definition`: what was decided about a file, as a definition to edit and to keep beside it. */

import { existsSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandError } from '../../errors.ts'
import { snakeCase } from '../../text/snake-case.ts'
import { explainFailure } from '../../text/system-failure.ts'
import type { Identity } from '../identity.ts'
import type { IngestReport } from '../report.ts'
import type { DefinedColumn, Definition } from './definition.ts'

/** @throws CommandError `usage` when there is a file already, which may have been edited, or no folder for one */
export function refuseExistingFile(path: string | undefined): void {
  if (path === undefined) return
  if (!existsSync(dirname(path)))
    throw new CommandError('usage', `--write-definition: the folder ${dirname(path)} does not exist`)
  if (!existsSync(path)) return
  throw new CommandError(
    'usage',
    `${path} is there already and is not overwritten: give --write-definition another name, or remove it first`,
  )
}

type ReadOptions = NonNullable<Definition['read']>

/** What was asked for with options, beyond what the report tells. */
export type AskedOptions = Pick<ReadOptions, 'totals' | 'ragged'>

/**
 * @param suggestions names of reference tables by column
 * @throws CommandError `failed` when the file cannot be made
 */
export function createDefinitionFile(
  path: string,
  report: IngestReport,
  identity: Identity,
  asked: AskedOptions,
  suggestions: ReadonlyMap<string, string>,
): void {
  const definition = composeDefinition(report, identity, asked, suggestions)
  const text = `${JSON.stringify(definition, null, 2)}\n`
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    throw new CommandError('failed', `the definition ${path} cannot be written: ${explainFailure(error)}`)
  }
}

/**
 * Everything that was decided, nothing that only happens to be so: no column becomes required because this file has no
 * empty cell in it, and one without any value gets no type.
 */
function composeDefinition(
  report: IngestReport,
  { info, definition }: Identity,
  asked: AskedOptions,
  suggestions: ReadonlyMap<string, string>,
): Definition {
  const personal = report.personal_data.flatMap(({ column, acknowledged }) => (acknowledged ? [column] : []))
  return {
    ...definition,
    ...describeInfo(info),
    read: { ...definition?.read, ...asked, ...decidedOptions(report) },
    columns: composeColumns(report, definition, suggestions),
    ...(personal.length === 0 ? {} : { personal_data: personal }),
  }
}

/** What is known of the dataset, without what is not. */
function describeInfo({ keywords, ...info }: Identity['info']): Pick<Definition, 'id' | 'domain'> {
  const known = Object.entries(info).filter(([, value]) => value !== null)
  const { id, domain } = info
  return { id, domain, ...Object.fromEntries(known), ...(keywords.length === 0 ? {} : { keywords }) }
}

function decidedOptions({ dialect }: IngestReport): ReadOptions {
  const { format, encoding, delimiter, quote, header_rows: header, sheet } = dialect
  const [row = 0] = header
  // The objects of JSON carry their names themselves.
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
): DefinedColumn[] {
  const declared = new Map(definition?.columns?.map((column) => [column.name, column]))
  const canonical = new Set(
    definition?.columns?.flatMap((column) =>
      column.canonical === undefined ? [] : `${column.name}_canonical`,
    ),
  )
  return columns
    .filter(({ name }) => !canonical.has(name))
    .map(({ name, source_name: source, type, distinct_count: distinct }) => {
      const table = suggestions.get(name)
      return {
        name,
        ...(source === null || isOwnName(name, source) ? {} : { source }),
        ...(distinct === 0 ? {} : { type }),
        ...(table === undefined ? {} : { canonical: table }),
        ...declared.get(name),
      }
    })
}

/** Whether a header is found by the column's name alone, as those without a name are by their place. */
function isOwnName(name: string, source: string): boolean {
  if (/^column_\d+$/.test(name) && snakeCase(source) === '') return true
  return snakeCase(source) === name && source.trim().toLowerCase() === name
}
