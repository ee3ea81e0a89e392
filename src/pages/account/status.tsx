/** @jsxImportSource preact */

/** What was just done, said to everybody: shown, and read out where a page is heard. */

import { useRef, useState } from 'preact/hooks'

export interface Status {
  readonly text: string
  /** Replaces what was said; an empty text takes it back. */
  readonly say: (text: string) => void
}

export function useStatus(): Status {
  const [text, setText] = useState('')
  return { text, say: setText }
}

/** Always there, so that what appears in it is announced. */
export function StatusLine({ status }: { status: Status }) {
  return (
    <div role="status" class="status">
      {status.text !== '' && <p class="note good">{status.text}</p>}
    </div>
  )
}

/** A question that is open, if any: the dialog to show. */
export function useQuestion<T>(): { open: T | undefined; ask: (question: T) => void; close: () => void } {
  const [open, setOpen] = useState<T>()
  return { open, ask: (question) => setOpen(() => question), close: () => setOpen(undefined) }
}

/** Focuses an element by its id once what is being rendered now is there. */
export function useFocusLater(): (id: string) => void {
  const waiting = useRef<number>(0)
  return (id) => {
    cancelAnimationFrame(waiting.current)
    waiting.current = requestAnimationFrame(() => document.getElementById(id)?.focus())
  }
}
