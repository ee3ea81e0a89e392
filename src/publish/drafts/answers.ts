/** What may keep a draft from being published, and what the publisher may answer. */

import type { ErrorCode } from '../../base/error-codes.ts'
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

interface RefusalKind {
  readonly code: ErrorCode
  /** The field that answers it; null: what was decided about the file has to change. */
  readonly field: keyof Answers | null
  readonly advice: string
}

const DRIFT: RefusalKind = {
  code: 'schema_drift',
  field: 'accept_drift',
  advice:
    'Publish it all the same with "accept_drift": true. A column that only has another header now keeps its name by a PATCH of "columns": "name" as it is served, "source" as the file has it.',
}

const KINDS: Readonly<Record<Refusal['kind'], RefusalKind>> = {
  drift: DRIFT,
  empty: { ...DRIFT, advice: 'If that is meant, publish it with "accept_drift": true.' },
  append_drift: {
    code: 'schema_drift',
    field: null,
    advice:
      'A column that only has another header or type keeps its name and type by a PATCH of "columns": "name" and "type" as they are served, "source" as the file has it.',
  },
  quarantine: {
    code: 'too_many_quarantined',
    field: 'max_quarantine',
    advice: 'Fix the file, or allow a larger share with "max_quarantine", from 0 to 1.',
  },
  too_few_rows: {
    code: 'too_few_rows',
    field: 'accept_shrink',
    advice:
      'If the rows are gone for good, publish it with "accept_shrink": true; if the file is a part, add it with a PATCH of "mode": "append".',
  },
  too_many_mended: {
    code: 'too_many_mended',
    field: 'max_mended',
    advice: 'Look through the mended rows, then allow a larger share with "max_mended", from 0 to 1.',
  },
  duplicate_key: {
    code: 'duplicate_key',
    field: null,
    advice:
      'If the rows come again, name the columns that tell this edition from the others with a PATCH of "replace_where": the served rows with the same values there are taken out first.',
  },
  personal_data: {
    code: 'personal_data',
    field: 'allow_personal_data',
    advice: 'Leave the columns out, or, if they may be published, name them in "allow_personal_data".',
  },
}

/** Refusals that nothing answers, in their order. */
export function unanswered(refusals: readonly Refusal[], answers: Answers): Refusal[] {
  return refusals.filter(({ kind, columns = [] }) => {
    const { field } = KINDS[kind]
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
  const detail = told.map(({ kind, message }) => {
    const { field, advice } = KINDS[kind]
    return {
      location: field === null ? 'draft' : `body.${field}`,
      message: `${asSentence(message)} ${advice}`,
    }
  })
  const [first] = told
  const code = first === undefined ? 'internal_error' : KINDS[first.kind].code
  return { code, message: detail.map(({ message }) => message).join('\n'), detail }
}

export const OUTDATED: DraftProblem = {
  code: 'draft_outdated',
  message:
    'Another version is served than when this draft was read. PATCH the draft, with {} where nothing changes: it is read again and compared with the version that is served.',
}

function asSentence(message: string): string {
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}`
  return /[.:]$/.test(text) ? text : `${text}.`
}
