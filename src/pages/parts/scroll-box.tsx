/** @jsxImportSource preact */

/** A box for contents wider than the page: it scrolls, and the keyboard can focus it. */

import type { ComponentChildren } from 'preact'

export function ScrollBox({
  label,
  isBusy,
  isTall = false,
  children,
}: {
  label: string
  isBusy?: boolean
  /** Whether it also scrolls up and down, below a heading that stays. */
  isTall?: boolean
  children: ComponentChildren
}) {
  const kind = isTall ? 'scroll tall' : 'scroll'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and a section would be one landmark too many
    <div class={kind} role="group" aria-label={label} tabIndex={0} aria-busy={isBusy}>
      {children}
    </div>
  )
}
