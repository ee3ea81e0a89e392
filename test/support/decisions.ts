/** What a report says about one decision. */

import type { IngestReport } from '../../src/publish/edition/compose-report.ts'

/** The sentences of the decisions of one kind, joined; empty when there are none. */
export function decidedAs({ decisions }: IngestReport, kind: string): string {
  return decisions
    .filter((decision) => decision.kind === kind)
    .map(({ reason }) => reason)
    .join('\n')
}
