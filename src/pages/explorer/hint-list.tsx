/** @jsxImportSource preact */

/** Links to questions that find rows, where this one finds none. */

import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { pageAddress } from './addresses.ts'
import type { Answer, ExplorerProps } from './explorer-props.ts'
import { describeFilter } from './filter-panel.tsx'
import { questionsOf } from './hints.ts'

export function Hints(props: ExplorerProps & { answer: Extract<Answer, { rows: unknown }> }) {
  const { language, question, answer } = props
  const texts = EXPLORER_TEXTS[language]
  const found = questionsOf(question, answer.hints)
  if (found.length === 0) return null
  return (
    <div class="note">
      <p>{texts.hints}</p>
      <ul>
        {found.map(({ question: other, changed, rows }) => (
          <li>
            <a href={pageAddress(props, other)} data-go="hint" rel="nofollow">
              {changed
                .map((filter) =>
                  filter.operator === 'q' ? texts.words(filter.value) : describeFilter(language, filter),
                )
                .join(', ')}
            </a>{' '}
            <span class="soft number">({texts.found(rows)})</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
