/** What is known about a file before anything is written: faults in its rows, drift, refusals. */

import type { ColumnType } from '../../engine/columns/column.ts'
import type { Definition } from '../../read/definition/definition.ts'
import type { Reading } from '../../read/read.ts'
import type { PersonalColumn } from '../../read/report/decisions.ts'
import { refuse, warn } from '../../read/report/reasons.ts'
import { findObstacles } from '../../read/values/obstacles.ts'
import { findPersonalData, maskObstacles } from '../../read/values/personal-data.ts'
import { type Verdict, validateRows } from '../../read/values/validation.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { VersionFile } from '../../store/files/open-version.ts'
import { compareWithServed, type OpenedVersion } from './append.ts'
import { compareColumns, compareKeys, type Drift, isSameKey } from './compare-served.ts'
import type { Edition, Workplace } from './edition.ts'
import {
  answeredBefore,
  compareRowCounts,
  type PersonalBefore,
  refuseDrift,
  refuseDuplicates,
  refuseEmptying,
  refuseMended,
  refusePersonalData,
  refuseQuarantine,
  refuseShrinking,
  warnOfPersonalData,
} from './gates.ts'
import type { IngestSettings, RepeatedRequest } from './source-record.ts'

/** The caller disposes of it: it holds the version that rows are added to. */
export type Findings = Awaited<ReturnType<typeof examine>>

/** The parts of a request that decide about refusals. */
export interface GateAnswers extends Pick<RepeatedRequest, 'maxQuarantine' | 'maxMended'> {
  readonly acceptDrift?: boolean | undefined
  /** Fewer than half of the served rows are intended. */
  readonly acceptShrink?: boolean | undefined
  /** Columns that may hold data about people; true: all. */
  readonly allowPersonalData?: true | readonly string[] | undefined
  /** A scheduled refresh: nobody can be asked. */
  readonly isRefresh?: boolean | undefined
  /** Publishes even when the same is served already, or the served version cannot be read. */
  readonly force?: boolean | undefined
  /** Defaults where the request says nothing. */
  readonly settings: IngestSettings
}

/**
 * Checks the rows and asks every gate, compared with what is served now.
 * @throws CommandError `usage` when the definition names columns that do not exist; DamagedFileError
 */
export async function examine(
  { catalog }: Pick<Workplace, 'catalog'>,
  edition: Edition,
  reading: Reading,
  answers: GateAnswers,
) {
  const { info, appends } = edition.identity
  // `force` replaces a version that cannot be read.
  await catalog.catchUp(answers.force === true ? undefined : info.id)
  const served = catalog.find(info.id)
  const record = catalog.record(info.id)
  const before = answeredBefore(catalog, info.id)
  const base = appends && served && record ? { record, file: VersionFile.open(served.file) } : null
  using held = new DisposableStack()
  held.defer(() => base?.file.close())
  const found = askGates(answers, edition, reading, served, base, before)
  // What is served already is not refused; warnings say what would refuse it. Rows that were added before have the keys of
  // served rows: their own.
  const isNew = edition.unchangedSince === null
  const past = isNew ? [] : found.refusals.filter(({ kind }) => kind !== 'duplicate_key')
  const open = held.move()
  return {
    ...found,
    refusals: isNew ? found.refusals : [],
    warnings: [...found.warnings, ...past.map(({ kind }) => warn('would_be_refused', { kind }))],
    before,
    isServed: served !== undefined,
    /** Nobody chose the file: it is a refresh, or an append. */
    isContinued: answers.isRefresh === true || base !== null,
    [Symbol.dispose]: () => open.dispose(),
  }
}

/**
 * @param base the version that the rows are added to; null: none
 * @param before earlier answers about personal data
 */
