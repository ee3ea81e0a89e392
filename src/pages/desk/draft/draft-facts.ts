import type { DraftBody, DraftSummary } from '../../../publish/drafts/describe-draft.ts'
import { type Answers, unanswered } from '../../../publish/drafts/questions.ts'
import type { IngestReport } from '../../../publish/edition/compose-report.ts'
import type { DefinitionPart } from '../../../read/definition/definition.ts'

/** A part of a definition, null where something is taken back. */
export type Decision = Readonly<Record<string, unknown>>

export function withDecision(definition: DefinitionPart, decision: Decision): DefinitionPart {
  const read = { ...definition.read, ...(decision.read as object | undefined) }
  return withoutNulls({ ...definition, ...decision, read: withoutNulls(read) })
}

function withoutNulls<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null)) as T
}

/** Whether a process works on it, or is about to. */
export function isAtWork({ state }: Pick<DraftSummary, 'state'>): boolean {
  return state === 'receiving' || state === 'waiting' || state === 'reading' || state === 'publishing'
}

/** Whether what is shown is not yet what was decided, or about the first records alone. */
export function isBeingRead(draft: DraftBody): boolean {
  const { read, revision } = draft
  return isAtWork(draft) && (read === null || read.preview || read.revision < revision)
}

/** The report of a table; undefined before one was found. */
export function tableReport({ report }: DraftBody): IngestReport | undefined {
  return report !== null && report.dialect !== null ? (report as IngestReport) : undefined
}

/** The records that are the header: as decided, else as found; none: the file has no header. */
export function headerRows(draft: DraftBody): readonly number[] {
  const decided = draft.definition.read?.header_row
  const rows = decided === undefined ? (tableReport(draft)?.dialect.header_rows ?? []) : [decided].flat()
  return rows.filter((row) => row > 0)
}

export type OpenPoint = 'domain' | 'outdated' | IngestReport['refusals'][number]['kind']

/** In the order in which they are asked, each once. */
export function openPoints(draft: DraftBody, answers: Answers): OpenPoint[] {
  const refusals = unanswered(tableReport(draft)?.refusals ?? [], answers)
  const points: OpenPoint[] = [
    ...(draft.outdated ? (['outdated'] as const) : []),
    ...draft.missing,
    ...refusals.map(({ kind }) => kind),
  ]
  return [...new Set(points)]
}
