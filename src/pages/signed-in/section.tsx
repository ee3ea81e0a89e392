import type { ComponentChildren } from 'preact'

interface SectionOptions {
  readonly id: string
  readonly title: ComponentChildren
  readonly class?: string
  readonly text?: string
  readonly children?: ComponentChildren
}

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
