/** The refusal of a file whose records were read and of which no table can be made for certain. */

import { CommandError } from '../../base/errors.ts'
import type { ShownRecord } from '../report/decisions.ts'

/** A `refused` that knows the first records, for the report. */
export class RefusedTable extends CommandError {
  readonly refusal: 'unreadable' | 'unsure'
  readonly records: readonly ShownRecord[]

  /** @param override the options that settle how the file is read */
  constructor(
    message: string,
    {
      refusal,
      override,
      records,
      reasons,
    }: Pick<RefusedTable, 'refusal' | 'override' | 'records' | 'reasons'>,
  ) {
    super('refused', message, override, reasons)
    this.refusal = refusal
    this.records = records
  }
}
