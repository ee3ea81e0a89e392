/** A file that no table could be made of: the error that ends its ingest, with as much of a report as there is. */

import { CommandError } from '../errors.ts'
import type { Identity } from './identity.ts'
import type { UnreadReport } from './report.ts'
import { hashFile, type SourceFile } from './source/source.ts'

/** A `refused` like any other, for programs that want to know of which file and dataset. */
export class UnreadFileError extends CommandError {
  readonly report: UnreadReport

  constructor(message: string, report: UnreadReport) {
    super('refused', message)
    this.report = report
  }
}

interface Attempt {
  readonly source: SourceFile
  readonly identity: Identity
  readonly isDryRun: boolean
  /** `performance.now()` when it began. */
  readonly started: number
}

/** @returns the error itself, or one with a report when the file was refused */
export function withReport(error: unknown, { source, identity, isDryRun, started }: Attempt): unknown {
  if (!(error instanceof CommandError) || error.kind !== 'refused') return error
  const { message } = error
  return new UnreadFileError(message, {
    dataset: identity.info.id,
    domain: identity.info.domain,
    version: null,
    dry_run: isDryRun,
    published: false,
    source: { file: source.name, bytes: source.bytes, sha256: hashFile(source.path) },
    dialect: null,
    columns: [],
    rows: { read: 0, blank: 0, imported: 0, quarantined: 0 },
    repairs: [],
    quarantine: [],
    quarantine_sample: [],
    drift: null,
    decisions: [],
    personal_data: [],
    refusals: [{ kind: 'unreadable', message, override: null }],
    warnings: [],
    duration_ms: Math.round(performance.now() - started),
  })
}
