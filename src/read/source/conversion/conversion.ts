/** What the converter hands back: a file of records, and what delimited text cannot say about it. */

import type { Reason } from '../../../base/errors.ts'
import type { Decision } from '../../report/decisions.ts'
import type { Format } from '../../report/formats.ts'
import type { Warning } from '../../report/reasons.ts'
import type { Span } from '../encoding/spans.ts'
import type { Filled } from '../spreadsheet/complete-records.ts'
import type { HiddenRows } from '../spreadsheet/sheet-records.ts'
import type { TextNumbers } from '../spreadsheet/text-numbers.ts'

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

/** A sheet that could be read instead. */
export interface SheetFacts {
  readonly name: string
  /** Rows with a value in them. */
  readonly rows: number
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
  | {
      readonly refused: {
        readonly kind: 'refused' | 'usage' | 'failed'
        readonly message: string
        readonly override: string | null
        readonly reasons: readonly Reason[]
      }
    }

/** Where the outcome goes, in the request's folder; and the reason of a converter that had to be stopped. */
export const OUTCOME_FILE = 'converted.json'
export const LIMIT_FILE = 'limit'
