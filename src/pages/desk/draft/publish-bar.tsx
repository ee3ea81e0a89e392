/** @jsxImportSource preact */
/** What publishing changes, what it waits for, and the button; always in sight. */

import { Fragment } from 'preact'
import type { DraftBody } from '../../../publish/drafts/describe-draft.ts'
import { type Answers, openQuestions, type Question, tableReport } from '../../../publish/drafts/questions.ts'
import { focusWrong } from '../../signed-in/form.tsx'
import { useLanguage, useTexts } from '../../signed-in/page-language.ts'
import { DRAFT_TEXTS } from '../../texts/desk-draft.ts'
import { CHANGE_TEXTS, QUESTION_TEXTS } from '../../texts/desk-points.ts'
import { formatBytes, formatNumber } from '../../texts/texts.ts'
import { ProgressBar } from '../upload.tsx'
import { isAtWork, isBeingRead } from './draft-facts.ts'
import type { DraftViewOptions } from './use-draft.ts'
import type { Typing } from './use-typing.ts'

interface BarOptions extends DraftViewOptions {
  readonly answers: Answers
  readonly typing: Typing
  /** Sends what is typed and chosen; returns as `flush` of `typing`. */
  readonly onFlush: Typing['flush']
}

export function PublishBar({ draft, desk, answers, typing, onFlush }: BarOptions) {
  const texts = useTexts(DRAFT_TEXTS)
  const open = openQuestions(draft.questions, answers)
  const report = tableReport(draft)
  const isWaiting = draft.state !== 'ready' || open.length > 0
  const publish = async () => {
    if (desk.isBusy) return
    const now = await onFlush()
    // The field must be marked as wrong before it can be focused.
    if (now === null) return requestAnimationFrame(() => focusWrong(typing.form.current))
    if (now.state !== 'ready') return
    const [first] = openQuestions(now.questions, answers)
    if (first !== undefined) return focusQuestion(first)
    await desk.publish(answers)
  }
  return (
    <section class="desk-bar flow" aria-label={texts.publish} aria-busy={desk.isBusy || isAtWork(draft)}>
      <div class="says flow" id="publish-says" role="status">
        <Verdict draft={draft} open={open} />
        <WhatChanges draft={draft} />
      </div>
      {report !== undefined && (
        <button
          type="button"
          class="main"
          aria-disabled={isWaiting || desk.isBusy}
          aria-describedby="publish-says"
          onClick={() => void publish()}
        >
          {texts.publish}
        </button>
      )}
      {isAtWork(draft) && isBeingRead(draft) && <Progress draft={draft} />}
    </section>
  )
}

/** The id of a question's element, or of the field that answers it. */
function questionId({ kind }: Pick<Question, 'kind'>): string {
  return kind === 'domain' ? 'about-domain' : `question-${kind}`
}

function focusQuestion(question: Pick<Question, 'kind'>): void {
  document.getElementById(questionId(question))?.focus()
}

export function QuestionLink({ question, children }: { question: Question; children: string }) {
  const onClick = (event: Event) => {
    event.preventDefault()
    focusQuestion(question)
  }
  return (
    <a href={`#${questionId(question)}`} onClick={onClick}>
      {children}
    </a>
  )
}

function Verdict({ draft, open }: { draft: DraftBody; open: readonly Question[] }) {
  const short = useTexts(QUESTION_TEXTS)
  const texts = useTexts(DRAFT_TEXTS)
  if (tableReport(draft) === undefined && draft.state === 'refused')
    return <span class="tag bad">{texts.noTable}</span>
  if (isAtWork(draft))
    return <span class="tag">{draft.read?.preview ? texts.previewed : texts.rereading}</span>
  if (open.length === 0) return <span class="tag good">{texts.ready}</span>
  const named = open.slice(0, MOST_NAMED)
  return (
    <span>
      <span class="tag warn">{texts.points(open.length)}</span>{' '}
      {named.map((question, at) => (
        <Fragment key={`${question.kind} ${question.column}`}>
          {at > 0 && ', '}
          <QuestionLink question={question}>
            {`${short[question.kind]}${question.column === null ? '' : `: ${question.column}`}`}
          </QuestionLink>
        </Fragment>
      ))}
      {open.length > MOST_NAMED && '…'}
    </span>
  )
}

const MOST_NAMED = 3

/** A sentence on the rows and columns that are added, removed and changed. */
function WhatChanges({ draft }: { draft: DraftBody }) {
  const texts = useTexts(CHANGE_TEXTS)
  const report = tableReport(draft)
  if (report === undefined || isBeingRead(draft)) return null
  const { difference, served_rows: served, dataset } = draft
  const title = dataset.title || dataset.id
  const { imported } = report.rows
  if (served === null) return <span class="small">{texts.fresh(title, imported, report.columns.length)}</span>
  if (difference === null) return <span class="small">{texts.counts(title, served, imported)}</span>
  const { added, removed, changed, columns, sampled } = difference
  const rows = [
    added > 0 && texts.added(added),
    removed > 0 && texts.removed(removed),
    changed !== null && changed > 0 && texts.changed(changed),
  ].filter((part) => part !== false)
  const names = (['added', 'removed', 'changed'] as const).flatMap((kind) =>
    columns[kind].length === 0 ? [] : [texts[`columns_${kind}`](columns[kind].join(', '))],
  )
  const said = rows.length === 0 ? texts.sameRows : `${sampled > 1 ? texts.about : ''}${rows.join(', ')}`
  return <span class="small">{[texts.edition(title, said), ...names].join(' ')}</span>
}

export function Progress({ draft: { progress, state } }: { draft: DraftBody }) {
  const language = useLanguage()
  const texts = useTexts(DRAFT_TEXTS)
  if (progress === null)
    return <ProgressBar label={texts.progress} done={0} total={null} text={texts.starting} />
  const { phase, bytes, total_bytes: total, rows } = progress
  const size = (value: number) =>
    phase === 'writing' ? formatNumber(language, value) : formatBytes(language, value)
  const far = total === null ? size(bytes) : texts.of(size(bytes), size(total))
  const counted = rows > 0 && phase === 'reading' ? ` · ${texts.rows(rows)}` : ''
  const step = state === 'waiting' ? texts.starting : `${texts[`phase_${phase}`]}: ${far}${counted}`
  return <ProgressBar label={texts.progress} done={bytes} total={total} text={step} />
}
