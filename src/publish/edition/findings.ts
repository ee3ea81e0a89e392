/** What is known about a file before anything is written: its rows' faults, its drift, its refusals. */

import type { Config } from '../../base/config/config.ts'
import { CommandError } from '../../base/errors.ts'
import type { Definition } from '../../read/definition/definition.ts'
import type { PersonalColumn } from '../../read/report/decisions.ts'
import { because } from '../../read/report/reasons.ts'
import type { Warning } from '../../read/report/warnings.ts'
import type { ReadTable } from '../../read/table/read-table.ts'
import { findPersonalData } from '../../read/values/personal-data.ts'
import { type Verdict, validateRows } from '../../read/values/validation.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { type AppendBase, type Appended, compareWithServed } from './append.ts'
import { compareColumns, type Drift } from './drift.ts'
import {
  compareRowCounts,
  refuseAppendedDrift,
  refuseDrift,
  refuseDuplicates,
  refuseEmptying,
  refuseMended,
  refuseQuarantine,
  refuseShrinking,
} from './gates.ts'
import type { Identity } from './identity.ts'
import { compareKeys } from './key-overlap.ts'
import { type PersonalBefore, refusePersonalData, warnOfPersonalData } from './personal-answers.ts'
import type { QualityCounts } from './quality.ts'
import type { Refusal } from './report.ts'

export interface Findings {
  readonly drift: Drift | null
  readonly verdict: Verdict
  readonly primaryKey: readonly string[]
  /** null: the rows stand for themselves. */
  readonly appended: Appended | null
  readonly rows: QualityCounts['rows']
  readonly personal: readonly PersonalColumn[]
  readonly refusals: readonly Refusal[]
  readonly warnings: readonly Warning[]
}

/** The settings that gates ask. */
export type IngestSettings = Pick<Config, 'max_quarantine' | 'max_mended' | 'personal_data'> &
  Partial<Pick<Config, 'disk_floor'>>

/** What of a request decides about refusals. */
interface Answers {
  readonly maxQuarantine?: number | undefined
  readonly maxMended?: number | undefined
  readonly acceptDrift: boolean
  readonly acceptShrink?: boolean | undefined
  /** Columns that may hold data about people; true: all. */
  readonly allowPersonalData?: true | readonly string[] | undefined
  readonly isRefresh?: boolean | undefined
  readonly settings: IngestSettings
  readonly look?: { readonly mostRecords?: number | undefined } | undefined
}

/**
 * Checks the rows and asks every gate.
 * @param base the version that the rows are added to; null: none
 * @param before what was answered about data about people
 * @throws CommandError `usage` when the definition names columns that there are not; DamagedFileError
 */
export function judge(
  request: Answers,
  identity: Identity,
  read: ReadTable,
  served: ServedDataset | undefined,
  base: AppendBase | null,
  before: PersonalBefore,
): Findings {
  const { info, definition } = identity
  const { columns, records } = read
  const primaryKey = settleKey(definition, base)
  const replaceWhere = definition?.replace_where ?? []
  refuseUnknownColumn('primary_key', primaryKey, read)
  refuseUnknownColumn('replace_where', replaceWhere, read)
  const isNew = (name: string) => !served?.columns.some((column) => column.name === name)
  refuseUnknownColumn('personal_data', (definition?.personal_data ?? []).filter(isNew), read)
  const drift = findDrift(
    base === null ? (served?.columns ?? null) : settledColumns(base, read),
    read,
    definition,
  )
  const verdict = validateRows(columns, primaryKey, records)
  const rows = countRows(verdict, read)
  const answers = answersFor(request, definition, before, base !== null)
  if (!answers.isAll) refuseUnknownColumn('--allow-personal-data', answers.given, read)
  const acknowledged = answers.isAll || [...answers.named, ...answers.served]
  const personal = findPersonalData(columns, records, verdict, acknowledged)
  const { max_quarantine: usual, max_mended: usualMended, personal_data: policy } = request.settings
  const unlike = base && refuseAppendedDrift(info.id, drift)
  const appended =
    base && unlike === null
      ? compareWithServed(base, { columns, records, verdict }, { replaceWhere, primaryKey })
      : null
  const shrinking = unlike === null ? judgeShrinking(request, info.id, rows.imported, served, appended) : null
  const unanswered = refusePersonalData(personal, policy)
  const refusals = [
    ...(base === null
      ? [
          refuseDrift(info.id, drift, request.acceptDrift),
          refuseEmptying(info.id, rows, served?.rows ?? 0, request.acceptDrift),
        ]
      : [unlike, refuseDuplicates(info.id, primaryKey, appended?.duplicates ?? 0)]),
    shrinking,
    refuseQuarantine(rows, records.quarantine, request.maxQuarantine ?? usual),
    refuseMended(rows, records.mended, request.maxMended ?? usualMended),
    unanswered,
  ].filter((refusal) => refusal !== null)
  const warnings = [
    ...read.warnings,
    ...(base === null
      ? [
          shrinking === null ? compareRowCounts(rows, served?.rows ?? 0) : null,
          compareKeys(served, { columns, records, verdict, primaryKey }),
        ]
      : [compareRowCounts(rows, rows.imported)]),
    ...warnOfPersonalData(personal, unanswered, answers),
  ].filter((warning) => warning !== null)
  return { drift, verdict, primaryKey, appended, rows, personal, refusals, warnings }
}

