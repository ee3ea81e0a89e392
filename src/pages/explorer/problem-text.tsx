/** @jsxImportSource preact */

/** A refusal whose suggestions are links to the corrected questions. */

import type { ComponentChild } from 'preact'
import { pageAddress } from './addresses.ts'
import type { ExplorerProps } from './explorer-props.ts'
import type { SaidProblem } from './say-problem.ts'

export function ProblemText(props: ExplorerProps & { problem: SaidProblem }) {
  const { text, corrections = [] } = props.problem
  const parts: ComponentChild[] = []
  let from = 0
  for (const { suggestion, question } of corrections) {
    // Suggestions are in quotes, of either language, after the name that is wrong.
    const quoted = Math.max(text.lastIndexOf(`"${suggestion}"`), text.lastIndexOf(`„${suggestion}”`))
    if (quoted < from) continue
    const at = quoted + 1
    parts.push(
      text.slice(from, at),
      <a href={pageAddress(props, question)} data-go="correct" rel="nofollow">
        {suggestion}
      </a>,
    )
    from = at + suggestion.length
  }
  return (
    <p>
      {parts}
      {text.slice(from)}
    </p>
  )
}
