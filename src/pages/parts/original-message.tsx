/** @jsxImportSource preact */

/** The API's sentence in English, folded below a translated one that says less. */

import type { Language } from '../../base/text/language.ts'
import { PART_TEXTS } from '../texts/parts.ts'
import type { Said } from './say-refusal.ts'

export function OriginalMessage({ language, said }: { language: Language; said: Said }) {
  if (said.original === null) return null
  return (
    <details class="small">
      <summary>{PART_TEXTS[language].original}</summary>
      <p lang="en">{said.original}</p>
    </details>
  )
}
