/** @jsxImportSource preact */

/** The form that chooses the columns of the table, the files and the API's answer. */

import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import type { ExplorerProps } from './explorer-props.ts'
import { HiddenQuestion } from './hidden-question.tsx'
import { FORM } from './question.ts'

export function ColumnChooser(props: ExplorerProps) {
  const { language, dataset, question } = props
  const texts = EXPLORER_TEXTS[language]
  const isShown = (name: string) => question.fields.length === 0 || question.fields.includes(name)
  return (
    <details class="tool" name="tools">
      <summary class="button">{texts.columns}</summary>
      <form action={`/datasets/${dataset.id}#explore`} data-go="columns">
        <HiddenQuestion {...props} parts={['filters', 'sort', 'offset']} />
        <fieldset class="choices">
          <legend class="unseen">{texts.columns}</legend>
          {dataset.columns.map(({ name }) => (
            <label>
              <input type="checkbox" name={FORM.field} value={name} checked={isShown(name)} /> {name}
            </label>
          ))}
        </fieldset>
        <button type="submit" class="main">
          {texts.showColumns}
        </button>
      </form>
    </details>
  )
}
