/** The summary's script: a choice takes effect at once, and links are followed without leaving the page. */

import { showCopyButtons } from '../parts/copy-buttons.ts'
import { fetchPage, onLink } from './in-place.ts'
import './language-link.ts'

const root = document.querySelector<HTMLElement>('#summary')

/** Choices made within this time count as one step in the browser's history. */
const STEP_MS = 1000
let chosenAt = Number.NEGATIVE_INFINITY

/**
 * Shows the page of an address in place of this one; if that fails, loads it.
 * @param isOurs whether the address comes from this form, which then already shows the choice
 */
async function show(address: string, isOurs: boolean): Promise<void> {
  root!.setAttribute('aria-busy', 'true')
  const fresh = (await fetchPage(address))?.querySelector('#summary')
  if (!fresh) return location.assign(address)
  replace(fresh, isOurs)
  showCopyButtons(root!)
  root!.removeAttribute('aria-busy')
}

/** Puts the contents of a fresh page around the form, which stays because somebody may be using it. */
function replace(fresh: Element, isOurs: boolean): void {
  const form = root!.querySelector('form')
  const other = fresh.querySelector('form')
  if (form === null || other === null) {
    root!.replaceChildren(...fresh.childNodes)
    return
  }
  const nodes = [...fresh.childNodes]
  const at = nodes.indexOf(other)
  const focused = root!.contains(document.activeElement) ? document.activeElement : null
  const selector = focused && !form.contains(focused) ? selectorOf(focused) : null
  for (const node of [...root!.childNodes]) if (node !== form) node.remove()
  form.before(...nodes.slice(0, at))
  form.after(...nodes.slice(at + 1))
  for (const field of form.querySelectorAll('input[type="hidden"]')) field.remove()
  form.prepend(...other.querySelectorAll('input[type="hidden"]'))
  for (const select of form.querySelectorAll('select')) {
    const given = other.querySelector<HTMLSelectElement>(`#${select.id}`)!
    if (isOurs && select === document.activeElement) continue
    const { value } = given
    if (given.length !== select.length) select.replaceChildren(...given.childNodes)
    select.value = value
  }
  const [link, newer] = [form, other].map((one) => one.querySelector<HTMLAnchorElement>('a[data-go]'))
  if (link && newer) Object.assign(link, { href: newer.href, textContent: newer.textContent })
  if (selector !== null) root!.querySelector<HTMLElement>(selector)?.focus()
}

/** Selects the counterpart of a replaced link: the same form of chart, the same heading, else the first list. */
function selectorOf(link: Element): string {
  const draw = [...(link.closest('.draws')?.children ?? [])].indexOf(link)
  if (draw !== -1) return `.draws a:nth-child(${draw + 1})`
  const head = link.closest('th')
  const at = head === null ? -1 : [...head.parentElement!.children].indexOf(head)
  return at === -1 ? 'select' : `thead th:nth-child(${at + 1}) a`
}

function followForm(form: HTMLFormElement): void {
  const fields = [...new FormData(form)].filter(([, value]) => value !== '')
  const address = `${form.action}?${new URLSearchParams(fields as [string, string][])}`
  const isStep = performance.now() - chosenAt > STEP_MS
  chosenAt = performance.now()
  if (isStep) history.pushState(null, '', address)
  else history.replaceState(null, '', address)
  void show(address, true)
}

root?.addEventListener('change', (event) => {
  const form = (event.target as Element).closest<HTMLFormElement>('form[data-go]')
  if (form) followForm(form)
})

root?.addEventListener('submit', (event) => {
  event.preventDefault()
  followForm(event.target as HTMLFormElement)
})

if (root)
  onLink(root, 'a[data-go]', ({ href }) => {
    history.pushState(null, '', href)
    void show(href, false)
  })

addEventListener('popstate', () => void show(location.href, false))

showCopyButtons()
