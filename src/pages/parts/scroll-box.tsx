/** @jsxImportSource preact */

/** A box for contents wider than the page: it scrolls, and the keyboard can focus it. */

import type { ComponentChildren } from 'preact'

export function ScrollBox({
  label,
  isBusy,
  children,
}: {
  label: string
  isBusy?: boolean
  children: ComponentChildren
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and a section would be one landmark too many
    <div class="scroll" role="group" aria-label={label} tabIndex={0} aria-busy={isBusy}>
      {children}
    </div>
  )
}
