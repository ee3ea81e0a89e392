/** How sure the whole reading of a file is (contract 13): the least sure of its parts, and what settles that one. */

import type { CommandError, Reason } from '../../base/errors.ts'

/** One thing that was found out about a file and could have been found out otherwise. */
export interface ConfidencePart {
  readonly of: 'dialect' | 'header' | 'structure' | 'encoding' | 'reading'
  /** 0..1 */
  readonly sure: number
  /** What is in doubt, in one sentence; null: nothing. */
  readonly doubt: string | null
  /** The same for programs. */
  readonly reasons?: readonly Reason[]
  /** The options that settle it. */
  readonly override: string | null
}

/** @param refusal what is said when it is too doubtful to publish by */
export function inDoubt(
  of: ConfidencePart['of'],
  sure: number,
  { message: doubt, override, reasons }: CommandError,
): ConfidencePart {
  return { of, sure, doubt, override, reasons }
}

/** Below it a file is refused. An encoding in doubt only warns, and counts as this much. */
export const LEAST_SURE = 0.6

/** 0..1, rounded to whole percents: of a chain as sure as its least sure part. */
export function composeConfidence(parts: readonly ConfidencePart[]): number {
  return Math.round(Math.min(1, ...parts.map(sureness)) * 100) / 100
}

/** The parts that are too doubtful to publish by. */
export function doubtfulParts(parts: readonly ConfidencePart[]): ConfidencePart[] {
  return parts.filter((part) => sureness(part) < LEAST_SURE)
}

function sureness({ of, sure }: ConfidencePart): number {
  return of === 'encoding' ? Math.max(LEAST_SURE, sure) : sure
}
