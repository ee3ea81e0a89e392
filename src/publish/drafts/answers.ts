/** What may keep a draft from being published, and what the publisher may answer. */

import { GATE_REFUSALS } from '../../read/report/texts/gate-refusals.ts'
import type { DraftProblem } from '../../store/catalog/drafts.ts'
import type { Refusal } from '../edition/report.ts'

/** Of the request to publish. */
export interface Answers {
  readonly accept_drift?: boolean
  readonly accept_shrink?: boolean
  /** Names of columns; true: all of them. */
  readonly allow_personal_data?: boolean | readonly string[]
  /** Shares, 0 to 1. */
  readonly max_quarantine?: number
  readonly max_mended?: number
}

/** What answers a refusal; null: what was decided about the file has to change. */
const FIELDS: Readonly<Record<Refusal['kind'], keyof Answers | null>> = {
  drift: 'accept_drift',
  empty: 'accept_drift',
  append_drift: null,
  quarantine: 'max_quarantine',
  too_few_rows: 'accept_shrink',
  too_many_mended: 'max_mended',
  duplicate_key: null,
  personal_data: 'allow_personal_data',
}

/** Refusals that nothing answers, in their order. */
export function unanswered(refusals: readonly Refusal[], answers: Answers): Refusal[] {
  return refusals.filter(({ kind, columns = [] }) => {
    const field = FIELDS[kind]
    const answer = field === null ? undefined : answers[field]
    if (typeof answer === 'object') return columns.some((name) => !answer.includes(name))
    return answer === undefined || answer === false
  })
}

/** The first refusal's code, and one detail for each. */
export function describeRefusals(refusals: readonly Refusal[], answers: Answers): DraftProblem {
  const open = unanswered(refusals, answers)
  // A share that was allowed and is still too small.
  const told = open.length > 0 ? open : refusals
  const detail = told.map(({ kind, message }) => ({
    location: FIELDS[kind] === null ? 'draft' : `body.${FIELDS[kind]}`,
    message: `${message}${/[.:]$/.test(message) ? '' : '.'} ${GATE_REFUSALS[kind].api}`,
  }))
  const [first] = told
  const code = first === undefined ? 'internal_error' : GATE_REFUSALS[first.kind].code
  return { code, message: detail.map(({ message }) => message).join('\n'), detail }
}

export const OUTDATED: DraftProblem = {
  code: 'draft_outdated',
  message:
    'Another version is served than when this draft was read. PATCH the draft, with {} where nothing changes: it is read again and compared with the version that is served.',
}
