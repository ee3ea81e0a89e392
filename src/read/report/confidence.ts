/** How sure the whole reading of a file is (contract 13): the least sure of its parts, and what settles that one. */

import type { CommandError } from '../../base/errors.ts'

/** One thing that was found out about a file and could have been found out otherwise. */
export interface ConfidencePart {
  readonly of: 'dialect' | 'header' | 'structure' | 'encoding' | 'reading'
  /** 0..1 */
  readonly sure: number
  /** What is said when it is too doubtful to publish by; left out: nothing is in doubt. */
  readonly doubt?: CommandError
}

/** Below it a file is refused. An encoding in doubt only warns, and counts as this much. */
export const LEAST_SURE = 0.6

/** 0..1, rounded to whole percents: of a chain as sure as its least sure part. */
export function composeConfidence(parts: readonly ConfidencePart[]): number {
  return Math.round(Math.min(1, ...parts.map(sureness)) * 100) / 100
}

/** As `sure`, less what only warns. */
export function sureness({ of, sure }: ConfidencePart): number {
  return of === 'encoding' ? Math.max(LEAST_SURE, sure) : sure
}
