/** What the converter hands back: a file of records, and what delimited text cannot say about it. */

import type { Decision } from '../report.ts'
import type { Filled } from '../spreadsheet/complete-records.ts'
import type { Span } from '../structure/spans.ts'
import type { Format } from './file-format.ts'

export interface ConversionRequest {
  readonly path: string
  readonly folder: string
  /** The format asked for; found out when left out. */
  readonly format?: string | undefined
  /** Of JSON, where it is not in Unicode; found out when left out. */
  readonly encoding?: string | undefined
  readonly sheet?: string | undefined
  readonly limits?: ConversionLimits | undefined
}

/** Where the converter is to stop; the usual limits (`converter-limits.ts`) when left out. */
interface ConversionLimits {
  readonly memoryBytes?: number
  readonly seconds?: number
}

export interface Conversion {
  /** `csv`: the file is delimited text as it was inside of its archive, to be read as any other. */
  readonly format: Format
  /** Of the text inside; `utf-8` for workbooks and for `csv`. */
  readonly encoding: string
  /** Records in UTF-8, comma, LF, double quotes; for `csv` whatever the file has. */
  readonly path: string
  readonly sheet: string | null
  /** The workbook counts days from 1904. */
  readonly is1904?: boolean
  /** The columns' names, where the format has them; null: the structure is to be found. */
  readonly header: readonly string[] | null
  readonly spans: readonly Span[]
  readonly filled: readonly Filled[]
  /** Cells that held an error instead of a value. */
  readonly errors: readonly { readonly cell: number; readonly count: number }[]
  readonly decisions: readonly Decision[]
  readonly warnings: readonly string[]
}

/** The converter's last word. */
export type ConversionOutcome =
  | { readonly done: Conversion }
  | { readonly refused: { readonly kind: 'refused' | 'usage' | 'failed'; readonly message: string } }

/** Where the outcome goes, in the request's folder; and the reason of a converter that had to be stopped. */
export const OUTCOME_FILE = 'converted.json'
export const LIMIT_FILE = 'limit'
/** The word that makes the program a converter. */
export const CONVERTER = '--convert'
