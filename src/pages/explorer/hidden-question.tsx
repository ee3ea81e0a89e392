/** @jsxImportSource preact */

/** A question inside a form: what it leaves as it is. */

import { languageOf } from './addresses.ts'
import type { ExplorerProps } from './explorer.tsx'
import { writeQuestion } from './question.ts'

type Parts = Parameters<typeof writeQuestion>[1]

export function HiddenQuestion({
  question,
  chosenLanguage,
  parts,
}: Pick<ExplorerProps, 'question' | 'chosenLanguage'> & { parts: Parts }) {
  return (
    <>
      {[...writeQuestion(question, parts), ...languageOf({ chosenLanguage })].map(({ name, value }) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  )
}
