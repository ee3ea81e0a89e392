/**
 * The questions that a draft asks its publisher (contract 14, "The desk"): one table for the page and the interface. A row
 * says when a question is asked, what answers it and whether publishing waits for it.
 */

import type { DefinitionPart } from '../../read/definition/definition.ts'
import { GATE_REFUSALS } from '../../read/report/texts/gate-refusals.ts'
import type { DraftProblem, DraftState } from '../../store/catalog/drafts.ts'
import type { IngestReport, UnreadReport } from '../edition/compose-report.ts'
import type { Refusal } from '../edition/report.ts'
import type { Likeness } from './alike.ts'
import type { StoredReading } from './draft-reading.ts'

/** The answers in a request to publish. */
export interface Answers {
  readonly accept_drift?: boolean
  readonly accept_shrink?: boolean
  /** Column names; true: all columns. */
  readonly allow_personal_data?: boolean | readonly string[]
  /** Shares, 0 to 1. */
  readonly max_quarantine?: number
  readonly max_mended?: number
}

/** The parts of a draft that questions depend on. */
export interface AskedDraft extends Pick<StoredReading, 'sheets' | 'suspects' | 'notations'> {
  readonly state: DraftState
  readonly report: IngestReport | UnreadReport | null
  readonly outdated: boolean
  readonly domain: string | null
  readonly isNew: boolean
  readonly candidates: readonly Likeness[]
  readonly read: NonNullable<DefinitionPart['read']>
}

type Values = Readonly<Record<string, string | number>>

interface Asked {
  readonly column?: string
  readonly values?: Values
}

interface QuestionRow {
  /** The error code of publishing without an answer; for advice, a word of its own. */
  readonly code: string
  /** Whether publishing waits for it; `asks` can override it for each question. */
  readonly gate: boolean
  /** Fields of a decision that answer it, options as `read.…`; none: only a new reading or another file helps. */
  readonly patch: readonly string[]
  /** The field of the request to publish that answers it. */
  readonly publish: keyof Answers | null
  readonly asks: (draft: AskedDraft) => readonly (Asked & { readonly gate?: boolean })[]
}

/** A question that a gate's refusal raises. */
function byGate(
  kind: Refusal['kind'],
  patch: readonly string[],
  publish: keyof Answers | null,
  values: (report: IngestReport) => Values = () => ({}),
): QuestionRow {
  const asks: QuestionRow['asks'] = (draft) => {
    const report = tableReport(draft)
    return report?.refusals.some((one) => one.kind === kind) ? [{ values: values(report) }] : []
  }
  return { code: GATE_REFUSALS[kind].code, gate: true, patch, publish, asks }
}

/** A question that only a decision answers, and that prevents publishing until then. */
function needed(code: string, patch: readonly string[], asks: QuestionRow['asks']): QuestionRow {
  return { code, gate: true, patch, publish: null, asks }
}

function advice(code: string, patch: readonly string[], asks: QuestionRow['asks']): QuestionRow {
  return { code, gate: false, patch, publish: null, asks }
}

/** Readings with less confidence should be looked at. */
const DOUBTFUL = 0.8
/** The share of common columns from which a table looks like an edition of another. */
const LIKELY = 0.8

const once = (isAsked: boolean | undefined, values?: Values): Asked[] =>
  isAsked === true ? [{ ...(values && { values }) }] : []

const rowsOf = ({ rows: { read, quarantined } }: IngestReport) => ({ rows: quarantined, of: read })

const columnsOf = ({ drift }: IngestReport) => ({
  added: drift?.added.map(({ name }) => name).join(', ') ?? '',
  removed: [...(drift?.removed.map(({ name }) => name) ?? []), ...(drift?.missing ?? [])].join(', '),
  changed: drift?.changed.map(({ name }) => name).join(', ') ?? '',
})

