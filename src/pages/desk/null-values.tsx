/** @jsxImportSource preact */

/** Values that kept columns from being numbers or dates, each of which can be marked as “no value”. */

import { useRef, useState } from 'preact/hooks'
import type { DraftBody } from '../../publish/drafts/describe-draft.ts'
import { useTexts } from '../signed-in/page-language.ts'
import { NULL_TEXTS } from '../texts/desk-columns.ts'
import type { DraftViewOptions } from './draft-view.ts'

const FEW = 12

interface Suspect {
  readonly value: string
  /** Cells with the value, and the columns that it keeps from being numbers or dates. */
  readonly count: number
  readonly columns: readonly string[]
}

/** By value, the most frequent first. */
export function gatherSuspects({ suspects }: Pick<DraftBody, 'suspects'>): Suspect[] {
  const found = suspects.flatMap(({ column, values }) => values.map((one) => ({ ...one, column })))
  return [...Map.groupBy(found, ({ value }) => value)]
    .map(([value, all]) => ({
      value,
      count: all.reduce((sum, { count }) => sum + count, 0),
      columns: all.map(({ column }) => column),
    }))
    .sort((one, other) => other.count - one.count)
}

export function NullValues({ draft, desk }: DraftViewOptions) {
  const texts = useTexts(NULL_TEXTS)
  const [isWhole, setWhole] = useState(false)
  const decided = draft.definition.read?.null_values ?? []
  const suspects = new Map(gatherSuspects(draft).map((one) => [one.value, one]))
  const values = useSeen([...decided, ...suspects.keys()])
  const shown = values.filter((value) => decided.includes(value) || suspects.has(value))
  if (shown.length === 0) return null
  const mark = (value: string, isNull: boolean) => {
    const marked = isNull ? [...decided, value] : decided.filter((one) => one !== value)
    void desk.decide({ read: { null_values: marked.length === 0 ? null : marked } })
  }
  return (
    <section class="card" aria-labelledby="nulls-title">
      <h2 id="nulls-title" tabIndex={-1}>
        {texts.title}
      </h2>
      <p>{texts.text}</p>
      <ul class="checks">
        {(isWhole ? shown : shown.slice(0, FEW)).map((value) => (
          <NullChoice
            key={value}
            value={value}
            isNull={decided.includes(value)}
            suspect={suspects.get(value)}
            onMark={mark}
          />
        ))}
      </ul>
      {!isWhole && shown.length > FEW && (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          {texts.more(shown.length - FEW)}
        </button>
      )}
    </section>
  )
}

/** All values that were there since the page was opened, in the order of their first sight: what is marked stays in its place. */
function useSeen(values: readonly string[]): readonly string[] {
  const seen = useRef<readonly string[]>([])
  seen.current = [...new Set([...seen.current, ...values])]
  return seen.current
}

interface NullChoiceOptions {
  readonly value: string
  readonly isNull: boolean
  /** Where it was found; undefined once it no longer prevents anything. */
  readonly suspect: Suspect | undefined
  readonly onMark: (value: string, isNull: boolean) => void
}

function NullChoice({ value, isNull, suspect, onMark }: NullChoiceOptions) {
  const texts = useTexts(NULL_TEXTS)
  const about = suspect === undefined ? texts.decided : texts.found(suspect.count, suspect.columns)
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={isNull}
          onChange={(event) => onMark(value, event.currentTarget.checked)}
        />
        <span>
          <code>{value}</code> {texts.means} <span class="small soft">{about}</span>
        </span>
      </label>
    </li>
  )
}
