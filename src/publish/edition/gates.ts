/**
 * What keeps an ingest from replacing good data by bad: drift, quarantine, emptiness, personal data. Each gate yields a
 * refusal or null; all of them are asked, so that a person learns of everything at once.
 */

import type { Config } from '../../base/config/config.ts'
import { CommandError } from '../../base/errors.ts'
import type { Definition } from '../../read/definition/definition.ts'
import type { PersonalColumn } from '../../read/report/decisions.ts'
import type { Quarantine } from '../../read/report/quarantine.ts'
import { type Warning, warn } from '../../read/report/warnings.ts'
import { describePersonal } from '../../read/values/personal-data.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { type Drift, describeDrift } from './compare-served.ts'
import type { Refusal, RowCounts } from './report.ts'

/** Row counts further apart than this factor are worth a warning, and fewer rows a refusal where there were enough. */
const FAR = 2
/** Half of this many rows are not lost by chance, and fewer than this share of them is worth a warning. */
const ENOUGH_ROWS = 20
const USUAL_SHARE = 0.75
const SHOWN_REASONS = 5

/** What answers a reason for all its rows at once. */
const REMEDIES: Readonly<Record<string, string>> = {
  invalid_encoding: 'if the file is in another encoding, name it with --encoding',
}

const ADVICE: Readonly<Record<Refusal['kind'], string>> = {
  drift:
    'Publish it all the same with --accept-drift. A column that only has another header now keeps its name by a definition: "name" as it is served, "source" as the file has it',
  append_drift:
    'A column that only has another header or type keeps its name and type by a definition: "name" and "type" as they are served, "source" as the file has it',
  quarantine:
    'Fix the file, or a definition that asks for more than the file has, or allow more with --max-quarantine',
  too_many_mended:
    'Fix the file, see the rows with a dry run, or allow more with --max-mended; with --ragged quarantine none is mended',
  empty: 'If that is meant, say --accept-drift',
  too_few_rows:
    'If the rows are gone for good, say --accept-shrink; if the file is a part, add it with --append',
  duplicate_key:
    'If the file holds rows that come again, name the columns that tell its edition from the others, such as year and month, under "replace_where" in a definition: the served rows with the same values there are taken out first',
  personal_data:
    'Leave the columns out, or, if they may be published, say so with {override}, or name them under "personal_data" in a definition',
}

export function refuseDrift(id: string, drift: Drift | null, accepted: boolean): Refusal | null {
  if (drift === null || accepted) return null
  const message = `the file does not have the columns of '${id}':\n${describeDrift(drift)}`
  return { kind: 'drift', message, override: '--accept-drift' }
}

/** Rows of other columns cannot be added, whatever is accepted. */
export function refuseAppendedDrift(id: string, drift: Drift | null): Refusal | null {
  if (drift === null) return null
  const message = `rows can only be added to '${id}' with the same columns:\n${describeDrift(drift)}`
  return { kind: 'append_drift', message, override: '"columns" in a definition' }
}

/** Rows would be added whose keys are served already. */
export function refuseDuplicates(id: string, key: readonly string[], duplicates: number): Refusal | null {
  if (duplicates === 0) return null
  const rows = duplicates === 1 ? '1 row' : `${duplicates} rows`
  const message = `${rows} of '${id}' already ${duplicates === 1 ? 'has' : 'have'} the primary key (${key.join(', ')}) of a row of the file`
  return { kind: 'duplicate_key', message, override: '"replace_where" in a definition' }
}

/** @param most largest share of quarantined rows, 0..1 */
export function refuseQuarantine(rows: RowCounts, quarantine: Quarantine, most: number): Refusal | null {
  // Notes and repeated headers hold no data, so they do not count as lost.
  const lost = rows.quarantined - quarantine.layoutRows
  if (lost === 0 || lost <= tidy(most * rows.read)) return null
  const reasons = quarantine
    .counts()
    .slice(0, SHOWN_REASONS)
    .map(({ reason, count, first_line }) => {
      const remedy = REMEDIES[reason]
      return `${count} x ${reason}, first on line ${first_line}${remedy === undefined ? '' : `; ${remedy}`}`
    })
  const share = ((100 * rows.quarantined) / rows.read).toFixed(1)
  const message = `${rows.quarantined} of ${rows.read} rows (${share} %) cannot be imported, and at most ${tidy(100 * most)} % may be left out:\n${reasons.join('\n')}`
  return { kind: 'quarantine', message, override: '--max-quarantine' }
}

/** @param most largest share of mended records, 0..1 */
export function refuseMended(rows: RowCounts, mended: Quarantine, most: number): Refusal | null {
  if (mended.size <= tidy(most * rows.read)) return null
  const kinds = mended
    .counts()
    .map(({ reason, count, first_line }) => `${count} x ${reason}, first on line ${first_line}`)
  const share = ((100 * mended.size) / rows.read).toFixed(1)
  const message = `${mended.size} of ${rows.read} rows (${share} %) have another number of cells than the header and were mended, and at most ${tidy(100 * most)} % may be:\n${kinds.join('\n')}`
  return { kind: 'too_many_mended', message, override: '--max-mended' }
}

/** A product without the error of its last binary digits: 0.29 of 100 are 29, not 28.999999999999996. */
function tidy(product: number): number {
  return Number(product.toPrecision(14))
}

/** Why no row is left, in words. */
function nameEmptiness({ quarantined }: RowCounts): string {
  if (quarantined === 0) return 'the file has a header and no rows'
  return quarantined === 1 ? 'the only row is in quarantine' : `all ${quarantined} rows are in quarantine`
}

