/** @jsxImportSource preact */
/**
 * Links to files of the rows found. They have no `download` attribute, which would make a browser save a refusal instead of
 * showing it; the answer's headers make it a file.
 */

import type { Language } from '../../base/text/language.ts'
import type { Parameter } from '../../base/text/query-string.ts'
import { FORMAT_TABLE } from '../../query/formats.ts'
import { questionAddress, writeQuestion } from '../question/question.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { WRITING } from '../texts/texts.ts'
import type { ExplorerProps } from './explorer-props.ts'

export function Downloads({ language, dataset, question }: ExplorerProps) {
  const texts = EXPLORER_TEXTS[language]
  return (
    <div class="downloads flow">
      <FileLinks
        language={language}
        title={texts.downloadNote}
        addressOf={(form) =>
          questionAddress(`/datasets/${dataset.id}/download`, [
            ...form,
            ...writeQuestion(question, ['filters', 'fields']),
          ])
        }
      />
      <p class="small soft">{texts.excelNote}</p>
    </div>
  )
}

interface FileLinksProps {
  readonly language: Language
  readonly title?: string
  readonly addressOf: (form: readonly Parameter[]) => string
}

export function FileLinks({ language, title, addressOf }: FileLinksProps) {
  const texts = EXPLORER_TEXTS[language]
  const format = (value: string) => ({ name: 'format', value })
  const files = Object.values(FORMAT_TABLE)
    .toSorted((a, b) => a.place - b.place)
    .map(({ name, label }) => ({ name: label, form: [format(name)] }))
  // With these, Excel opens CSV in columns on a double click: a byte order mark for the encoding, and the language's
  // separator where a comma is the decimal mark.
  const { separator } = WRITING[language]
  const excelForm = [
    ...(separator === ',' ? [] : [{ name: 'delimiter', value: separator }]),
    { name: 'bom', value: 'true' },
  ]
  files.splice(1, 0, { name: texts.csvExcel, form: [format('csv'), ...excelForm] })
  return (
    <>
      <span class="small">{texts.download}</span>
      {files.map(({ name, form }) => (
        <a class="button small" rel="nofollow" title={title} href={addressOf(form)}>
          {name}
        </a>
      ))}
    </>
  )
}
