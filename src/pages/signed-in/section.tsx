/** @jsxImportSource preact */

/** Parts that all pages behind a sign-in are made of. */

import type { ComponentChildren } from 'preact'

interface SectionOptions {
  /** Of the heading, which can be focused. */
  readonly id: string
  readonly title: ComponentChildren
  readonly class?: string
  /** What the section is for. */
  readonly text?: string
  readonly children?: ComponentChildren
}

/** A part of a page below its heading. */
export function Section({ id, title, text, children, ...section }: SectionOptions) {
  return (
    <section {...section} aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {text && <p class="soft">{text}</p>}
      {children}
    </section>
  )
}

interface SmallButtonOptions {
  readonly children: string
  /** The button's name for screen readers, where several say the same. */
  readonly about?: string | undefined
  readonly isDangerous?: boolean
  readonly onPress: () => unknown
}

/** A button within a table, a list or a sentence. */
export function SmallButton({ children, about, isDangerous = false, onPress }: SmallButtonOptions) {
  return (
    <button
      type="button"
      class={isDangerous ? 'small danger' : 'small'}
      aria-label={about}
      onClick={() => void onPress()}
    >
      {children}
    </button>
  )
}
