/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks'

export interface Status {
  readonly text: string
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

export function useFocusLater(): (id: string) => void {
  const waiting = useRef<number>(0)
  return (id) => {
    cancelAnimationFrame(waiting.current)
    waiting.current = requestAnimationFrame(() => document.getElementById(id)?.focus())
  }
}

/**
 * Moves a lost focus to the heading of its section, or of the first section if that is gone as well.
 * @param rootId id of the element that holds the page
 */
export function useKeptFocus(rootId: string): void {
  useEffect(() => {
    const root = document.getElementById(rootId)
    if (root === null) return
    let focused: Element | null = null
    let section: Element | null = null
    const onFocus = ({ target }: FocusEvent) => {
      focused = target as Element
      section = focused.closest('section')
    }
    const watch = new MutationObserver(() => {
      if (focused === null || focused.isConnected || document.activeElement !== document.body) return
      const isThere = section?.isConnected === true
      const heading = (isThere ? section : root)?.querySelector<HTMLElement>('h2')
      focused = null
      if (!heading) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: isThere })
    })
    root.addEventListener('focusin', onFocus)
    watch.observe(root, { childList: true, subtree: true })
    return () => {
      root.removeEventListener('focusin', onFocus)
      watch.disconnect()
    }
  }, [rootId])
}
