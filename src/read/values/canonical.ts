/** Canonical siblings: each distinct value looked up once in a reference table, codes mapped to codes. */

import { TextHeap } from './cell-text.ts'
import type { TypedColumn } from './conversion.ts'
import type { Standardize } from './reference.ts'
import type { ServedColumn } from './served-column.ts'
import { valueOfCode } from './served-column.ts'

export interface CanonicalColumn {
  readonly typed: TypedColumn
  /** Rows whose value the table does not know: it keeps its own spelling. */
  readonly unknown: number
}

/** A column over the same cell ids as `source`, holding the standardized spelling of each value. */
export function standardizeColumn(source: ServedColumn, standardize: Standardize): CanonicalColumn {
  const { distinct } = source.dictionary
  const values = new TextHeap(distinct, distinct * 12)
  const numbers = new Map<string, number>()
  const numberOfCode = new Uint32Array(distinct + 1)
  let unknown = 0
  for (let code = 1; code <= distinct; code++) {
    const own = String(valueOfCode(source, code))
    const found = standardize(own)
    if (found === undefined) unknown += source.counts[code] as number
    const text = found ?? own
    const number = numbers.get(text) ?? values.addText(text)
    numbers.set(text, number)
    numberOfCode[code] = number
  }
  const valueIds = source.codeOf.map((code) => numberOfCode[code] as number)
  return { typed: { type: 'string', values: values.entries(), valueIds, repairs: null }, unknown }
}
