/** The reference's script: each request can be changed and sent, with the reader's key if there is one. */

import { showCopyButtons } from '../parts/copy-buttons.ts'

/** The most characters of an answer that are shown. */
const MOST_SHOWN = 100_000

const texts = document.querySelector<HTMLElement>('#try-key')!
const key = texts.querySelector('input')!
texts.hidden = false

for (const form of document.querySelectorAll<HTMLFormElement>('form.try')) {
  const address = document.createElement('input')
  address.value = form.dataset.address!
  address.setAttribute('aria-label', texts.dataset.address!)
  const send = document.createElement('button')
  send.textContent = texts.dataset.send!
  form.append(address, send)
  form.hidden = false
  const answer = document.createElement('pre')
  answer.tabIndex = 0
  answer.setAttribute('role', 'status')
  answer.setAttribute('aria-label', texts.dataset.answer!)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    form.after(answer)
    void ask(address.value).then((text) => {
      answer.textContent = text
    })
  })
}

async function ask(address: string): Promise<string> {
  // An address of another host would receive the key.
  const url = new URL(address, location.origin)
  if (url.origin !== location.origin) return texts.dataset.foreign!
  try {
    const headers: HeadersInit =
      key.value.trim() === '' ? {} : { authorization: `Bearer ${key.value.trim()}` }
    const response = await fetch(url, { headers })
    const text = await response.text()
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
    const shown = isJson && text.length < MOST_SHOWN ? JSON.stringify(JSON.parse(text), null, 2) : text
    return `${response.status} ${response.statusText}\n\n${shown.slice(0, MOST_SHOWN)}`
  } catch (error) {
    return String(error)
  }
}

/** Opens the operation that the address names. */
function openNamed(): void {
  const named = location.hash === '' ? null : document.getElementById(location.hash.slice(1))
  const box = named?.closest('details')
  if (!box) return
  box.open = true
  box.scrollIntoView()
}

addEventListener('hashchange', openNamed)
openNamed()
showCopyButtons()
