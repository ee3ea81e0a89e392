/** @jsxImportSource preact */
/** What keeps a draft from being published, in words, each with the control that answers it; then what to check. */

import type { Language } from '../../../base/text/language.ts'
import type { Answers } from '../../../publish/drafts/questions.ts'
import type { IngestReport } from '../../../publish/edition/compose-report.ts'
import type { PersonalColumn } from '../../../read/report/decisions.ts'
import { OriginalMessage } from '../../parts/code-box.tsx'
import { Field, Form } from '../../signed-in/form.tsx'
import { useLanguage, useTexts } from '../../signed-in/page-language.ts'
import { Button, SmallButton } from '../../signed-in/section.tsx'
import { useFocusLater } from '../../signed-in/status.tsx'
import { ABOUT_TEXTS } from '../../texts/desk.ts'
import { POINT_TEXTS } from '../../texts/desk-points.ts'
import { DomainFields, domainOf } from '../about-fields.tsx'
import { asSentence, Paragraphs, ReasonTexts, sayReasons, sayWarning } from '../reasons.tsx'
import { dropColumn } from './column-changes.ts'
import { type OpenPoint, openPoints, tableReport } from './draft-facts.ts'
import { Accept, Advice, DriftPoint, Point, type PointOptions } from './points.tsx'
import type { DraftViewOptions } from './use-draft.ts'

const TITLE_FIELD = { maxLength: 500, autoComplete: 'off', optional: true } as const
const MODES = ['replace', 'append'] as const

export function OpenPoints(options: PointOptions) {
  const { draft, answers } = options
  const texts = useTexts(POINT_TEXTS)
  const report = tableReport(draft)
  // Those that are answered stay, so that an answer can be taken back.
  const all = openPoints(draft, {})
  const isOpen = openPoints(draft, answers).length > 0 || report === undefined
  return (
    <section class="card points" aria-labelledby="points-title">
      <h2 id="points-title" tabIndex={-1}>
        {isOpen ? texts.title : texts.none}
      </h2>
      <EditionChoice {...options} />
      {report === undefined && <UnreadPoint {...options} />}
      {all.includes('outdated') && (
        <Point title={texts.outdated}>
          <p>{texts.outdatedText}</p>
          <Button onPress={() => options.desk.decide({})}>{texts.readAgain}</Button>
        </Point>
      )}
      {all.includes('domain') && <DomainPoint {...options} />}
      {(all.includes('drift') || all.includes('append_drift')) && <DriftPoint {...options} />}
      {acceptable(texts, report).map(
        ([refusal, answer, label, title, text]) =>
          all.includes(refusal) && (
            <Point key={refusal} title={title}>
              {text && (
                <p>
                  {text} {answer.startsWith('max_') && <a href="#kept-rows">{texts.seeRows}</a>}
                </p>
              )}
              <Accept {...options} answer={answer} label={label} />
            </Point>
          ),
      )}
      {all.includes('duplicate_key') && <DuplicatesPoint {...options} />}
      <PersonalPoint {...options} />
      <Advice {...options} />
    </section>
  )
}

/** Refusals that a yes is enough for, in the order in which they are asked. */
function acceptable(texts: (typeof POINT_TEXTS)[Language], report: IngestReport | undefined) {
  const { quarantined = 0, read = 0 } = report?.rows ?? {}
  const title = texts.quarantine(quarantined, read)
  return [
    ['empty', 'accept_drift', texts.acceptEmpty, texts.empty, ''],
    ['too_few_rows', 'accept_shrink', texts.acceptShrink, texts.fewRows, texts.fewRowsText],
    ['quarantine', 'max_quarantine', texts.acceptQuarantine, title, texts.quarantineText],
    ['too_many_mended', 'max_mended', texts.acceptMended, texts.mended, texts.mendedText],
  ] as const satisfies readonly (readonly [OpenPoint, keyof Answers, ...string[]])[]
}

function EditionChoice({ draft, desk }: DraftViewOptions) {
  const texts = useTexts(POINT_TEXTS)
  const { dataset, served_version: version, definition } = draft
  if (version === null) return <p>{texts.newDataset(dataset.title ?? dataset.id)}</p>
  const chosen = definition.mode ?? 'replace'
  const append = tableReport(draft)?.append
  return (
    <>
      <p>{texts.edition(dataset.title ?? dataset.id, version)}</p>
      <fieldset class="checks">
        <legend>{texts.modeText}</legend>
        {MODES.map((mode) => (
          <label key={mode} class="check">
            <input
              type="radio"
              name="mode"
              checked={chosen === mode}
              onChange={() => void desk.decide({ mode })}
            />
            <span>{texts[`mode_${mode}`]}</span>
          </label>
        ))}
      </fieldset>
      {append && <p class="small soft">{texts.appended(append.rows, append.replaced)}</p>}
    </>
  )
}