function askGates(
  request: GateAnswers,
  { identity }: Edition,
  read: Reading,
  served: ServedDataset | undefined,
  base: OpenedVersion | null,
  before: PersonalBefore,
) {
  const { definition } = identity
  const { columns, records } = read
  const primaryKey = settleKey(definition, base)
  const replaceWhere = definition?.replace_where ?? []
  const isNew = (name: string) => !served?.columns.some((column) => column.name === name)
  refuseUnknownColumn('primary_key', primaryKey, read)
  refuseUnknownColumn('replace_where', replaceWhere, read)
  refuseUnknownColumn('personal_data', (definition?.personal_data ?? []).filter(isNew), read)
  const verdict = validateRows(columns, primaryKey, records)
  const rows = countRows(read, verdict)
  const answers = answersFor(request, definition, before, base !== null)
  if (!answers.isAll) refuseUnknownColumn('--allow-personal-data', answers.given, read)
  const acknowledged = answers.isAll || [...answers.named, ...answers.served]
  const personal = findPersonalData(columns, records, verdict, acknowledged)
  const drift = findDrift(served, base, read, definition, { verdict, personal })
  const { max_quarantine: usual, max_mended: usualMended, personal_data: policy } = request.settings
  // Rows with other columns cannot be added, whatever is accepted.
  const unlike = base && refuseDrift('append_drift', drift, read.options)
  const appended =
    base && unlike === null
      ? compareWithServed(base, { columns, records, verdict }, { replaceWhere, primaryKey })
      : null
  const kept = appended === null ? 0 : appended.record.rows - appended.replacedRows
  // A preview has read only the first records.
  const mayShrink = unlike !== null || read.isPreview || request.acceptShrink === true
  const shrinking = refuseShrinking(kept + rows.imported, served?.rows ?? 0, mayShrink)
  const unanswered = refusePersonalData(personal, policy)
  const refusals = [
    ...(base === null
      ? [
          request.acceptDrift ? null : refuseDrift('drift', drift, read.options),
          refuseEmptying(rows, served?.rows ?? 0, request.acceptDrift === true),
        ]
      : [unlike, refuseDuplicates(primaryKey, appended?.duplicates ?? 0)]),
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

function countRows({ records: { quarantine, leftOut } }: Reading, { accepted: imported }: Verdict) {
  const quarantined = quarantine.size
  return { read: imported + quarantined, imported, quarantined, left_out: leftOut.size }
}

/**
 * The key that a definition declares; in an append, the served one.
 * @throws CommandError `usage` when an append would change it
 */
function settleKey(definition: Definition | null, base: OpenedVersion | null): readonly string[] {
  const declared = definition?.primary_key ?? []
  if (base === null) return declared
  const { primary_key: served } = base.record
  if (declared.length === 0 || isSameKey(declared, served)) return served
  throw refuse('key_of_append', { key: served.join(', ') })
}

function answersFor(
  { allowPersonalData: allowed, isRefresh }: GateAnswers,
  definition: Definition | null,
  before: PersonalBefore,
  isAppend: boolean,
) {
  const given = allowed === true ? [] : (allowed ?? [])
  const named = [...new Set([...(definition?.personal_data ?? []), ...given, ...before.acknowledged])]
  return { isAll: allowed === true, given, named, served: isRefresh || isAppend ? before.served : [] }
}

/** @throws CommandError `usage` when a list of the definition names a column that does not exist */
function refuseUnknownColumn(field: string, listed: readonly string[], { columns }: Reading): void {
  const unknown = listed.find((name) => !columns.some(({ plan }) => plan.name === name))
  if (unknown === undefined) return
  const names = columns.map(({ plan }) => plan.name).join(', ')
  throw refuse('unknown_column', { column: unknown }, `${field} names it; the columns are ${names}`)
}

function findDrift(
  served: ServedDataset | undefined,
  base: OpenedVersion | null,
  read: Reading,
  definition: Definition | null,
  { verdict, personal }: { readonly verdict: Verdict; readonly personal: readonly PersonalColumn[] },
): Drift | null {
  const { columns, plan, records } = read
  const types = new Map(columns.map(({ plan: { name }, typed }) => [name, typed.type]))
  // A column that has no value so far may still get any type in an append.
  const settled = base?.record.columns.map(({ name, type, source_name, distinct_count: distinct }) => ({
    name,
    source_name,
    type: (distinct === 0 ? types.get(name) : undefined) ?? type,
  }))
  const none = () => ({ exceptions: 0, values: [] })
  const now = columns.flatMap(({ plan: { name, canonical }, typed: { type }, lane }) => {
    const isPersonal = personal.some(({ column }) => column === name)
    const obstaclesTo = (from: ColumnType) =>
      maskObstacles(findObstacles(from, lane, read, records.countCells(lane, verdict.refused)))
    const column = { name, type, obstaclesTo: isPersonal ? none : obstaclesTo }
    const itsCanonical = { name: `${name}_canonical`, type: 'string' as const, obstaclesTo: none }
    return canonical === null ? [column] : [column, itsCanonical]
  })
  return compareColumns(settled ?? served?.columns ?? null, now, plan, definition?.other_columns === 'refuse')
}
