/**
 * Values offered while a filter is written: the most frequent ones of its column in the rows that the other filters leave
 * and, where these are not all of them, those that contain what is typed.
 */

import { type ExplorerColumn, type Question, questionAddress, writeQuestion } from '../explorer/question.ts'

/** The dataset, and the question that the filter is added to. */
interface Asked {
  readonly id: string
  readonly columns: readonly Pick<ExplorerColumn, 'name' | 'type'>[]
  readonly question: Question
}

const PAUSE_MS = 120
const MOST_VALUES = 100

/** What the list of a column holds. */
interface Offered {
  readonly key: string
  /** Values in the order they are offered; null: not answered yet. */
  values: readonly string[] | null
  /** Whether there are no others. */
  isWhole: boolean
}

/** Fills the list of the filter form below an element whenever its field is entered or changed. */
export function offerValues(root: HTMLElement, asked: () => Asked): void {
  let offered: Offered | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = new AbortController()

  const update = async (field: HTMLInputElement): Promise<void> => {
    const column = root.querySelector<HTMLSelectElement>('#filter-column')?.value
    if (column === undefined) return
    running.abort()
    running = new AbortController()
    const place = withoutOwn(asked(), column)
    const key = frequentAddress(place, column)
    if (offered?.key !== key || offered.values === null) {
      offered = { key, values: null, isWhole: true }
      show(root, [])
      const [facet] = (await read(key, running.signal)) as { values: { value: unknown }[]; other: number }[]
      if (facet === undefined) return
      offered = { key, values: facet.values.map(({ value }) => String(value)), isWhole: facet.other === 0 }
    }
    const typed = field.value.trim()
    const isText = place.columns.some(({ name, type }) => name === column && type === 'string')
    if (offered.isWhole || typed === '' || !isText) return show(root, offered.values ?? [])
    const groups = (await read(containingAddress(place, column, typed), running.signal)) as {
      value: unknown
    }[]
    show(root, [...(offered.values ?? []), ...groups.map(({ value }) => String(value))])
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

/** A filter on the column itself would leave only what is chosen already. */
function withoutOwn({ question, ...place }: Asked, column: string): Asked {
  return {
    ...place,
    question: { ...question, filters: question.filters.filter((one) => one.column !== column) },
  }
}

function frequentAddress({ id, question }: Asked, column: string): string {
  return questionAddress(`/datasets/${id}/facets`, [
    { name: 'columns', value: column },
    { name: 'limit', value: String(MOST_VALUES) },
    ...writeQuestion(question, ['filters']),
  ])
}

function containingAddress({ id, question }: Asked, column: string, typed: string): string {
  return questionAddress(`/datasets/${id}/aggregate`, [
    { name: 'group_by', value: `value:${column}` },
    { name: 'measures', value: 'rows_with_it:count' },
    { name: 'sort', value: '-rows_with_it' },
    { name: 'limit', value: String(MOST_VALUES) },
    { name: 'count', value: 'false' },
    ...writeQuestion(question, ['filters']),
    { name: `${column}[contains]`, value: typed },
  ])
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

function show(root: HTMLElement, values: readonly string[]): void {
  const list = root.querySelector<HTMLDataListElement>('#filter-values')
  const offered = [...new Set(values)].filter((value) => value !== '')
  list?.replaceChildren(...offered.map((value) => new Option(value, value)))
}
