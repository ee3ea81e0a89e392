/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import {
  type Answers,
  type Question,
  type QuestionKind,
  tableReport,
} from '../../../publish/drafts/questions.ts'
import type { Drift } from '../../../publish/edition/compare-served.ts'
import { useLanguage, useTexts } from '../../signed-in/page-language.ts'
import { SmallButton } from '../../signed-in/section.tsx'
import { COLUMN_DESK_TEXTS, NULL_TEXTS } from '../../texts/desk-columns.ts'
import { ADVICE_TEXTS } from '../../texts/desk-draft.ts'
import { POINT_TEXTS } from '../../texts/desk-points.ts'
import { formatShare } from '../../texts/texts.ts'
import { asSentence, sayWarning } from '../reasons.tsx'
import { describeColumn, dropColumn, renameHeader } from './column-changes.ts'
import { gatherSuspects } from './reading-options.tsx'
import type { DraftViewOptions } from './use-draft.ts'

export interface PointOptions extends DraftViewOptions {
  readonly answers: Answers
  readonly onAnswer: (field: keyof Answers, isGiven: boolean) => void
  readonly onChoose: (dataset: string | null) => void
}

export function Point(point: { kind: QuestionKind; title: string; children: ComponentChildren }) {
  const { kind, title, children } = point
  return (
    <div class="note warn point" id={`question-${kind}`} tabIndex={-1}>
      <h3>{title}</h3>
      {children}
    </div>
  )
}

/** An answer that is sent with the request to publish. */
export function Accept(options: PointOptions & { answer: keyof Answers; label: string }) {
  const { answers, onAnswer, answer, label } = options
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={answers[answer] !== undefined}
        onChange={(event) => onAnswer(answer, event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  )
}

export function DriftPoint(options: PointOptions & { asked: Question }) {
  const { draft, asked } = options
  const types = useTexts(COLUMN_DESK_TEXTS)
  const texts = useTexts(POINT_TEXTS)
  const { drift } = draft
  if (drift === null) return null
  const mayAccept = asked.publish !== null
  return (
    <Point kind={asked.kind} title={texts.drift}>
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
        {drift.changed.map((changed) => (
          <ChangedType key={changed.name} {...options} {...changed} />
        ))}
      </ul>
      {mayAccept && <Accept {...options} answer="accept_drift" label={texts.acceptDrift} />}
    </Point>
  )
}

/** A column with another type than it is served with, and the values that are the reason. */
function ChangedType({ draft, desk, name, from, to, values }: PointOptions & Drift['changed'][number]) {
  const types = useTexts(COLUMN_DESK_TEXTS)
  const texts = useTexts(POINT_TEXTS)
  const nulls = useTexts(NULL_TEXTS)
  const suspects = new Set(gatherSuspects(draft).map(({ value }) => value))
  const named = values.map(({ value, first_line: line }) =>
    line === null ? value : texts.onLine(value, line),
  )
  return (
    <li class="row">
      <span>
        {texts.changed(name, types[`type_${from}`], types[`type_${to}`])}
        {named.length > 0 && ` ${texts.cause(named.join(', '))}`}
      </span>
      {values.some(({ value }) => suspects.has(value)) && <a href="#nulls-title">{nulls.title}</a>}
      <SmallButton
        about={texts.keepTypeOf(name, types[`type_${from}`])}
        onPress={() => desk.decide(describeColumn(draft, name, { type: from }))}
      >
        {texts.keepType(types[`type_${from}`])}
      </SmallButton>
    </li>
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

/** What to check before publishing; nothing here prevents it. */
export function Advice({ draft, desk }: DraftViewOptions) {
  const language = useLanguage()
  const texts = useTexts(ADVICE_TEXTS)
  const report = tableReport(draft)
  if (report === undefined) return null
  const asked = Map.groupBy(draft.questions, ({ kind }) => kind)
  const [reading] = asked.get('reading') ?? []
  const [sheet] = asked.get('sheet') ?? []
  const notations = asked.get('notation')?.length ?? 0
  const columns = asked.get('null_values')?.length ?? 0
  const { quarantined } = report.rows
  const share = formatShare(language, Number(reading?.values.confidence))
  const items = [
    reading && <SeeReading text={texts.doubt(share)} link={texts.seeReading} />,
    sheet && (
      <SeeReading
        text={texts.sheets(Number(sheet.values.sheets), String(sheet.values.sheet))}
        link={texts.chooseSheet}
      />
    ),
    asked.has('totals') && (
      <li>
        {texts.totals}{' '}
        <SmallButton onPress={() => desk.decide({ read: { totals: 'leave_out' } })}>
          {texts.leaveTotals}
        </SmallButton>
      </li>
    ),
    notations > 0 && <See text={texts.notation(notations)} link={texts.seeNotation} at="notation-title" />,
    columns > 0 && <See text={texts.nulls(columns)} link={texts.seeNulls} at="nulls-title" />,
    quarantined > 0 && <See text={texts.quarantined(quarantined)} link={texts.seeRows} at="kept-title" />,
    ...report.warning_codes.map((warning, at) => {
      // Personal data have their own point.
      if (warning.code === 'personal_data') return null
      const text = sayWarning(language, warning)
      return (
        <li lang={text === null ? 'en' : undefined}>
          {text ?? asSentence(report.warnings[at] ?? '')}
          {warning.code === 'hidden' && <Hidden desk={desk} />}
        </li>
      )
    }),
  ].filter(Boolean)
  if (items.length === 0) return null
  return (
    <>
      <h3>{texts.title}</h3>
      <ul class="advice">{items}</ul>
    </>
  )
}

function See({ text, link, at }: { text: string; link: string; at: string }) {
  return (
    <li>
      {text} <a href={`#${at}`}>{link}</a>
    </li>
  )
}

/** Opens the reading options, which are closed at first, and leads there. */
function SeeReading({ text, link }: { text: string; link: string }) {
  const open = () => {
    const reading = document.getElementById('reading')
    reading?.setAttribute('open', '')
    reading?.querySelector('summary')?.focus()
  }
  return (
    <li>
      {text} <SmallButton onPress={open}>{link}</SmallButton>
    </li>
  )
}

function Hidden({ desk }: Pick<DraftViewOptions, 'desk'>) {
  const texts = useTexts(ADVICE_TEXTS)
  const decide = (hidden: boolean) => desk.decide({ read: { hidden } })
  return (
    <>
      {' '}
      <SmallButton onPress={() => decide(false)}>{texts.leaveHidden}</SmallButton>{' '}
      <SmallButton onPress={() => decide(true)}>{texts.readHidden}</SmallButton>
    </>
  )
}
