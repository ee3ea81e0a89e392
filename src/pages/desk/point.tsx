/** @jsxImportSource preact */

/** Something that stands in the way of publishing, and a yes to it. */

import type { ComponentChildren } from 'preact'
import type { Answers } from '../../publish/drafts/answers.ts'
import type { DraftViewOptions } from './draft-view.ts'

export interface PointOptions extends DraftViewOptions {
  readonly answers: Answers
  readonly onAnswer: (answers: Answers) => void
}

/** One thing that stands in the way. */
export function Point({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="note warn point">
      <h3>{title}</h3>
      {children}
    </div>
  )
}

interface AcceptOptions extends Pick<PointOptions, 'answers' | 'onAnswer'> {
  readonly answer: keyof Answers
  readonly label: string
}

/** An answer that goes with the request to publish; shares are allowed in full. */
export function Accept({ answers, onAnswer, answer, label }: AcceptOptions) {
  const isShare = answer === 'max_quarantine' || answer === 'max_mended'
  const accept = (isAccepted: boolean) => {
    const { [answer]: _, ...others } = answers
    onAnswer(isAccepted ? { ...others, [answer]: isShare ? 1 : true } : others)
  }
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={answers[answer] !== undefined}
        onChange={(event) => accept(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  )
}
