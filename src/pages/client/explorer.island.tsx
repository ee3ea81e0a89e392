/** @jsxImportSource preact */
import { hydrate, render } from 'preact'
import { facetsAddress, pageAddress, rowsAddress } from '../explorer/addresses.ts'
import type { Answer, ExplorerProps } from '../explorer/explorer-props.ts'
import { Explorer } from '../explorer/explorer-view.tsx'
import { FACET_VALUES, type ShownFacet } from '../explorer/facets.ts'
import {
  type Question,
  questionAddress,
  readForm,
  readQuestion,
  readQuestionText,
  writeQuestion,
} from '../explorer/question.ts'
import { sayProblem } from '../explorer/say-problem.ts'
import { shortenRows } from '../explorer/shown-column.ts'
import { showCopyButtons } from '../parts/copy-buttons.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'

const PAUSE_MS = 120

const MOST_VALUES = 100

const root = document.querySelector<HTMLElement>('#explore')!
let props = JSON.parse(document.querySelector('#explorer-data')!.textContent!) as ExplorerProps
let running = new AbortController()

function draw(change: Partial<ExplorerProps>): void {
  props = { ...props, ...change }
  render(<Explorer {...props} />, root)
  showCopyButtons(root)
}

async function fetchAnswer(question: Question, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(rowsAddress(props.dataset, question), { signal })
  const body = await response.json()
  if (!response.ok) {
    const error = { ...body.error, wait: Number(response.headers.get('retry-after')) || undefined }
    return { problem: sayProblem(props.language, error, question, props.dataset.columns) }
  }
  return {
    rows: shortenRows(body.data),
    total: body.pagination.total,
    hasNext: body.pagination.has_next,
    hints: body.meta.hints ?? [],
  }
}

async function ask(question: Question): Promise<void> {
  running.abort()
  running = new AbortController()
  const { signal } = running
  const isOfOtherRows =
    question.q !== props.question.q ||
    JSON.stringify(question.filters) !== JSON.stringify(props.question.filters)
  const columns = props.facets.map(({ column }) => column)
  const fetchFacets = async (): Promise<readonly ShownFacet[]> => {
    const response = await fetch(facetsAddress(props.dataset.id, columns, FACET_VALUES, question), { signal })
    return response.ok ? (await response.json()).data : props.facets
  }
  draw({ isBusy: true })
  try {
    const [answer, facets] = await Promise.all([
      fetchAnswer(question, signal),
      isOfOtherRows && columns.length > 0 ? fetchFacets() : props.facets,
    ])
    draw({ question, answer, facets, isBusy: false })
  } catch (error) {
    if ((error as Error).name === 'AbortError') return
    const problem = { text: EXPLORER_TEXTS[props.language].failed, original: null }
    draw({ question, answer: { problem }, isBusy: false })
  }
}

function go(question: Question): Promise<void> {
  history.pushState(null, '', pageAddress(props, question))
  return ask(question)
}

root.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-go]')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
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

offerValues()

addEventListener('popstate', () => void ask(readQuestionText(location.search)))

hydrate(<Explorer {...props} />, root)
draw({ isLive: true })

/*
 * Values offered while a filter is written: the most frequent ones of its column in the rows that the other filters leave
 * and, where these are not all of them, those that contain what is typed.
 */

/** Whenever the field of the filter form is entered or changed. */
function offerValues(): void {
  /** The list of a column, in the order in which it is offered; null: not answered yet. */
  let offered: { key: string; values: readonly string[] | null; isWhole: boolean } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = new AbortController()

  const update = async (field: HTMLInputElement): Promise<void> => {
    const column = root.querySelector<HTMLSelectElement>('#filter-column')?.value
    if (column === undefined) return
    running.abort()
    running = new AbortController()
    const { id, columns } = props.dataset
    // A filter on the column itself would leave only what is chosen already.
    const filters = props.question.filters.filter((one) => one.column !== column)
    const question = { ...props.question, filters }
    const key = facetsAddress(id, [column], MOST_VALUES, question)
    if (offered?.key !== key || offered.values === null) {
      offered = { key, values: null, isWhole: true }
      show([])
      const [facet] = (await read(key, running.signal)) as { values: { value: unknown }[]; other: number }[]
      if (facet === undefined) return
      offered = { key, values: facet.values.map(({ value }) => String(value)), isWhole: facet.other === 0 }
    }
    const typed = field.value.trim()
    const isText = columns.some(({ name, type }) => name === column && type === 'string')
    if (offered.isWhole || typed === '' || !isText) return show(offered.values ?? [])
    const address = questionAddress(`/datasets/${id}/aggregate`, [
      { name: 'group_by', value: `value:${column}` },
      { name: 'measures', value: 'rows_with_it:count' },
      { name: 'sort', value: '-rows_with_it' },
      { name: 'limit', value: String(MOST_VALUES) },
      { name: 'count', value: 'false' },
      ...writeQuestion(question, ['filters']),
      { name: `${column}[contains]`, value: typed },
    ])
    const groups = (await read(address, running.signal)) as { value: unknown }[]
    show([...(offered.values ?? []), ...groups.map(({ value }) => String(value))])
  }

  const later = (event: Event) => {
    const field = event.target as HTMLInputElement
    if (field.id !== 'filter-value') return
    clearTimeout(timer)
    timer = setTimeout(() => void update(field), event.type === 'focusin' ? 0 : PAUSE_MS)
  }
  root.addEventListener('focusin', later)
  root.addEventListener('input', later)
}

/** The data of an answer; nothing of a refusal, of a request that was aborted or of none. */
async function read(address: string, signal: AbortSignal): Promise<readonly unknown[]> {
  try {
    const answer = await fetch(address, { signal })
    return answer.ok ? (await answer.json()).data : []
  } catch {
    return []
  }
}

function show(values: readonly string[]): void {
  const list = root.querySelector<HTMLDataListElement>('#filter-values')
  const offered = [...new Set(values)].filter((value) => value !== '')
  list?.replaceChildren(...offered.map((value) => new Option(value, value)))
}