function judgeShrinking(
  { look, acceptShrink = false }: Answers,
  id: string,
  added: number,
  served: ServedDataset | undefined,
  appended: Appended | null,
): Refusal | null {
  // Of a preview the first records alone were read.
  if (look?.mostRecords !== undefined) return null
  const kept = appended === null ? 0 : appended.record.rows - appended.replacedRows
  return refuseShrinking(id, kept + added, served?.rows ?? 0, acceptShrink)
}

/**
 * The key that a definition declares; of an append the served one.
 * @throws CommandError `usage` when an append would change it
 */
function settleKey(definition: Definition | null, base: AppendBase | null): readonly string[] {
  const declared = definition?.primary_key ?? []
  if (base === null) return declared
  const { primary_key: served, dataset } = base.record
  if (declared.length === 0 || [...declared].sort().join() === [...served].sort().join()) return served
  throw new CommandError(
    'usage',
    `the primary key of '${dataset.id}' is ${served.join(', ') || 'not declared'}, and an append cannot change it: ingest all rows as one file without --append`,
    null,
    because('key_of_append', { key: served.join(', ') }),
  )
}

function answersFor(
  { allowPersonalData: allowed, isRefresh }: Answers,
  definition: Definition | null,
  before: PersonalBefore,
  isAppend: boolean,
) {
  const given = allowed === true ? [] : (allowed ?? [])
  const named = [...new Set([...(definition?.personal_data ?? []), ...given, ...before.acknowledged])]
  return { isAll: allowed === true, given, named, served: isRefresh || isAppend ? before.served : [] }
}

/** @throws CommandError `usage` when a list of the definition names a column that there is not */
function refuseUnknownColumn(field: string, listed: readonly string[], { columns }: ReadTable): void {
  const unknown = listed.find((name) => !columns.some(({ plan }) => plan.name === name))
  if (unknown === undefined) return
  const names = columns.map(({ plan }) => plan.name).join(', ')
  throw new CommandError(
    'usage',
    `${field} names '${unknown}', but the columns are ${names}`,
    null,
    because('unknown_column', { column: unknown }),
  )
}

/** The columns to be added to: of one without any value so far the type is open. */
function settledColumns(
  { record }: AppendBase,
  { columns }: ReadTable,
): Parameters<typeof compareColumns>[0] {
  const types = new Map(columns.map(({ plan, typed }) => [plan.name, typed.type]))
  return record.columns.map(({ name, type, source_name, distinct_count: distinct }) => ({
    name,
    source_name,
    type: (distinct === 0 ? types.get(name) : undefined) ?? type,
  }))
}

function findDrift(
  served: Parameters<typeof compareColumns>[0],
  { columns, plan }: ReadTable,
  definition: Definition | null,
): Drift | null {
  const now = columns.flatMap(({ plan: { name, canonical }, typed: { type } }) => {
    const column = { name, type }
    return canonical === null ? [column] : [column, { name: `${name}_canonical`, type: 'string' as const }]
  })
  return compareColumns(
    served,
    now,
    plan.missing,
    definition?.other_columns === 'refuse' ? plan.undeclared : [],
    plan.undeclared,
  )
}

function countRows(verdict: Verdict, { records }: ReadTable): QualityCounts['rows'] {
  const quarantined = records.quarantine.size
  return { read: verdict.accepted + quarantined, imported: verdict.accepted, quarantined }
}