function UnreadPoint({ draft }: PointOptions) {
  const language = useLanguage()
  const texts = useTexts(POINT_TEXTS)
  const { problem, report } = draft
  if (problem !== null) {
    return (
      <Point title={texts.unfit}>
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
    <Point title={isUnsure ? texts.unsure : texts.unread}>
      <Paragraphs texts={reasons} />
      {original !== null && <p>{isUnsure ? texts.unsureText : texts.unreadText}</p>}
      <OriginalMessage language={language} said={{ text: '', original }} />
    </Point>
  )
}

/**
 * Columns that seem to hold data about people: published knowingly, or left out. Those that keep the file from being
 * published come first; the others are only to be checked.
 */
function PersonalPoint(options: PointOptions) {
  const texts = useTexts(POINT_TEXTS)
  const report = tableReport(options.draft)
  const refused = report?.refusals.flatMap(({ columns = [] }) => columns) ?? []
  const found = report?.personal_data.filter(({ acknowledged }) => !acknowledged) ?? []
  const isRefused = ({ column }: PersonalColumn) => refused.includes(column)
  if (found.length === 0) return null
  return (
    <Point title={texts.personal}>
      <Columns {...options} text={texts.personalText} found={found.filter(isRefused)} />
      <Columns {...options} text={texts.personalAdvice} found={found.filter((one) => !isRefused(one))} />
    </Point>
  )
}

type ColumnsOptions = PointOptions & { readonly text: string; readonly found: readonly PersonalColumn[] }

function Columns({ draft, desk, text, found }: ColumnsOptions) {
  const texts = useTexts(POINT_TEXTS)
  const language = useLanguage()
  const allow = (columns: readonly PersonalColumn[]) => {
    const names = columns.map(({ column }) => column)
    void desk.decide({ personal_data: [...(draft.definition.personal_data ?? []), ...names] })
  }
  if (found.length === 0) return null
  return (
    <>
      <p>{text}</p>
      <ul class="checks">
        {found.map((one) => (
          <li key={one.column} class="row">
            <span>
              {sayWarning(language, {
                code: 'personal_data',
                values: { column: one.column, kind: one.kind, rows: one.rows },
              })}
            </span>
            <SmallButton
              about={texts.leaveOutOf(one.column)}
              onPress={() => desk.decide(dropColumn(draft, one.column))}
            >
              {texts.leaveOut}
            </SmallButton>
            <SmallButton about={texts.allowOf(one.column)} onPress={() => allow([one])}>
              {texts.allow}
            </SmallButton>
          </li>
        ))}
      </ul>
      {found.length > 1 && <SmallButton onPress={() => allow(found)}>{texts.allowAll}</SmallButton>}
    </>
  )
}

function DomainPoint({ facts, desk, draft }: PointOptions) {
  const texts = useTexts(POINT_TEXTS)
  const focusLater = useFocusLater()
  const about = useTexts(ABOUT_TEXTS)
  const choose = about.domainMissing
  return (
    <Point title={texts.domain}>
      <Form
        id="domain"
        submit={texts.chooseDomain}
        check={(values) => (domainOf(values) === null ? { domain: choose, other_domain: choose } : {})}
        send={async (values) => {
          const title = values.title?.trim()
          await desk.submit({ domain: domainOf(values), ...(title && { title }) })
          focusLater('points-title')
        }}
      >
        <p>{texts.domainText}</p>
        <div class="pair">
          <DomainFields facts={facts} domain={null} />
          {draft.served_version === null && (
            <Field name="title" label={about.name} value={draft.dataset.title ?? ''} {...TITLE_FIELD} />
          )}
        </div>
      </Form>
    </Point>
  )
}

function DuplicatesPoint({ draft, desk }: PointOptions) {
  const texts = useTexts(POINT_TEXTS)
  const columns = tableReport(draft)?.columns ?? []
  return (
    <Point title={texts.duplicates}>
      <p>{texts.duplicatesText}</p>
      <Form
        id="replace-where"
        submit={texts.replaceWhere}
        tone="quiet"
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
