/**
 * Between an ingest and its converter: the request, the steps that the converter prints on its way, a line of JSON at a
 * time, and what it hands back: a file of records, and what delimited text cannot say about it.
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
  /** The format asked for; found out when left out. */
  readonly format?: string | undefined
  /** Of JSON, where it is not in Unicode; found out when left out. */
  readonly encoding?: string | undefined
  readonly sheet?: string | undefined
  /** Where the converter is to stop; the usual limits (`converter.ts`) when left out. */
  readonly limits?: Partial<Pick<Limits, 'memoryBytes' | 'seconds'>> | undefined
}

/** A sheet that could be read instead, and its rows with a value in them. */
export type SheetFacts = { readonly name: string; readonly rows: number }

/** Cells that a spreadsheet merged side by side: one value that is the value of several columns. */
export interface Span {
  /** Record, from 1, blank ones included: the row of the sheet. */
  readonly record: number
  /** The first of the cells, from 0. */
  readonly cell: number
  /** How many cells, at least 2. */
  readonly width: number
}

/** What a format says about its records beyond what delimited text can. */
export interface FormatFacts {
  readonly sheet: string | null
  /** All sheets with a value in them, in the order of the workbook. */
  readonly sheets: readonly SheetFacts[]
  /** The workbook counts days from 1904. */
  readonly is1904?: boolean
  /** The columns' names, where the format has them; null: the structure is to be found. */
  readonly header: readonly string[] | null
  readonly spans: readonly Span[]
  readonly filled: readonly Filled[]
  /** Cells that held an error instead of a value. */
  readonly errors: readonly { readonly cell: number; readonly count: number }[]
  readonly textNumbers?: readonly TextNumbers[]
  /** What the sheet does not show: records in their order, and cells, from 0, that have text somewhere. */
  readonly hiddenRows?: readonly HiddenRows[]
  readonly hiddenColumns?: readonly number[]
}

/** Of a format that says nothing beyond its records. */
export const NO_FACTS: FormatFacts = {
  sheet: null,
  sheets: [],
  header: null,
  spans: [],
  filled: [],
  errors: [],
}

export interface Conversion extends FormatFacts {
  /** `csv`: the file is delimited text as it was inside of its archive, to be read as any other. */
  readonly format: Format
  /** Of the text inside; `utf-8` for workbooks and for `csv`. */
  readonly encoding: string
  /** Records in UTF-8, comma, LF, double quotes; for `csv` whatever the file has. */
  readonly path: string
  readonly decisions: readonly Decision[]
  readonly warnings: readonly Warning[]
}

/** The converter's last word. */
export type ConversionOutcome =
  | { readonly done: Conversion }
  | { readonly refused: Pick<CommandError, 'kind' | 'message' | 'override' | 'reasons'> }

/** Where the outcome goes, in the request's folder; and the reason of a converter that had to be stopped. */
export const OUTCOME_FILE = 'converted.json'
export const LIMIT_FILE = 'limit'

export type OnStep = (step: IngestProgress) => void
/** Takes how many bytes of a file have been read. */
export type OnRead = (bytes: number) => void

const INTERVAL_MS = 100

/** Reports of one phase, at most ten a second. */
export function reportReading(phase: IngestProgress['phase'], totalBytes: number, onStep: OnStep): OnRead {
  let last = Number.NEGATIVE_INFINITY
  return (bytes) => {
    const now = performance.now()
    if (now - last < INTERVAL_MS) return
    last = now
    onStep({ phase, bytes: Math.min(Math.round(bytes), totalBytes), totalBytes, rows: 0 })
  }
}

/** Reads what the converter prints until it ends. */
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
 * What a conversion mended, by the cell of its records: cells that got the value of their merged block, and cells that held
 * an error.
 * @param firstRow record, from 1, below the header: what was filled above is not data
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
