/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'

interface SectionOptions {
  readonly id: string
  readonly title: ComponentChildren
  readonly class?: string
  readonly 'aria-busy'?: boolean
  readonly text?: string | undefined
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

export interface ButtonOptions {
  readonly children: ComponentChildren
  readonly class?: string | undefined
  /** The button's name for screen readers, where several have the same text. */
  readonly about?: string | undefined
  readonly disabled?: boolean
  readonly onPress: () => unknown
}

export function Button({ about, onPress, ...button }: ButtonOptions) {
  return <button type="button" {...button} aria-label={about} onClick={() => void onPress()} />
}

export function SmallButton({ isDangerous, ...button }: ButtonOptions & { isDangerous?: boolean }) {
  return <Button {...button} class={isDangerous ? 'small danger' : 'small'} />
}
