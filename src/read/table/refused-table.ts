/** The first records of a file as they were read, and the refusal of a file that has records but may not be a table. */

import { CommandError } from '../../base/errors.ts'
import { readCells, type Sample, splitSample } from '../records/sample.ts'
import type { Separators } from '../records/separators.ts'
import { REPORTED_RECORDS, type RecordRole, type ShownRecord } from '../report/decisions.ts'
import { showBroken, withoutMarks } from '../report/marks.ts'
import type { Header } from '../structure/header.ts'

/** The most cells of a record that are shown. */
const MOST_CELLS = 100

/**
 * @param header null: none was found, so the roles of the records are unknown and all are data
 * @param roles of records below the header, by line; missing: data
 * @param most number of records; as many as a report shows if left out
 */
export function showRecords(
  sample: Sample,
  separators: Separators,
  header: Header | null,
  roles: ReadonlyMap<number, RecordRole>,
  most = REPORTED_RECORDS,
): ShownRecord[] {
  const { records, splitter } = splitSample(sample, separators, true)
  const filled = new Map(records.slice(0, most).map((record) => [record.record, record]))
  const last = Math.min(most, splitter.records)
  return Array.from({ length: last }, (_, i) => {
    const number = i + 1
    const record = filled.get(number)
    const role = headerRole(number, record?.line, header)
    if (!record) return { number, role: role === 'header' ? role : 'blank', cells: [] }
    const shown = { ...record, cells: Math.min(record.cells, MOST_CELLS) }
    const cells = record.broken
      ? [new TextDecoder().decode(sample.bytes.subarray(record.start, record.end))]
      : readCells(sample.bytes, separators, shown).texts.map((text) => showBroken(withoutMarks(text)))
    return { number, role: role ?? roles.get(record.line) ?? 'data', cells }
  })
}

/** What the header says about a record; null: the record is below it. */
function headerRole(number: number, line: number | undefined, header: Header | null): RecordRole | null {
  if (!header) return null
  const [first] = header.records
  if (first === undefined) return line !== undefined && line < header.nextLine ? 'title' : null
  if (header.units.includes(number)) return 'units'
  if (header.records.includes(number) || header.printed.some(({ record }) => record === number))
    return 'header'
  return number < first ? 'title' : null
}

/** A `refused` error with the first records, for the report. */
export class RefusedTable extends CommandError {
  readonly refusal: 'unreadable' | 'unsure'
  readonly records: readonly ShownRecord[]

  constructor(
    { message, override, reasons }: CommandError,
    refusal: 'unreadable' | 'unsure',
    records: readonly ShownRecord[],
  ) {
    super('refused', message, override, reasons)
    this.refusal = refusal
    this.records = records
  }
}
