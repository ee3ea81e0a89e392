/** @jsxImportSource preact */

import { useId } from 'preact/hooks'

export interface FileButtonOptions {
  readonly label: string
  /** For screen readers, where several buttons have the same label. */
  readonly about?: string
  readonly tone?: 'main' | 'small'
  readonly onFile: (file: File) => void
}

/** A button that opens the browser's choice of files. */
export function FileButton({ label, about, tone, onFile }: FileButtonOptions) {
  const id = useId()
  const onChange = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement
    const file = input.files?.[0]
    // The same file may be chosen again, after it was mended.
    input.value = ''
    if (file !== undefined) onFile(file)
  }
  return (
    <span class="choose-file">
      <input
        id={id}
        type="file"
        aria-label={about === undefined ? undefined : `${label}: ${about}`}
        onChange={onChange}
      />
      <label for={id} class={tone === undefined ? 'button' : `button ${tone}`}>
        {label}
      </label>
    </span>
  )
}
