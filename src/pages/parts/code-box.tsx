/** @jsxImportSource preact */

/** Text to be copied, with the button that does it. Its place is kept until an island lets the button work: `copy-buttons.ts`. */

import type { Language } from '../../mail/language.ts'
import { PART_TEXTS } from '../texts/parts.ts'

/** @param label says what the text is, for those who hear the page */
export function CodeBox({
  language,
  label,
  text,
  id,
}: {
  language: Language
  label: string
  text: string
  id?: string
}) {
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
