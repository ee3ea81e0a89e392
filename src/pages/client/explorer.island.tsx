/** @jsxImportSource preact */
import { hydrate, render } from 'preact'
import { pageAddress, rowsAddress } from '../explorer/addresses.ts'
import type { ExplorerProps } from '../explorer/explorer-props.ts'
import { Explorer } from '../explorer/explorer-view.tsx'
import { sayProblem } from '../explorer/say-problem.ts'
import { showCopyButtons } from '../parts/copy-buttons.ts'
import { type Question, readForm, readQuestion, readQuestionText } from '../question/question.ts'
import { shortenRows } from '../question/shown-column.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { onLink } from './in-place.ts'
import './language-link.ts'

const root = document.querySelector<HTMLElement>('#explore')!
let props = propsOf(document)
/** The question whose answer is shown. */
let shown = props.question
let running = new AbortController()

function propsOf(page: Document): ExplorerProps {
  return JSON.parse(page.querySelector('#explorer-data')!.textContent!)
}

function draw(change: Partial<ExplorerProps>): void {
  props = { ...props, ...change }
  render(<Explorer {...props} />, root)
  showCopyButtons(root)
}

/** Fetches the question's page, with rows and facets; when rows are only sorted or paged, the rows alone, much faster. */
async function fetchAnswer(question: Question, signal: AbortSignal): Promise<Partial<ExplorerProps>> {
  const keepsFacets = !('problem' in props.answer) && rowsOf(question) === rowsOf(shown)
  const address = keepsFacets ? rowsAddress(props.dataset, question) : pageAddress(props, question)
  const response = await fetch(address, { signal })
  if (response.headers.get('content-type')?.startsWith('text/html')) {
    const { answer, facets } = propsOf(new DOMParser().parseFromString(await response.text(), 'text/html'))
    return { answer, facets }
  }
  const body = await response.json()
  if (!response.ok) {
    const error = { ...body.error, wait: Number(response.headers.get('retry-after')) || undefined }
    return { answer: { problem: sayProblem(props.language, error, question, props.dataset.columns) } }
  }
  return {
    answer: {
      rows: shortenRows(body.data),
      total: body.pagination.total,
      hasNext: body.pagination.has_next,
      hints: body.meta.hints ?? [],
    },
  }
}

function rowsOf({ q, filters }: Question): string {
  return JSON.stringify([q, filters])
}

async function ask(question: Question): Promise<void> {
  running.abort()
  running = new AbortController()
  const { signal } = running
  // Draw the new question at once: links continue from it while its rows are being fetched.
  draw({ question, isBusy: true })
  try {
    const change = await fetchAnswer(question, signal)
    shown = question
    draw({ ...change, isBusy: false })
  } catch (error) {
    if ((error as Error).name === 'AbortError') return
    const problem = { text: EXPLORER_TEXTS[props.language].failed, original: null }
    draw({ answer: { problem }, isBusy: false })
  }
}

function go(question: Question): Promise<void> {
  history.pushState(null, '', pageAddress(props, question))
  return ask(question)
}

onLink(root, 'a[data-go]', (link) => {
  // The link disappears with its filter, so the focus moves to the element before it.
  if (link.dataset.go === 'remove') root.querySelector<HTMLElement>('summary')?.focus()
  void go(readQuestionText(new URL(link.href).search))
})

root.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  if (form.dataset.go === undefined) return
  event.preventDefault()
  const parameters = [...new FormData(form)].map(([name, value]) => ({ name, value: String(value) }))
  const question = readForm(parameters, props.dataset.columnCount) ?? readQuestion(parameters)
  if (form.dataset.go === 'filter') form.querySelector<HTMLInputElement>('input[type="text"]')?.select()
  void go(question)
})

addEventListener('popstate', () => void ask(readQuestionText(location.search)))

hydrate(<Explorer {...props} />, root)
draw({ isLive: true })
