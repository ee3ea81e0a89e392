/** How sure the reading of a file is (contract 13): as sure as its least sure part, and what settles that part. */

import type { CommandError } from '../../base/errors.ts'

/** A detected property of a file that could have been detected differently. */
export interface ConfidencePart {
  readonly of: 'dialect' | 'header' | 'structure' | 'encoding' | 'reading'
  /** 0..1 */
  readonly sure: number
  /** The refusal when it is too doubtful to publish; left out: nothing is in doubt. */
  readonly doubt?: CommandError
}

/** Below it a file is refused. A doubtful encoding only warns, and counts as this much. */
export const LEAST_SURE = 0.6

/** 0..1, rounded to whole percents: a chain is as sure as its least sure part. */
export function composeConfidence(parts: readonly ConfidencePart[]): number {
  return Math.round(Math.min(1, ...parts.map(sureness)) * 100) / 100
}

/** `sure`, but an encoding, which only warns, counts as at least `LEAST_SURE`. */
export function sureness({ of, sure }: ConfidencePart): number {
  return of === 'encoding' ? Math.max(LEAST_SURE, sure) : sure
}
