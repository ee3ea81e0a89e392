/**
 * The gates that keep an ingest from replacing good data with bad: drift, quarantine, emptiness, personal data. Each yields
 * a refusal or null; all are asked, so people learn of everything at once.
 */

import type { Config } from '../../base/config/config.ts'
import { CommandError } from '../../base/errors.ts'
import type { Definition } from '../../read/definition/definition.ts'
import type { ReadOptions } from '../../read/definition/read-options.ts'
import type { PersonalColumn } from '../../read/report/decisions.ts'
import type { Quarantine, QuarantineCount } from '../../read/report/quarantine.ts'
import { type GateKind, type Warning, warn } from '../../read/report/reasons.ts'
import { GATE_REFUSALS } from '../../read/report/texts/gate-refusals.ts'
import { describePersonal } from '../../read/values/personal-data.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { type Drift, describeDrift } from './compare-served.ts'
import type { Refusal, RowCounts } from './report.ts'

/** Row counts that differ by more than this factor give a warning; a decrease from at least `ENOUGH_ROWS` is refused. */
const FAR = 2
/** From this many rows on, losing half is no accident, and keeping less than `USUAL_SHARE` gives a warning. */
const ENOUGH_ROWS = 20
const USUAL_SHARE = 0.75
const SHOWN_REASONS = 5

/** @param detail follows the sentence of the gate */
function refuseBy(kind: GateKind, detail: string, more: Partial<Refusal> = {}): Refusal {
  const { en, override } = GATE_REFUSALS[kind]
  const message = detail.startsWith('\n') ? en.replace(/\.$/, ':') + detail : `${en} ${detail}`
  return { kind, message, override, ...more }
}

export function refuseDrift(
  kind: 'drift' | 'append_drift',
  drift: Drift | null,
  read: ReadOptions,
): Refusal | null {
  return drift && refuseBy(kind, `\n${describeDrift(drift, read)}`)
}

/** Refuses to add rows whose keys are served already. */
export function refuseDuplicates(key: readonly string[], duplicates: number): Refusal | null {
  if (duplicates === 0) return null
  const rows = duplicates === 1 ? '1 row' : `${duplicates} rows`
  return refuseBy('duplicate_key', `${rows}, by the primary key (${key.join(', ')}).`)
}

/** @param most largest share of quarantined rows, 0..1 */
export function refuseQuarantine(rows: RowCounts, quarantine: Quarantine, most: number): Refusal | null {
  // Notes and repeated headers hold no data, so they do not count as lost.
  const lost = rows.quarantined - quarantine.layoutRows
  if (lost === 0 || lost <= tidy(most * rows.read)) return null
  const reasons = quarantine.counts().slice(0, SHOWN_REASONS).map(sayCount)
  const share = ((100 * rows.quarantined) / rows.read).toFixed(1)
  return refuseBy(
    'quarantine',
    `${rows.quarantined} of ${rows.read} rows (${share} %), and at most ${tidy(100 * most)} % may be left out:\n${reasons.join('\n')}`,
  )
}

/** @param most largest share of mended records, 0..1 */
export function refuseMended(rows: RowCounts, mended: Quarantine, most: number): Refusal | null {
  if (mended.size <= tidy(most * rows.read)) return null
  const kinds = mended.counts().map(sayCount)
  const share = ((100 * mended.size) / rows.read).toFixed(1)
  return refuseBy(
    'too_many_mended',
    `${mended.size} of ${rows.read} rows (${share} %) were mended, and at most ${tidy(100 * most)} % may be:\n${kinds.join('\n')}`,
  )
}

function sayCount({ reason, count, first_line }: QuarantineCount): string {
  const isCoded = reason === 'invalid_encoding'
  const remedy = isCoded ? '; if the file is in another encoding, name it with --encoding' : ''
  return `${count} x ${reason}, first on line ${first_line}${remedy}`
}

/** A product without binary rounding errors: 0.29 of 100 is 29, not 28.999999999999996. */
function tidy(product: number): number {
  return Number(product.toPrecision(14))
}

/** Refuses to replace served rows by none. */
export function refuseEmptying(rows: RowCounts, served: number, accepted: boolean): Refusal | null {
  if (rows.imported > 0 || served === 0 || accepted) return null
  return refuseBy(
    'empty',
    `Rows that are served: ${served}; rows of the file in quarantine: ${rows.quarantined}.`,
  )
}

/** @param rows that would be served @param served rows served now */
export function refuseShrinking(rows: number, served: number, accepted: boolean): Refusal | null {
  if (accepted || rows === 0 || served < ENOUGH_ROWS || rows * FAR >= served) return null
  return refuseBy('too_few_rows', `Rows that are served: ${served}; rows that would be: ${rows}.`)
}

/** All refusals in one error, each with its remedy. */
export function refusalError(refusals: readonly Refusal[]): CommandError {
  const adviseOn = ({ kind, override }: Refusal) => GATE_REFUSALS[kind].shell.replace('{override}', override)
  const [only] = refusals
  if (only && refusals.length === 1) {
    const separator = only.message.includes('\n') ? '\n' : ' '
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
  const { imported: now, quarantined } = rows
  if (served === 0 && now > 0) return null
  if (served === 0)
    return quarantined === 0 ? warn('no_rows', {}) : warn('all_quarantined', { rows: quarantined })
  const least = served < ENOUGH_ROWS ? served / FAR : served * USUAL_SHARE
  return now <= served * FAR && now >= least ? null : warn('row_count', { before: served, now })
}

/** Earlier answers about a dataset's personal data. */
export interface PersonalBefore {
  /** Names of columns that may hold data about people. */
  readonly acknowledged: readonly string[]
  /** Columns that were served before anything was asked: a refresh and an append need no answer for them. */
  readonly served: readonly string[]
  /** Those that the operator has been told about. */
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

/** @param policy what is refused: personal codes (`ask`), everything that looks personal (`strict`), or nothing (`warn`) */
export function refusePersonalData(
  found: readonly PersonalColumn[],
  policy: Config['personal_data'],
): Refusal | null {
  const isRefused = ({ kind }: PersonalColumn) => policy === 'strict' || (policy === 'ask' && kind === 'cnp')
  const open = found.filter((column) => !column.acknowledged && isRefused(column))
  if (open.length === 0) return null
  const columns = open.map(({ column }) => column)
  const override = `--allow-personal-data ${columns.join()}`
  return refuseBy('personal_data', `\n${open.map(describePersonal).join('\n')}`, { override, columns })
}

/**
 * A warning for each personal column that is published without having been named.
 * @param answered `isAll`: all are allowed, without names; `named`: earlier or now; `served`: need no answer, as they are
 * served already
 */
export function warnOfPersonalData(
  found: readonly PersonalColumn[],
  refusal: Refusal | null,
  {
    isAll,
    named,
    served,
  }: { readonly isAll: boolean; readonly named: readonly string[]; readonly served: readonly string[] },
): Warning[] {
  const open = found.filter((one) => !one.acknowledged && !refusal?.columns?.includes(one.column))
  const unnamed = found.map(({ column }) => column).filter((name) => !named.includes(name))
  const inherited = isAll ? [] : unnamed.filter((name) => served.includes(name))
  return [
    ...open.map(({ column, kind, rows }) => warn('personal_data', { column, kind, rows })),
    ...(isAll && unnamed.length > 0 ? [warn('personal_data_all', { columns: unnamed.join(', ') })] : []),
    ...(inherited.length > 0 ? [warn('personal_data_served', { columns: inherited.join(', ') })] : []),
  ]
}
