/** @jsxImportSource preact */

/** What is to be published, whether anything stands in the way, and the button that publishes. */

import type { Answers } from '../../publish/drafts/answers.ts'
import { useTexts } from '../signed-in/page-language.ts'
import { DRAFT_TEXTS } from '../texts/desk-draft.ts'
import { isAtWork, isBeingRead, openPoints, tableReport } from './draft-facts.ts'
import { Progress } from './draft-progress.tsx'
import type { DraftViewOptions } from './draft-view.ts'

export function PublishBar({ draft, desk, answers }: DraftViewOptions & { answers: Answers }) {
  const texts = useTexts(DRAFT_TEXTS)
  const report = tableReport(draft)
  const points = openPoints(draft, answers)
  const isReady = draft.state === 'ready'
  const publish = () => {
    if (!isReady || desk.isBusy) return
    if (points.length > 0) return document.getElementById('points-title')?.focus()
    void desk.publish(answers)
  }
  return (
    <section class="desk-bar" aria-label={texts.publish}>
      <div role="status">
        {report !== undefined && (
          <strong>
            {texts.rows(report.rows.imported)}, {texts.columns(report.columns.length)}
          </strong>
        )}{' '}
        <Verdict draft={draft} count={points.length} />
      </div>
      {report !== undefined && (
        <button type="button" class="main" aria-disabled={!isReady || desk.isBusy} onClick={publish}>
          {texts.publish}
        </button>
      )}
      {isAtWork(draft) && isBeingRead(draft) && <Progress draft={draft} />}
    </section>
  )
}

function Verdict({ draft, count }: { draft: DraftViewOptions['draft']; count: number }) {
  const texts = useTexts(DRAFT_TEXTS)
  if (tableReport(draft) === undefined && draft.state === 'refused')
    return <span class="tag bad">{texts.noTable}</span>
  if (isAtWork(draft))
    return <span class="tag">{draft.read?.preview ? texts.previewed : texts.rereading}</span>
  if (count > 0) return <span class="tag warn">{texts.points(count)}</span>
  return <span class="tag good">{texts.ready}</span>
}
