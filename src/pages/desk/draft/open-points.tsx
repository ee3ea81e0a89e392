/** @jsxImportSource preact */
/** The questions of a draft in words, each with the control that answers it; then what to check. */

import type { ComponentChildren } from 'preact'
import type { Language } from '../../../base/text/language.ts'
import {
  openQuestions,
  type Question,
  type QuestionKind,
  tableReport,
} from '../../../publish/drafts/questions.ts'
import type { PersonalColumn } from '../../../read/report/decisions.ts'
import { OriginalMessage } from '../../parts/code-box.tsx'
import { Form } from '../../signed-in/form.tsx'
import { useLanguage, useTexts } from '../../signed-in/page-language.ts'
import { Button, Section, SmallButton } from '../../signed-in/section.tsx'
import { POINT_TEXTS } from '../../texts/desk-points.ts'
import { asSentence, Paragraphs, ReasonTexts, sayReasons, sayWarning } from '../reasons.tsx'
import { dropColumn } from './column-changes.ts'
import { Accept, Advice, DriftPoint, Point, type PointOptions } from './points.tsx'
import { QuestionLink } from './publish-bar.tsx'

/** The view of each kind of question, in the order of the table; advice is a separate list. */
const VIEWS: Readonly<
  Record<QuestionKind, ((options: PointOptions & { asked: Question }) => ComponentChildren) | null>
> = {
  unread: UnreadPoint,
  outdated: OutdatedPoint,
  edition: EditionPoint,
  domain: DomainPoint,
  personal_data: PersonalPoint,
  drift: DriftPoint,
  append_drift: DriftPoint,
  empty: AcceptPoint,
  too_few_rows: AcceptPoint,
  quarantine: AcceptPoint,
  too_many_mended: AcceptPoint,
  duplicate_key: DuplicatesPoint,
  reading: null,
  sheet: null,
  totals: null,
  hidden: null,
  notation: null,
  null_values: null,
}

export function OpenPoints(options: PointOptions) {
  const { draft, answers } = options
  const texts = useTexts(POINT_TEXTS)
  // Questions that are answered with the request stay, so that an answer can be taken back.
  const asked = new Map(draft.questions.toReversed().map((question) => [question.kind, question]))
  const isOpen = openQuestions(draft.questions, answers).length > 0
  const views = (Object.keys(VIEWS) as QuestionKind[]).flatMap((kind) => {
    const [View, question] = [VIEWS[kind], asked.get(kind)]
    return View === null || question === undefined ? [] : [<View key={kind} {...options} asked={question} />]
  })
  return (
    <Section class="card points" id="points-title" title={isOpen ? texts.title : texts.none}>
      {views}
      <Advice {...options} />
    </Section>
  )
}

function OutdatedPoint({ desk }: PointOptions) {
  const texts = useTexts(POINT_TEXTS)
  return (
    <Point kind="outdated" title={texts.outdated}>
      <p>{texts.outdatedText}</p>
      <Button onPress={() => desk.decide({})}>{texts.readAgain}</Button>
    </Point>
  )
}

function DomainPoint({ asked }: { asked: Question }) {
  const texts = useTexts(POINT_TEXTS)
  return (
    <Point kind="domain" title={texts.domain}>
      <p>
        <QuestionLink question={asked}>{texts.domainText}</QuestionLink>
      </p>
    </Point>
  )
}

/** A new file with the columns of an existing dataset. */
function EditionPoint({ draft, onChoose }: PointOptions) {
  const texts = useTexts(POINT_TEXTS)
  const [first] = draft.candidates
  if (first === undefined) return null
  return (
    <div class="note point" id="question-edition" tabIndex={-1}>
      <h3>{texts.edition(first.title)}</h3>
      <p>{texts.editionText(first.share)}</p>
      <Button onPress={() => onChoose(first.id)}>{texts.isEdition(first.title)}</Button>
    </div>
  )
}

/** A question that only needs a yes. */
function AcceptPoint(options: PointOptions & { asked: Question }) {
  const { asked } = options
  const texts = useTexts(POINT_TEXTS)
  const said = acceptable(texts, asked.values)
  const [title, text, label] = said[asked.kind as keyof typeof said]
  if (asked.publish === null) return null
  return (
    <Point kind={asked.kind} title={title}>
      {text && (
        <p>
          {text} {asked.publish.startsWith('max_') && <a href="#kept-title">{texts.seeRows}</a>}
        </p>
      )}
      <Accept {...options} answer={asked.publish} label={label} />
    </Point>
  )
}