/** Rows that are served would be replaced by none. */
export function refuseEmptying(
  id: string,
  rows: RowCounts,
  served: number,
  accepted: boolean,
): Refusal | null {
  if (rows.imported > 0 || served === 0 || accepted) return null
  const message = `${nameEmptiness(rows)}: this would empty '${id}', which serves ${served}.`
  return { kind: 'empty', message, override: '--accept-drift' }
}

/** @param rows that would be served @param served that are now */
export function refuseShrinking(id: string, rows: number, served: number, accepted: boolean): Refusal | null {
  if (accepted || rows === 0 || served < ENOUGH_ROWS || rows * FAR >= served) return null
  const message = `'${id}' serves ${served} rows and would have ${rows}, fewer than half of them`
  return { kind: 'too_few_rows', message, override: '--accept-shrink' }
}

function adviseOn({ kind, override }: Refusal): string {
  return ADVICE[kind].replace('{override}', override)
}

/** All refusals in one error, with what answers each. */
export function refusalError(refusals: readonly Refusal[]): CommandError {
  const [only] = refusals
  if (only && refusals.length === 1) {
    const separator = only.message.includes('\n') ? '\n' : only.message.endsWith('.') ? ' ' : '. '
    return new CommandError('refused', `${only.message}${separator}Nothing was changed. ${adviseOn(only)}`)
  }
  const parts = refusals.map((refusal) => `${refusal.message}\n${adviseOn(refusal)}`)
  return new CommandError(
    'refused',
    `${refusals.length} things keep it from being published.\n\n${parts.join('\n\n')}\n\nNothing was changed`,
  )
}

/** A warning when the number of rows is far from the served version's; else null. */
export function compareRowCounts(rows: RowCounts, served: number): Warning | null {
  if (served === 0) return rows.imported === 0 ? warnOfEmptiness(rows) : null
  const least = served < ENOUGH_ROWS ? served / FAR : served * USUAL_SHARE
  if (rows.imported <= served * FAR && rows.imported >= least) return null
  return warn(
    'row_count',
    { before: served, now: rows.imported },
    `the served version has ${served} rows, this one has ${rows.imported}`,
  )
}

function warnOfEmptiness(rows: RowCounts): Warning {
  const { quarantined } = rows
  const message = nameEmptiness(rows)
  return quarantined === 0
    ? warn('no_rows', {}, message)
    : warn('all_quarantined', { rows: quarantined }, message)
}

/** What was answered for a dataset before. */
export interface PersonalBefore {
  /** Names of columns that may hold data about people. */
  readonly acknowledged: readonly string[]
  /** Names of columns that were served when nothing was asked yet: a refresh and an append need no answer for them. */
  readonly served: readonly string[]
  /** Those of them that the operator was told of. */
  readonly told: readonly string[]
}

/** Readings before this revision asked nothing. */
const ASKED_SINCE = 5

/** @param id the dataset; nothing was answered for one that is not served */
export function answeredBefore(catalog: Catalog, id: string): PersonalBefore {
  const record = catalog.record(id)
  if (record === undefined) return { acknowledged: [], served: [], told: [] }
  const { personal_data_served: told } = catalog.sources.find(id)?.options ?? {}
  const isAsked = (record.reading?.revision ?? 0) >= ASKED_SINCE
  return {
    acknowledged: (record.definition as Definition | null)?.personal_data ?? [],
    served: isAsked ? [] : record.columns.map(({ name }) => name),
    told: Array.isArray(told) ? told.map(String) : [],
  }
}

/** @param policy what refuses: personal codes (`ask`), all that looks personal (`strict`), or nothing (`warn`) */
export function refusePersonalData(
  found: readonly PersonalColumn[],
  policy: Config['personal_data'],
): Refusal | null {
  const isRefused = ({ kind }: PersonalColumn) => policy === 'strict' || (policy === 'ask' && kind === 'cnp')
  const open = found.filter((column) => !column.acknowledged && isRefused(column))
  if (open.length === 0) return null
  const columns = open.map(({ column }) => column)
  const message = `the file seems to hold data about people:\n${open.map(describePersonal).join('\n')}`
  return { kind: 'personal_data', message, override: `--allow-personal-data ${columns.join()}`, columns }
}

interface Answered {
  /** All are allowed, and nobody named them. */
  readonly isAll: boolean
  /** What was answered before, or by name. */
  readonly named: readonly string[]
  /** Columns that need no answer as they are served already. */
  readonly served: readonly string[]
}

/** A sentence for each column that is published without having been named. */
export function warnOfPersonalData(
  found: readonly PersonalColumn[],
  refusal: Refusal | null,
  { isAll, named, served }: Answered,
): Warning[] {
  const open = found.filter((one) => !one.acknowledged && !refusal?.columns?.includes(one.column))
  const unnamed = found.map(({ column }) => column).filter((name) => !named.includes(name))
  const inherited = isAll ? [] : unnamed.filter((name) => served.includes(name))
  return [
    ...open.map((one) =>
      warn(
        'personal_data',
        { column: one.column, kind: one.kind, rows: one.rows },
        `${describePersonal(one)}. If they may be published, "personal_data": ["${one.column}"] in a definition or --allow-personal-data ${one.column} says so`,
      ),
    ),
    ...(isAll && unnamed.length > 0 ? [warnOfAll(unnamed)] : []),
    ...(inherited.length > 0 ? [warnOfServed(inherited)] : []),
  ]
}

function warnOfAll(names: readonly string[]): Warning {
  return warn(
    'personal_data_all',
    { columns: names.join(', ') },
    `all columns that look like data about people were allowed, without names: ${names.join(', ')}`,
  )
}

function warnOfServed(names: readonly string[]): Warning {
  return warn(
    'personal_data_served',
    { columns: names.join(', ') },
    `columns that look like data about people stay served, as they were before this was asked: ${names.join(', ')}. Leave them out with a definition if they may not be`,
  )
}
