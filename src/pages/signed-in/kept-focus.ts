/** Where keyboards and screen readers go on when what had the focus is taken off the page. */

import { useEffect } from 'preact/hooks'

/**
 * Moves a focus that was lost to the heading of its section, or of the first section when that is gone as well.
 * @param rootId of the element that holds the page
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
