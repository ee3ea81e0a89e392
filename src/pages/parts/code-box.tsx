/** @jsxImportSource preact */
import type { Language } from '../../base/text/language.ts'
import { PART_TEXTS } from '../texts/parts.ts'
import type { Said } from './say-refusal.ts'

/** @param label what the text is, for screen readers */
export function CodeBox(options: { language: Language; label: string; text: string; id?: string }) {
  const { language, label, text, id } = options
  const texts = PART_TEXTS[language]
  return (
    <div class="code-box">
      <button
        type="button"
        class="small"
        data-copy
        data-copied={texts.copied}
        aria-label={`${texts.copy}: ${label}`}
      >
        {texts.copy}
      </button>
      <pre>
        <code id={id}>{text}</code>
      </pre>
    </div>
  )
}

/** The API's sentence in English, folded below a translated one that says less. */
export function OriginalMessage({ language, said }: { language: Language; said: Said }) {
  if (said.original === null) return null
  return (
    <details class="small">
      <summary>{PART_TEXTS[language].original}</summary>
      <p lang="en">{said.original}</p>
    </details>
  )
}
