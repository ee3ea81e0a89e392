/** A file that no table could be made of: the error that ends its ingest, with as much of a report as there is. */

import { CommandError, type Reason } from '../../base/errors.ts'
import { REPORTED_RECORDS, type ShownRecord } from '../../read/report/decisions.ts'
import { digestOf } from '../../read/source/source.ts'
import { RefusedTable } from '../../read/table/refused-table.ts'
import { shortenRecords } from './compose-report.ts'
import type { Edition } from './edition.ts'
import type { UnreadReport } from './report.ts'

/** A `refused` like any other, for programs that want to know of which file and dataset. */
export class UnreadFileError extends CommandError {
  readonly report: UnreadReport
  /** The first records as they were read, neither cut nor masked. */
  readonly records: readonly ShownRecord[]

  constructor(
    message: string,
    report: UnreadReport,
    records: readonly ShownRecord[],
    reasons: readonly Reason[],
  ) {
    super('refused', message, null, reasons)
    this.report = report
    this.records = records
  }
}

/** @returns the error itself, or one with a report when the file was refused */
export function withReport(error: unknown, { source, identity, isDryRun, started }: Edition): unknown {
  if (!(error instanceof CommandError) || error.kind !== 'refused') return error
  const { message } = error
  const table = error instanceof RefusedTable ? error : null
  const records = table?.records ?? []
  const report: UnreadReport = {
    dataset: identity.info.id,
    domain: identity.info.domain,
    version: null,
    dry_run: isDryRun,
    published: false,
    unchanged: false,
    append: null,
    source: { file: source.name, bytes: source.bytes, sha256: digestOf(source) },
    dialect: null,
    columns: [],
    rows: { read: 0, blank: 0, imported: 0, quarantined: 0 },
    repairs: [],
    repaired_sample: [],
    quarantine: [],
    quarantine_sample: [],
    drift: null,
    decisions: [],
    personal_data: [],
    refusals: [
      { kind: table?.refusal ?? 'unreadable', message, override: error.override, reasons: error.reasons },
    ],
    warnings: [],
    warning_codes: [],
    records: shortenRecords(records.slice(0, REPORTED_RECORDS), []),
    duration_ms: Math.round(performance.now() - started),
  }
  return new UnreadFileError(message, report, records, error.reasons)
}
