/**
 * The interface between an ingest and its converter: the request, the progress that the converter prints as lines of JSON,
 * and its result: a file of records, and what delimited text cannot express about it.
 */

import type { CommandError } from '../../../base/errors.ts'
import type { Decision } from '../../report/decisions.ts'
import type { Format } from '../../report/formats.ts'
import type { IngestProgress } from '../../report/progress.ts'
import type { Warning } from '../../report/reasons.ts'
import type { TextNumbers } from '../spreadsheet/number-text.ts'
import type { Filled, HiddenRows } from '../spreadsheet/sheet-records.ts'
import type { Limits } from './limits-worker.ts'

export interface ConversionRequest {
  readonly path: string
  readonly folder: string
  /** The requested format; left out: detected. */
  readonly format?: string | undefined
  /** The encoding of JSON that is not in Unicode; left out: detected. */
  readonly encoding?: string | undefined
  readonly sheet?: string | undefined
  /** Limits for the converter; the usual ones (`converter.ts`) if left out. */
  readonly limits?: Partial<Pick<Limits, 'memoryBytes' | 'seconds'>> | undefined
}

/** A sheet that could be read instead, and the number of its rows with a value. */
export type SheetFacts = { readonly name: string; readonly rows: number }

/** Cells that a spreadsheet merged side by side: one value for several columns. */
export interface Span {
  /** Record, from 1, counting blank ones: the row of the sheet. */
  readonly record: number
  /** The first cell, from 0. */
  readonly cell: number
  /** Number of cells, at least 2. */
  readonly width: number
}

/** What a format says about its records that delimited text cannot express. */
export interface FormatFacts {
  readonly sheet: string | null
  /** All sheets with a value, in the order of the workbook. */
  readonly sheets: readonly SheetFacts[]
  /** The workbook counts days from 1904. */
  readonly is1904?: boolean
  /** The columns' names, if the format has them; null: the structure must be detected. */
  readonly header: readonly string[] | null
  readonly spans: readonly Span[]
  readonly filled: readonly Filled[]
  /** Cells with an error instead of a value. */
  readonly errors: readonly { readonly cell: number; readonly count: number }[]
  readonly textNumbers?: readonly TextNumbers[]
  /** What the sheet hides: records in order, and cells, from 0, with text anywhere. */
  readonly hiddenRows?: readonly HiddenRows[]
  readonly hiddenColumns?: readonly number[]
}

/** For a format that says nothing beyond its records. */
export const NO_FACTS: FormatFacts = {
  sheet: null,
  sheets: [],
  header: null,
  spans: [],
  filled: [],
  errors: [],
}

export interface Conversion extends FormatFacts {
  /** `csv`: delimited text from an archive, to be read like any other. */
  readonly format: Format
  /** The encoding of the text inside; `utf-8` for workbooks and for `csv`. */
  readonly encoding: string
  /** Records in UTF-8, with comma, LF and double quotes; for `csv` as the file has them. */
  readonly path: string
  readonly decisions: readonly Decision[]
  readonly warnings: readonly Warning[]
}

/** The result of the converter. */
export type ConversionOutcome =
  | { readonly done: Conversion }
  | { readonly refused: Pick<CommandError, 'kind' | 'message' | 'override' | 'reasons'> }

/** The files in the request's folder with the outcome, and with the reason why a converter was stopped. */
export const OUTCOME_FILE = 'converted.json'
export const LIMIT_FILE = 'limit'

export type OnStep = (step: IngestProgress) => void
/** Receives the number of bytes of a file that have been read. */
export type OnRead = (bytes: number) => void

const INTERVAL_MS = 100

/** Reports the progress of one phase, at most ten times a second. */
export function reportReading(phase: IngestProgress['phase'], totalBytes: number, onStep: OnStep): OnRead {
  let last = Number.NEGATIVE_INFINITY
  return (bytes) => {
    const now = performance.now()
    if (now - last < INTERVAL_MS) return
    last = now
    onStep({ phase, bytes: Math.min(Math.round(bytes), totalBytes), totalBytes, rows: 0 })
  }
}

/** Reads the converter's progress until it ends. */
export async function followSteps(output: AsyncIterable<Uint8Array>, onStep: OnStep): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of output) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onStep(JSON.parse(line) as IngestProgress)
  }
}

/**
 * Counts what a conversion repaired, by the cell of its records: cells that got the value of their merged block, and cells
 * with an error.
 * @param firstRow first record, from 1, below the header: cells filled above it are not data
 */
export function countConverted(
  { filled, errors: cells }: Pick<FormatFacts, 'filled' | 'errors'>,
  firstRow: number,
) {
  const merged = new Map<number, number>()
  for (const { cell, from, to } of filled) {
    const rows = to - Math.max(from, firstRow) + 1
    if (rows > 0) merged.set(cell, (merged.get(cell) ?? 0) + rows)
  }
  const errors = new Map(cells.map(({ cell, count }) => [cell, count]))
  return {
    merged: (cell: number) => merged.get(cell) ?? 0,
    errors: (cell: number) => errors.get(cell) ?? 0,
  }
}
