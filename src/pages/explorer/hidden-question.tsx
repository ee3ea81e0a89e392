/** @jsxImportSource preact */

/** The parts of a question that a form repeats unchanged. */

import { languageOf } from './addresses.ts'
import type { ExplorerProps } from './explorer-props.ts'
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
