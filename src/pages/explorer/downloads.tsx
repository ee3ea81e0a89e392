/** @jsxImportSource preact */

/**
 * Links to files of the rows found. They have no `download` attribute, with which a browser would save a refusal instead
 * of showing it; the answer's headers make it a file.
 */

import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { downloadAddress, excelForm } from './addresses.ts'
import type { ExplorerProps } from './explorer-props.ts'

export function Downloads({ language, dataset, question }: ExplorerProps) {
  const texts = EXPLORER_TEXTS[language]
  const files = [
    { name: texts.csv, format: [{ name: 'format', value: 'csv' }] },
    { name: texts.csvExcel, format: [{ name: 'format', value: 'csv' }, ...excelForm(language)] },
    { name: texts.xlsx, format: [{ name: 'format', value: 'xlsx' }] },
    { name: texts.ndjson, format: [{ name: 'format', value: 'ndjson' }] },
    { name: texts.parquet, format: [{ name: 'format', value: 'parquet' }] },
  ]
  return (
    <div class="downloads">
      <span class="small">{texts.download}</span>
      {files.map(({ name, format }) => (
        <a
          class="button small"
          rel="nofollow"
          title={texts.downloadNote}
          href={downloadAddress(dataset.id, question, format)}
        >
          {name}
        </a>
      ))}
      <p class="small soft">{texts.excelNote}</p>
    </div>
  )
}
