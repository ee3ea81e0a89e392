/** Helpers to show in this page what a link or form would load. */

let running = new AbortController()

/** Fetches a page. @returns undefined when that fails; never settles when a later call overtakes it */
export async function fetchPage(address: string): Promise<Document | undefined> {
  running.abort()
  running = new AbortController()
  const { signal } = running
  try {
    const answer = await fetch(address, { signal, headers: { accept: 'text/html' } })
    return new DOMParser().parseFromString(await answer.text(), 'text/html')
  } catch {
    return signal.aborted ? await new Promise<never>(() => {}) : undefined
  }
}

/** Calls `follow` for clicks on matching links, except those that ask for another tab or window. */
export function onLink(root: Element, selector: string, follow: (link: HTMLAnchorElement) => void): void {
  root.addEventListener('click', (event) => {
    const { ctrlKey, metaKey, shiftKey, button, target } = event as MouseEvent
    const link = (target as Element).closest<HTMLAnchorElement>(selector)
    if (!link || ctrlKey || metaKey || shiftKey || button !== 0) return
    event.preventDefault()
    follow(link)
  })
}
