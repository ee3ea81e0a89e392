/** @jsxImportSource preact */
/**
 * The field of a filter's value, with suggestions: values of the column that match what is typed, from the page of all
 * values, which ignores case and diacritics. It follows ARIA's combobox pattern: arrows choose, Enter takes, Escape closes.
 */

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { FORM } from '../question/question.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { valuesAddress } from './addresses.ts'
import type { ExplorerProps } from './explorer-props.ts'

const PAUSE_MS = 150
const MOST_OFFERED = 20
const LIST = 'filter-values'

interface Offered {
  readonly value: string
  readonly rows: string
}

type Place = Pick<ExplorerProps, 'language' | 'dataset' | 'chosenLanguage' | 'question'>

/** @param isList whether several values are typed between commas; suggestions are for the last one */
export function ValueCombobox(props: Place & { column: string; isList: boolean; isNumber: boolean }) {
  const { language, column, isList, isNumber } = props
  const texts = EXPLORER_TEXTS[language]
  const [text, type] = useState('')
  const [active, activate] = useState(-1)
  const start = isList ? text.lastIndexOf(',') + 1 : 0
  const [offered, look] = useSuggestions(props, column)
  const close = () => {
    look(null)
    activate(-1)
  }
  const take = ({ value }: Offered) => {
    const written = isList && /[,"]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
    type(text.slice(0, start) + written)
    close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const chosen = offered[active]
    if (event.key === 'Escape' && offered.length > 0) close()
    else if (event.key === 'Enter' && chosen) take(chosen)
    else if (step !== 0 && offered.length === 0) look(text.slice(start))
    else if (step !== 0) activate((Math.max(active, step - 1) + step + offered.length) % offered.length)
    else return
    event.preventDefault()
  }
  return (
    <div class="combobox">
      <input
        id="filter-value"
        name={FORM.value}
        type="text"
        role="combobox"
        inputMode={isNumber ? 'decimal' : undefined}
        autocomplete="off"
        value={text}
        aria-autocomplete="list"
        aria-expanded={offered.length > 0}
        aria-controls={LIST}
        aria-activedescendant={active < 0 ? undefined : `${LIST}-${active}`}
        aria-describedby={isList ? 'filter-hint' : undefined}
        onInput={({ currentTarget: { value } }) => {
          type(value)
          activate(-1)
          look(isList ? value.slice(value.lastIndexOf(',') + 1) : value)
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <Options label={texts.facets} offered={offered} active={active} onTake={take} />
    </div>
  )
}

interface OptionsProps {
  readonly label: string
  readonly offered: readonly Offered[]
  readonly active: number
  readonly onTake: (one: Offered) => void
}

function Options({ label, offered, active, onTake }: OptionsProps) {
  return (
    <div id={LIST} class="options" role="listbox" aria-label={label} hidden={offered.length === 0}>
      {offered.map((one, at) => (
        <div
          key={one.value}
          id={`${LIST}-${at}`}
          role="option"
          aria-selected={at === active}
          ref={(item) => void (at === active && item?.scrollIntoView({ block: 'nearest' }))}
          tabIndex={-1}
          // Not onClick, which comes after the field has lost the focus.
          onMouseDown={(event) => {
            event.preventDefault()
            onTake(one)
          }}
        >
          {one.value} <span class="soft number">{one.rows}</span>
        </div>
      ))}
    </div>
  )
}

/** The suggestions, and a function that requests them for a text; null clears them. A later text overtakes an earlier one. */
function useSuggestions(place: Place, column: string): [readonly Offered[], (text: string | null) => void] {
  const [offered, offer] = useState<readonly Offered[]>([])
  const running = useRef<AbortController>(null)
  const stop = () => running.current?.abort()
  // A layout effect runs before the next key; one after the paint would drop what was typed since.
  useLayoutEffect(() => {
    offer([])
    return stop
  }, [column])
  const look = (text: string | null) => {
    stop()
    if (text === null) return offer([])
    running.current = new AbortController()
    const { signal } = running.current
    const address = valuesAddress(place, place.question, column, { find: text.trim() })
    const ask = () => readValues(address, signal).then((values) => signal.aborted || offer(values))
    const timer = setTimeout(ask, PAUSE_MS)
    signal.addEventListener('abort', () => clearTimeout(timer))
  }
  return [offered, look]
}

/** Reads the values in their page; empty if it is refused. */
async function readValues(address: string, signal: AbortSignal): Promise<readonly Offered[]> {
  try {
    const answer = await fetch(address, { signal, headers: { accept: 'text/html' } })
    if (!answer.ok) return []
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const links = [...page.querySelectorAll<HTMLElement>('[data-value]')].slice(0, MOST_OFFERED)
    return links.map((link) => ({
      value: link.dataset.value!,
      rows: link.closest('tr')!.querySelector('td.number')!.textContent!,
    }))
  } catch {
    return []
  }
}
