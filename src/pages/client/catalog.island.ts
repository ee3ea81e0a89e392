/**
 * Searches while the user types on the catalog page: fetches the page that the form would load and shows its results.
 * Further typing drops the earlier request.
 */

import { fetchPage } from './in-place.ts'
import './language-link.ts'

const PAUSE_MS = 120

const form = document.querySelector<HTMLFormElement>('#search')
const field = document.querySelector<HTMLInputElement>('#q')

let timer: ReturnType<typeof setTimeout> | undefined
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
  shown = search
  const address = addressOf(search)
  const page = await fetchPage(address)
  if (!page?.querySelector('#results')) {
    // Keep the results on the page, and let the same words be searched again.
    shown = '\0'
    return
  }
  for (const selector of ['#results', 'nav.chips']) {
    const [old, fresh] = [document.querySelector(selector), page.querySelector(selector)]
    if (old && fresh) old.replaceChildren(...fresh.childNodes)
  }
  history.replaceState(null, '', address)
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
