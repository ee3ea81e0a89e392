/** @jsxImportSource preact */
import type { Language } from '../../base/text/language.ts'
import { PART_TEXTS } from '../texts/parts.ts'
import type { Said } from './say-refusal.ts'

/** @param label names the text for screen readers @param isField puts the text in a field, which the keyboard reaches */
export function CodeBox(options: {
  language: Language
  label: string
  text: string
  id?: string
  isField?: true
}) {
  const { language, label, text, id, isField } = options
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
      {isField ? (
        <textarea readOnly rows={4} spellcheck={false} aria-label={label}>
          {text}
        </textarea>
      ) : (
        <pre>
          <code id={id}>{text}</code>
        </pre>
      )}
    </div>
  )
}

/** A sentence in place of an answer. */
export function RefusedNote(options: { language: Language; said: Said }) {
  return (
    <div class="note bad" role="alert">
      <p>{options.said.text}</p>
      <OriginalMessage {...options} />
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
