/** @jsxImportSource preact */

/** The words that rows are searched for. */

import { useEffect, useState } from 'preact/hooks'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import type { ExplorerProps } from './explorer-props.ts'
import { HiddenQuestion } from './hidden-question.tsx'
import { withWords } from './question.ts'

export function SearchForm(props: ExplorerProps) {
  const { language, dataset, question } = props
  const texts = EXPLORER_TEXTS[language]
  const [words, type] = useState(question.q ?? '')
  // Another question may come with other words: by a link, or on the way back.
  useEffect(() => type(question.q ?? ''), [question.q])
  return (
    // biome-ignore lint/a11y/useSemanticElements: the pages say role="search" of a form, as the catalog does
    <form class="row words" role="search" action={`/datasets/${dataset.id}#explore`} data-go="words">
      <HiddenQuestion {...props} question={withWords(question, null)} parts={['filters', 'sort', 'fields']} />
      <label class="unseen" for="row-words">
        {texts.search}
      </label>
      <input
        id="row-words"
        type="search"
        name="q"
        value={words}
        onInput={(event) => type(event.currentTarget.value)}
        placeholder={texts.search}
        autocomplete="off"
      />
      <button type="submit">{texts.find}</button>
    </form>
  )
}