/** Title, text and label of the yes. */
function acceptable(texts: (typeof POINT_TEXTS)[Language], { rows, of }: Question['values']) {
  return {
    empty: [texts.empty, '', texts.acceptEmpty],
    too_few_rows: [texts.fewRows, texts.fewRowsText, texts.acceptShrink],
    quarantine: [texts.quarantine(Number(rows), Number(of)), texts.quarantineText, texts.acceptQuarantine],
    too_many_mended: [texts.mended, texts.mendedText, texts.acceptMended],
  } as const satisfies Partial<Record<QuestionKind, readonly string[]>>
}

function UnreadPoint({ draft }: PointOptions) {
  const language = useLanguage()
  const texts = useTexts(POINT_TEXTS)
  const { problem, report } = draft
  if (problem !== null) {
    return (
      <Point kind="unread" title={texts.unfit}>
        <ReasonTexts problem={problem} />
      </Point>
    )
  }
  const [refusal] = report?.refusals ?? []
  if (refusal === undefined) return null
  const isUnsure = refusal.kind === 'unsure'
  const reasons = sayReasons(language, 'reasons' in refusal ? refusal.reasons : [])
  const original = reasons.length > 0 ? null : asSentence(refusal.message)
  return (
    <Point kind="unread" title={isUnsure ? texts.unsure : texts.unread}>
      <Paragraphs texts={reasons} />
      {original !== null && <p>{isUnsure ? texts.unsureText : texts.unreadText}</p>}
      <OriginalMessage language={language} said={{ text: '', original }} />
    </Point>
  )
}

/**
 * Columns that seem to hold data about people, to be published knowingly or left out. Those that block publishing come
 * first; the others are only to be checked. Answered ones stay, so that the answer can be changed.
 */
function PersonalPoint(options: PointOptions) {
  const { draft } = options
  const texts = useTexts(POINT_TEXTS)
  const asked = draft.questions.filter(({ kind }) => kind === 'personal_data')
  const gated = new Set(asked.flatMap(({ gate, column }) => (gate ? [column] : [])))
  if (asked.length === 0) return null
  const found = tableReport(draft)?.personal_data ?? []
  const groups = [
    [texts.personalText, found.filter(({ column }) => gated.has(column))],
    [texts.personalAdvice, found.filter(({ column }) => !gated.has(column))],
  ] as const
  return (
    <Point kind="personal_data" title={texts.personal}>
      {groups.map(
        ([text, columns]) =>
          columns.length > 0 && (
            <div key={text}>
              <p>{text}</p>
              <ul class="checks">
                {columns.map((one) => (
                  <PersonalAnswer key={one.column} {...options} found={one} />
                ))}
              </ul>
            </div>
          ),
      )}
    </Point>
  )
}

function PersonalAnswer({ draft, desk, found }: PointOptions & { found: PersonalColumn }) {
  const texts = useTexts(POINT_TEXTS)
  const { column, kind, rows, acknowledged } = found
  const said = sayWarning(useLanguage(), { code: 'personal_data', values: { column, kind, rows } })
  const allowed = draft.definition.personal_data ?? []
  return (
    <li>
      <span>{said}</span>
      <span class="row">
        <SmallButton about={texts.leaveOutOf(column)} onPress={() => desk.decide(dropColumn(draft, column))}>
          {texts.leaveOut}
        </SmallButton>
        {acknowledged ? (
          <span class="tag good">{texts.isAllowed}</span>
        ) : (
          <SmallButton
            about={texts.allowOf(column)}
            onPress={() => desk.decide({ personal_data: [...allowed, column] })}
          >
            {texts.allow}
          </SmallButton>
        )}
      </span>
    </li>
  )
}

function DuplicatesPoint({ draft, desk }: PointOptions) {
  const texts = useTexts(POINT_TEXTS)
  const columns = tableReport(draft)?.columns ?? []
  return (
    <Point kind="duplicate_key" title={texts.duplicates}>
      <p>{texts.duplicatesText}</p>
      <Form
        id="replace-where"
        submit={texts.replaceWhere}
        tone="small"
        send={async (values) => {
          const chosen = columns.flatMap(({ name }) => (values[`column-${name}`] === undefined ? [] : [name]))
          await desk.submit({ replace_where: chosen.length === 0 ? null : chosen })
        }}
      >
        <fieldset class="checks">
          <legend>{texts.replaceWhereText}</legend>
          {columns.map(({ name }) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                name={`column-${name}`}
                defaultChecked={draft.definition.replace_where?.includes(name) ?? false}
              />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
      </Form>
      <Button onPress={() => desk.decide({ mode: 'replace' })}>{texts.replaceAll}</Button>
    </Point>
  )
}
