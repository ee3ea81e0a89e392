/**
 * What a publisher sees of a file: its first records and rows, and what prevents publishing. Kept in the draft's folder.
 */

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { columnName } from '../../base/text/snake-case.ts'
import type { Reading } from '../../read/read.ts'
import type { MixedNotation, NearType, ShownRecord } from '../../read/report/decisions.ts'
import type { MendedRow, QuarantinedRow } from '../../read/report/quarantine.ts'
import type { SheetFacts } from '../../read/source/conversion/conversion.ts'
import { findEvidence } from '../../read/values/evidence.ts'
import type { Draft } from '../../store/catalog/drafts.ts'
import type { SampleRow } from '../../store/catalog/record.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { cutRecords, type IngestReport, type UnreadReport } from '../edition/compose-report.ts'
import type { Edition } from '../edition/edition.ts'
import type { Findings } from '../edition/findings.ts'
import type { Likeness } from './alike.ts'
import type { Difference } from './difference.ts'

export interface DraftReading {
  readonly report: IngestReport | UnreadReport
  /** As they were read, cut to a readable length. */
  readonly records: readonly ShownRecord[]
  /** As they would be served, with long texts cut, and fewer of them when they are wide. */
  readonly rows: readonly SampleRow[]
  /** Columns that would be numbers, dates or booleans if it were not for some values. */
  readonly suspects: readonly (NearType & { readonly column: string })[]
  /** Number columns that mix notations. */
  readonly notations: readonly (MixedNotation & { readonly column: string })[]
  /** Headers of the columns that the definition leaves out. */
  readonly left_out: readonly string[]
  /** The name that each of them would get. */
  readonly left_out_names: readonly string[]
  /** What publishing would change in the served rows; null: no table, or none is served. */
  readonly difference: Difference | null
  /** For a file that is not an edition: datasets with similar column names. */
  readonly alike: readonly Likeness[]
}

/** What `reading.json` holds. */
export interface StoredReading extends DraftReading {
  /** The draft's revision when it was read. */
  readonly revision: number
  /** The decisions at that time. */
  readonly changes: Draft['changes']
  /** It covers only the first records. */
  readonly preview: boolean
  /** For a workbook: the sheets that can be read. */
  readonly sheets: readonly SheetFacts[]
}

/** Limits in characters: of one text in a row, and of all rows together. */
const LONGEST_SHOWN = 1000
const SHOWN_CHARACTERS = 500_000

/** @param rows the first rows, as they would be served */
export function describeReading(
  read: Reading,
  { identity }: Edition,
  { verdict }: Findings,
  rows: readonly SampleRow[],
  report: IngestReport,
  beside: Pick<DraftReading, 'difference' | 'alike'>,
): DraftReading {
  // Loose limits: a person looks through the values and says which of them mean nothing.
  const nearness = { share: 0.5, values: 20 }
  const evidence = read.columns.map((column) => ({
    column: column.plan.name,
    ...findEvidence(column, read, verdict, nearness),
  }))
  const suspects = evidence.flatMap(({ column, nearly }) => (nearly === null ? [] : [{ column, ...nearly }]))
  const notations = evidence.flatMap(({ column, notation }) =>
    notation === null ? [] : [{ column, ...notation }],
  )
  const left_out = identity.definition?.other_columns === 'drop' ? read.plan.undeclared : []
  const left_out_names = left_out.map((header) => columnName(header) || 'column')
  const [shown, records] = [cutRows(rows), cutRecords(read.shown)]
  return { report, rows: shown, suspects, notations, left_out, left_out_names, records, ...beside }
}

/** For a file that was not read yet, or has no table. */
export const NOTHING_READ: Omit<DraftReading, 'report'> = {
  records: [],
  rows: [],
  suspects: [],
  notations: [],
  left_out: [],
  left_out_names: [],
  difference: null,
  alike: [],
}

/** A row may be as large as a file, and every request for a draft sends all rows that are shown; at least one is. */
function cutRows(rows: readonly SampleRow[]): SampleRow[] {
  const cut: SampleRow[] = []
  let room = SHOWN_CHARACTERS
  for (const row of rows) {
    const values = Object.entries(row).map(([name, value = null]) => {
      const isLong = typeof value === 'string' && value.length > LONGEST_SHOWN
      return [name, isLong ? `${value.slice(0, LONGEST_SHOWN - 1).toWellFormed()}…` : value] as const
    })
    for (const [name, value] of values) room -= name.length + String(value).length
    if (room < 0 && cut.length > 0) break
    cut.push(Object.fromEntries(values))
  }
  return cut
}

/** The latest reading, which may be based on earlier decisions; undefined before the first. */
export function storedReading(dataDir: DataDir, { id }: Pick<Draft, 'id'>): StoredReading | undefined {
  const text = dataDir.draft(id).read('reading.json')
  return text === undefined ? undefined : (JSON.parse(text) as StoredReading)
}

/** The rows that the reading stored in a list; none before the first reading. */
export async function* keptRows(
  dataDir: DataDir,
  { id }: Pick<Draft, 'id'>,
  name: 'quarantine.ndjson' | 'repaired.ndjson',
): AsyncGenerator<QuarantinedRow | MendedRow> {
  const path = dataDir.draft(id).find(name)
  if (path === undefined) return
  for await (const line of createInterface({ input: createReadStream(path) })) yield JSON.parse(line)
}