/** In the order in which they are asked. */
export const QUESTIONS = {
  unread: needed('draft_not_ready', ['read'], ({ state, report }) =>
    once(state === 'refused' || (report !== null && report.dialect === null)),
  ),
  outdated: needed('draft_outdated', [], ({ outdated }) => once(outdated)),
  edition: advice('edition', ['dataset'], ({ isNew, candidates: [first] }) =>
    once(isNew && first !== undefined && first.share >= LIKELY, { dataset: first?.id ?? '' }),
  ),
  domain: needed('draft_not_ready', ['domain', 'dataset'], ({ domain }) => once(domain === null)),
  personal_data: {
    ...{ code: 'personal_data', gate: true, patch: ['columns', 'personal_data'] },
    publish: 'allow_personal_data',
    asks(draft) {
      const report = tableReport(draft)
      const refused = report?.refusals.flatMap(({ columns = [] }) => columns) ?? []
      const open = report?.personal_data.filter(({ acknowledged }) => !acknowledged) ?? []
      return open.map(({ column, kind, rows }) => ({
        ...{ column, values: { kind, rows } },
        gate: refused.includes(column),
      }))
    },
  },
  drift: byGate('drift', ['columns'], 'accept_drift', columnsOf),
  append_drift: byGate('append_drift', ['columns', 'mode'], null, columnsOf),
  empty: byGate('empty', ['read', 'columns'], 'accept_drift', rowsOf),
  too_few_rows: byGate('too_few_rows', ['mode', 'dataset'], 'accept_shrink', ({ rows }) => ({
    rows: rows.imported,
  })),
  quarantine: byGate('quarantine', ['read', 'columns'], 'max_quarantine', rowsOf),
  too_many_mended: byGate('too_many_mended', ['read.ragged'], 'max_mended'),
  duplicate_key: byGate('duplicate_key', ['replace_where', 'mode'], null),
  reading: advice('reading', ['read'], (draft) => {
    const { confidence } = tableReport(draft)?.dialect ?? { confidence: 1 }
    return once(confidence < DOUBTFUL, { confidence })
  }),
  sheet: advice('sheet', ['read.sheet'], ({ sheets, read, ...draft }) =>
    once(sheets.length > 1 && read.sheet === undefined, {
      ...{ sheets: sheets.length, sheet: tableReport(draft)?.dialect.sheet ?? '' },
    }),
  ),
  totals: advice('totals', ['read.totals'], ({ read, ...draft }) => {
    const { decisions = [], warning_codes: codes = [] } = tableReport(draft) ?? {}
    const isFound =
      decisions.some(({ kind }) => kind === 'totals') || codes.some(({ code }) => code === 'subtotals')
    return once(isFound && read.totals === undefined)
  }),
  hidden: advice('hidden', ['read.hidden'], (draft) =>
    once(tableReport(draft)?.warning_codes.some(({ code }) => code === 'hidden')),
  ),
  notation: advice('notation', ['columns'], ({ notations }) =>
    notations.map(({ column, cells }) => ({ column, values: { cells } })),
  ),
  null_values: advice('null_values', ['read.null_values', 'columns'], ({ suspects, read }) => {
    const decided = read.null_values ?? []
    return suspects.flatMap(({ column, values }) => {
      const open = values.filter(({ value }) => !decided.includes(value))
      const cells = open.reduce((sum, { count }) => sum + count, 0)
      return open.length === 0 ? [] : [{ column, values: { cells } }]
    })
  }),
} as const satisfies Readonly<Record<string, QuestionRow>>

export type QuestionKind = keyof typeof QUESTIONS

export interface Question extends Pick<QuestionRow, 'code' | 'gate' | 'patch' | 'publish'> {
  readonly kind: QuestionKind
  /** The column that it is about; null: the whole table. */
  readonly column: string | null
  readonly values: Values
}

/** All questions that a draft asks now, in the order of the table. */
export function questionsOf(draft: AskedDraft): Question[] {
  return (Object.entries(QUESTIONS) as [QuestionKind, QuestionRow][]).flatMap(([kind, row]) =>
    row.asks(draft).map(({ column = null, values = {}, gate = row.gate }) => {
      const { code, patch, publish } = row
      return { kind, code, column, gate, patch, publish, values }
    }),
  )
}

/** Questions that prevent publishing and that these answers leave open. */
export function openQuestions(questions: readonly Question[], answers: Answers): Question[] {
  return questions.filter(
    ({ gate, publish, column }) => gate && !isAnswered(publish, column === null ? [] : [column], answers),
  )
}

function isAnswered(field: keyof Answers | null, columns: readonly string[], answers: Answers): boolean {
  const answer = field === null ? undefined : answers[field]
  if (typeof answer === 'object') return columns.every((name) => answer.includes(name))
  return answer !== undefined && answer !== false
}

/** The report on a table; undefined while there is none. */
export function tableReport({ report }: Pick<AskedDraft, 'report'>): IngestReport | undefined {
  return report !== null && report.dialect !== null ? (report as IngestReport) : undefined
}

/** Refusals that the answers leave open, in their order. */
export function unanswered(refusals: readonly Refusal[], answers: Answers): Refusal[] {
  return refusals.filter(({ kind, columns = [] }) => !isAnswered(QUESTIONS[kind].publish, columns, answers))
}

/** An error with the first refusal's code, and one detail for each refusal. */
export function describeRefusals(refusals: readonly Refusal[], answers: Answers): DraftProblem {
  const open = unanswered(refusals, answers)
  // The allowed share was still too small.
  const told = open.length > 0 ? open : refusals
  const detail = told.map(({ kind, message }) => {
    const { publish } = QUESTIONS[kind]
    return {
      location: publish === null ? 'draft' : `body.${publish}`,
      message: `${message}${/[.:]$/.test(message) ? '' : '.'} ${GATE_REFUSALS[kind].api}`,
    }
  })
  const [first] = told
  const code = first === undefined ? 'internal_error' : GATE_REFUSALS[first.kind].code
  return { code, message: detail.map(({ message }) => message).join('\n'), detail }
}

export const OUTDATED: DraftProblem = {
  code: 'draft_outdated',
  message:
    'Another version is served than when this draft was read. PATCH the draft, with {} where nothing changes: it is read again and compared with the version that is served.',
}
