/** @jsxImportSource preact */

/** The outcome of the last action, which screen readers announce. */

import { useRef, useState } from 'preact/hooks'

export interface Status {
  readonly text: string
  /** Replaces the text; an empty one removes it. */
  readonly say: (text: string) => void
}

export function useStatus(): Status {
  const [text, setText] = useState('')
  return { text, say: setText }
}

/** Always rendered, so that screen readers announce what appears in it. */
export function StatusLine({ status }: { status: Status }) {
  return (
    <div role="status" class="status">
      {status.text !== '' && <p class="note good">{status.text}</p>}
    </div>
  )
}

/** The question of the open dialog, if any. */
export function useQuestion<T>(): { open: T | undefined; ask: (question: T) => void; close: () => void } {
  const [open, setOpen] = useState<T>()
  return { open, ask: (question) => setOpen(() => question), close: () => setOpen(undefined) }
}

/** Focuses an element by its id after the next render. */
export function useFocusLater(): (id: string) => void {
  const waiting = useRef<number>(0)
  return (id) => {
    cancelAnimationFrame(waiting.current)
    waiting.current = requestAnimationFrame(() => document.getElementById(id)?.focus())
  }
}
