/** Limits on a question in a request body (contract 2), which is read in one turn of the event loop. */

import { LIMITS, noteRefused } from '../base/limits.ts'

export const MOST_VALUES = LIMITS.question_values.most
/** Limit for the whole body, including what surrounds the question: larger ones are refused before they are parsed. */
export const MOST_IN_BODY = 2 * MOST_VALUES
const MOST_BYTES = LIMITS.question_size.most * 1024

/** What a refusal says about the argument. */
export const TOO_LARGE = `takes up to ${MOST_VALUES} values, and all arguments up to ${LIMITS.question_size.most} KB: ask in parts`

/** The argument that exceeds a limit: by its values, or by all texts and names up to it. */
export function findTooLarge(question: Iterable<readonly [string, unknown]>): string | undefined {
  const left = { bytes: MOST_BYTES, values: MOST_VALUES }
  let names = 0
  for (const [name, value] of question) {
    left.values = MOST_VALUES
    left.bytes -= Buffer.byteLength(name)
    take(value, left)
    if (left.bytes >= 0 && left.values >= 0 && names++ < MOST_VALUES) continue
    noteRefused(left.bytes < 0 ? 'question_size' : 'question_values')
    return name
  }
  return undefined
}

function take(value: unknown, left: { bytes: number; values: number }): void {
  if (left.bytes < 0 || left.values < 0) return
  if (typeof value === 'string') left.bytes -= Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) left.values--
  else if (Array.isArray(value)) takeAll(value, left)
  else {
    for (const name in value) left.bytes -= Buffer.byteLength(name)
    takeAll(Object.values(value), left)
  }
}

function takeAll(values: readonly unknown[], left: { bytes: number; values: number }): void {
  if (values.length === 0) left.values--
  for (const value of values) {
    if (left.bytes < 0 || left.values < 0) return
    take(value, left)
  }
}
