/** @jsxImportSource preact */

/** Boxes whose text is copied by a button, and what screen readers are told of it. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { showCopyButtons } from '../parts/copy-buttons.ts'
import { useLanguage } from '../signed-in/page-language.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'

/**
 * Activates the copy buttons below an element.
 * @param shown what is in the boxes: another value activates them again
 * @returns `box`, the element's ref, and `said`, to be rendered inside it
 */
export function useCopying<Box extends HTMLElement>(shown: unknown) {
  const language = useLanguage()
  const box = useRef<Box>(null)
  const [text, say] = useState('')
  useEffect(() => {
    if (box.current === null) return
    showCopyButtons(box.current)
    for (const button of box.current.querySelectorAll('[data-copy]'))
      button.addEventListener('click', () => say(ACCOUNT_TEXTS[language].copied))
  }, [shown])
  const said = (
    <div role="status" class="unseen">
      {text}
    </div>
  )
  return { box, said }
}
