/**
 * Search while the user types, on the catalog page: fetches the page that the form would load and shows its results.
 * Typing on aborts the request before.
 */

import { keepQuestion } from './language-link.ts'

const PAUSE_MS = 120

const form = document.querySelector<HTMLFormElement>('#search')
const field = document.querySelector<HTMLInputElement>('#q')

let timer: ReturnType<typeof setTimeout> | undefined
let running = new AbortController()
let shown = field?.value.trim() ?? ''

function addressOf(search: string): string {
  const parameters = new URLSearchParams(new FormData(form!) as unknown as Record<string, string>)
  if (search === '') parameters.delete('q')
  const query = parameters.toString()
  return query === '' ? '/' : `/?${query}`
}

async function show(): Promise<void> {
  const search = field!.value.trim()
  if (search === shown) return
  running.abort()
  running = new AbortController()
  const address = addressOf(search)
  try {
    const answer = await fetch(address, { signal: running.signal, headers: { accept: 'text/html' } })
    if (!answer.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    for (const selector of ['#results', 'nav.chips']) {
      const [old, fresh] = [document.querySelector(selector), page.querySelector(selector)]
      if (old && fresh) old.replaceChildren(...fresh.childNodes)
    }
    shown = search
    history.replaceState(null, '', address)
  } catch (error) {
    // Aborted, or the network failed: the results on the page stay.
    if ((error as Error).name !== 'AbortError') shown = '\0'
  }
}

field?.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(() => void show(), PAUSE_MS)
})

form?.addEventListener('submit', (event) => {
  event.preventDefault()
  clearTimeout(timer)
  void show()
})

keepQuestion()
