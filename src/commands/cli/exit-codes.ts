/** The exit codes of the program (frozen), by the kind of failure. */

import type { FailureKind } from '../../base/errors.ts'

export const DONE = 0

export const EXIT_CODES: Readonly<Record<FailureKind, number>> = {
  failed: 1,
  usage: 2,
  unhealthy: 3,
  refused: 4,
  damaged: 6,
}

/** What each code means, in the order of the codes. */
export const EXIT_CODE_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [DONE, 'done'],
  [EXIT_CODES.failed, 'failed'],
  [EXIT_CODES.usage, 'wrong usage'],
  [EXIT_CODES.unhealthy, 'unhealthy'],
  [EXIT_CODES.refused, 'ingest refused'],
  [EXIT_CODES.damaged, 'integrity check failed'],
]
