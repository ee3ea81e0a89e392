import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Answers } from '../../../publish/drafts/answers.ts'
import type { Drift } from '../../../publish/edition/compare-served.ts'
import { useTexts } from '../../signed-in/page-language.ts'
import { SmallButton } from '../../signed-in/section.tsx'
import { COLUMN_DESK_TEXTS } from '../../texts/desk-columns.ts'
import { POINT_TEXTS } from '../../texts/desk-points.ts'
import { describeColumn, dropColumn, renameHeader } from './column-changes.ts'
import { openPoints, tableReport } from './draft-facts.ts'
import type { DraftViewOptions } from './use-draft.ts'

export interface PointOptions extends DraftViewOptions {
  readonly answers: Answers
  readonly onAnswer: (answers: Answers) => void
}

export function Point({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="note warn point">
      <h3>{title}</h3>
      {children}
    </div>
  )
}

/** An answer that goes with the request to publish; shares are allowed in full. */
export function Accept(options: PointOptions & { answer: keyof Answers; label: string }) {
  const { answers, onAnswer, answer, label } = options
  const isShare = answer === 'max_quarantine' || answer === 'max_mended'
  const accept = (isAccepted: boolean) => {
    const { [answer]: _, ...others } = answers
    onAnswer(isAccepted ? { ...others, [answer]: isShare ? 1 : true } : others)
  }
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={answers[answer] !== undefined}
        onChange={(event) => accept(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  )
}

export function DriftPoint(options: PointOptions) {
  const { draft } = options
  const types = useTexts(COLUMN_DESK_TEXTS)
  const texts = useTexts(POINT_TEXTS)
  const { drift } = draft
  if (drift === null) return null
  const mayAccept = openPoints(draft, {}).includes('drift')
  return (
    <Point title={texts.drift}>
      <p>{mayAccept ? texts.driftText : texts.appendDriftText}</p>
      <ul class="checks">
        {[...new Set([...drift.missing, ...drift.removed.map(({ name }) => name)])].map((name) => (
          <LostColumn key={name} {...options} drift={drift} name={name} />
        ))}
        {drift.added
          .filter(({ name }) => !drift.missing.includes(name))
          .map(({ name, type }) => (
            <li key={name} class="row">
              <span>{texts.added(name, types[`type_${type}`])}</span>
              <SmallButton
                about={types.dropOf(name)}
                onPress={() => options.desk.decide(dropColumn(draft, name))}
              >
                {types.drop}
              </SmallButton>
            </li>
          ))}
        {drift.changed.map(({ name, from, to }) => (
          <li key={name} class="row">
            <span>{texts.changed(name, types[`type_${from}`], types[`type_${to}`])}</span>
            <SmallButton
              about={texts.keepTypeOf(name, types[`type_${from}`])}
              onPress={() => options.desk.decide(describeColumn(draft, name, { type: from }))}
            >
              {texts.keepType(types[`type_${from}`])}
            </SmallButton>
          </li>
        ))}
      </ul>
      {mayAccept && <Accept {...options} answer="accept_drift" label={texts.acceptDrift} />}
    </Point>
  )
}

function LostColumn({ draft, desk, drift, name }: PointOptions & { drift: Drift; name: string }) {
  const texts = useTexts(POINT_TEXTS)
  const isNew = new Set(drift.added.map(({ name }) => name))
  const columns = tableReport(draft)?.columns ?? []
  const found = columns.flatMap(({ name, source_name: source }) =>
    isNew.has(name) && source !== null && source.trim() !== '' ? [source.trim()] : [],
  )
  const headers = [...new Set([...found, ...drift.undeclared.map((header) => header.trim())])]
  const [chosen, choose] = useState(drift.renamed.find((one) => one.name === name)?.header ?? headers[0])
  const header = chosen !== undefined && headers.includes(chosen) ? chosen : headers[0]
  const id = `same-${name}`
  return (
    <li>
      <span>{texts.lost(name)}</span>
      {header !== undefined && (
        <span class="row">
          <label for={id}>{texts.calledNow}</label>
          <select id={id} onChange={(event) => choose(event.currentTarget.value)}>
            {headers.map((one) => (
              <option key={one} value={one} selected={one === header}>
                {one}
              </option>
            ))}
          </select>
          <button
            type="button"
            aria-label={texts.sameAs(name, header)}
            onClick={() => void desk.decide(renameHeader(draft, name, header))}
          >
            {texts.same}
          </button>
        </span>
      )}
    </li>
  )
}
