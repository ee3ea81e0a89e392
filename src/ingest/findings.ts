/** What is found out about a file before anything is written: its rows' faults, its drift, its refusals. */

import type { ServedDataset } from '../catalog/record.ts'
import { CommandError } from '../errors.ts'
import type { Definition } from './definition/definition.ts'
import { compareColumns, type Drift } from './drift.ts'
import {
  compareRowCounts,
  refuseDrift,
  refuseEmptying,
  refusePersonalData,
  refuseQuarantine,
} from './gates.ts'
import type { Identity } from './identity.ts'
import { compareKeys } from './key-overlap.ts'
import type { QualityCounts } from './quality.ts'
import type { ReadFile } from './read-file.ts'
import type { PersonalColumn, Refusal } from './report.ts'
import { describePersonal, findPersonalData } from './values/personal-data.ts'
import { type Verdict, validateRows } from './values/validation.ts'

export interface Findings {
  readonly drift: Drift | null
  readonly verdict: Verdict
  readonly rows: QualityCounts['rows']
  readonly personal: readonly PersonalColumn[]
  readonly refusals: readonly Refusal[]
  readonly warnings: readonly string[]
}

/** What of a request decides about refusals. */
interface Answers {
  readonly maxQuarantine: number
  readonly acceptDrift: boolean
  readonly personalData?: 'warn' | 'strict' | undefined
  readonly allowPersonalData?: boolean | undefined
}

/**
 * Checks the rows and asks every gate.
 * @throws CommandError `usage` when the definition names columns that there are not
 */
export function judge(
  request: Answers,
  identity: Identity,
  read: ReadFile,
  served: ServedDataset | undefined,
): Findings {
  const { info, definition } = identity
  const { columns, records } = read
  const primaryKey = definition?.primary_key ?? []
  refuseUnknownColumn('primary_key', primaryKey, read)
  refuseUnknownColumn('personal_data', definition?.personal_data ?? [], read)
  const drift = findDrift(served?.columns ?? null, read, definition)
  const verdict = validateRows(columns, primaryKey, records)
  const rows = countRows(verdict, read)
  const acknowledged = request.allowPersonalData === true || (definition?.personal_data ?? [])
  const personal = findPersonalData(columns, records, verdict, acknowledged)
  const policy = request.personalData ?? 'warn'
  const refusals = [
    refuseDrift(info.id, drift, request.acceptDrift),
    refuseQuarantine(rows, records.quarantine, request.maxQuarantine),
    refuseEmptying(info.id, rows, served?.rows ?? 0, request.acceptDrift),
    refusePersonalData(personal, policy),
  ].filter((refusal) => refusal !== null)
  const warnings = [
    ...read.warnings,
    compareRowCounts(rows, served?.rows ?? 0),
    compareKeys(served, { columns, records, verdict, primaryKey }),
    ...(policy === 'warn' ? warnOfPersonalData(personal) : []),
  ].filter((warning) => warning !== null)
  return { drift, verdict, rows, personal, refusals, warnings }
}

/** Columns that nobody has acknowledged, one sentence each. */
function warnOfPersonalData(columns: readonly PersonalColumn[]): string[] {
  return columns
    .filter(({ acknowledged }) => !acknowledged)
    .map(
      (column) =>
        `${describePersonal(column)}. If they may be published, "personal_data": ["${column.column}"] in a definition or --allow-personal-data says so`,
    )
}

/** @throws CommandError `usage` when a list of the definition names a column that there is not */
function refuseUnknownColumn(field: string, listed: readonly string[], { columns }: ReadFile): void {
  const unknown = listed.find((name) => !columns.some(({ plan }) => plan.name === name))
  if (unknown === undefined) return
  const names = columns.map(({ plan }) => plan.name).join(', ')
  throw new CommandError('usage', `${field} names '${unknown}', but the columns are ${names}`)
}

function findDrift(
  served: Parameters<typeof compareColumns>[0],
  { columns, plan }: ReadFile,
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

function countRows(verdict: Verdict, { records }: ReadFile): QualityCounts['rows'] {
  const quarantined = records.quarantine.size
  return { read: verdict.accepted + quarantined, imported: verdict.accepted, quarantined }
}
