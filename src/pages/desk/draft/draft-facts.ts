import type { DraftBody, DraftSummary } from '../../../publish/drafts/describe-draft.ts'
import { type Answers, type Question, tableReport } from '../../../publish/drafts/questions.ts'

/** Whether a process works on the draft, or is about to. */
export function isAtWork({ state }: Pick<DraftSummary, 'state'>): boolean {
  return ['receiving', 'waiting', 'reading', 'publishing'].includes(state)
}

/** Whether the shown result is older than the last decision, or covers the first records only. */
export function isBeingRead(draft: DraftBody): boolean {
  const { read, revision } = draft
  return isAtWork(draft) && (read === null || read.preview || read.revision < revision)
}

/** The records of the header, as decided, else as found; empty where the file has none. */
export function headerRows(draft: DraftBody): readonly number[] {
  const decided = draft.definition.read?.header_row
  const rows = decided === undefined ? (tableReport(draft)?.dialect.header_rows ?? []) : [decided].flat()
  return rows.filter((row) => row > 0)
}

/** The texts about the dataset that a draft becomes. */
export function aboutOf({ definition, dataset }: Pick<DraftBody, 'definition' | 'dataset'>) {
  const { id, domain, title } = dataset
  return { ...definition, id, domain, title: title ?? undefined }
}

/** Whether the draft is published, or about to be. */
export function isOver({ state }: Pick<DraftSummary, 'state'>): boolean {
  return state === 'publishing' || state === 'published' || state === 'unchanged'
}

/** What the publisher accepted, each with the question as it was at that time: a changed question must be answered again. */
export type Accepted = Readonly<Partial<Record<keyof Answers, string>>>

/** The answers whose questions have not changed since. Accepted shares are allowed in full. */
export function answersOf(accepted: Accepted, questions: readonly Question[]): Answers {
  const given = Object.entries(accepted).filter(
    ([field, about]) => about === aboutAnswer(questions, field as keyof Answers),
  )
  return Object.fromEntries(given.map(([field]) => [field, field.startsWith('max_') ? 1 : true]))
}

/** The subject of an answer, as a text that changes with the question. */
export function aboutAnswer(questions: readonly Question[], field: keyof Answers): string {
  return JSON.stringify(questions.filter(({ publish }) => publish === field).map(({ values }) => values))
}
