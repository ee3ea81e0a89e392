/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import type { DraftBody } from '../../../publish/drafts/describe-draft.ts'
import type { Answers } from '../../../publish/drafts/questions.ts'
import { accountLink } from '../../account/account-places.ts'
import { domainName } from '../../parts/domain-name.ts'
import { Fields } from '../../signed-in/fields.tsx'
import { Form } from '../../signed-in/form.tsx'
import { useLanguage, useTexts } from '../../signed-in/page-language.ts'
import { Section, SmallButton } from '../../signed-in/section.tsx'
import { StatusLine, useStatus } from '../../signed-in/status.tsx'
import { ACCOUNT_TEXTS } from '../../texts/account.ts'
import { ABOUT_TEXTS, DESK_TEXTS } from '../../texts/desk.ts'
import { DRAFT_TEXTS, KEPT_TEXTS } from '../../texts/desk-draft.ts'
import { formatBytes, formatNumber } from '../../texts/texts.ts'
import { AboutFields, changedTexts, DomainFields, differences, domainOf } from '../about-fields.tsx'
import { DESK_API, type DeskFacts, deskPath } from '../desk-places.ts'
import { RowList } from '../row-list.tsx'
import { ProgressBar } from '../upload.tsx'
import { ColumnsSection } from './columns.tsx'
import { isAtWork, isBeingRead, openPoints, tableReport } from './draft-facts.ts'
import { DraftOutcome, DraftRemoval } from './draft-outcome.tsx'
import { FileAndTable } from './file-and-table.tsx'
import { OpenPoints } from './open-points.tsx'
import { NullValues, ReadingOptions } from './reading-options.tsx'
import { type DraftViewOptions, useDraft } from './use-draft.ts'

const ID = /^[a-z0-9_]{1,64}$/
const ID_FIELD = [{ name: 'id', maxLength: 64, autoComplete: 'off' }] as const

export function DraftPage({ facts, id }: { facts: DeskFacts; id: string }) {
  const texts = useTexts(DRAFT_TEXTS)
  const desk = useDraft(id)
  const { draft, trouble } = desk
  return (
    <>
      <p class="crumbs">
        <a href={accountLink(facts, deskPath({ page: 'home' }))}>{useTexts(DESK_TEXTS).publish}</a>
      </p>
      <h1 class="file-name">{draft?.file.name ?? texts.title}</h1>
      <div role="alert">
        {trouble && (
          <p class="note bad">
            {trouble} <SmallButton onPress={desk.reload}>{useTexts(ACCOUNT_TEXTS).again}</SmallButton>
          </p>
        )}
      </div>
      {draft === undefined ? (
        trouble === undefined && <p class="soft waiting">{useTexts(ACCOUNT_TEXTS).loading}</p>
      ) : (
        <DraftBodyView facts={facts} desk={desk} draft={draft} />
      )}
    </>
  )
}

function DraftBodyView(options: DraftViewOptions) {
  const texts = useTexts(DRAFT_TEXTS)
  const { draft } = options
  if (draft.state === 'published' || draft.state === 'unchanged' || draft.state === 'failed')
    return <DraftOutcome {...options} />
  if (draft.state === 'publishing' || (draft.read === null && isAtWork(draft)))
    return (
      <Section class="card" id="progress-title" title={texts[draft.state as keyof Titles] ?? texts.reading}>
        <Progress draft={draft} />
        <p class="soft small">{texts.mayLeave}</p>
        {draft.state !== 'publishing' && <DraftRemoval {...options} label={texts.cancel} />}
      </Section>
    )
  return <Workbench {...options} />
}

function Workbench(options: DraftViewOptions) {
  const texts = useTexts(DRAFT_TEXTS)
  const [answers, setAnswers] = useState<Answers>({})
  const { draft } = options
  return (
    <>
      <PublishBar {...options} answers={answers} />
      <OpenPoints {...options} answers={answers} onAnswer={setAnswers} />
      <FileAndTable {...options} />
      <NullValues {...options} />
      <ReadingOptions {...options} />
      <ColumnsSection {...options} />
      <AboutForm {...options} />
      <KeptRows {...options} />
      <Section id="end-title" title={texts.end} text={texts.endText}>
        <div class="row">
          {tableReport(draft) !== undefined && (
            <a class="button" href={`${DESK_API}/drafts/${draft.id}/definition`} download>
              {texts.definition}
            </a>
          )}
          <DraftRemoval {...options} label={texts.removeDraft} />
        </div>
      </Section>
    </>
  )
}

function KeptRows({ draft }: DraftViewOptions) {
  const texts = useTexts(KEPT_TEXTS)
  const report = tableReport(draft)
  if (report === undefined || isBeingRead(draft)) return null
  const mended = report.repaired_sample.length > 0
  if (report.rows.quarantined === 0 && !mended) return null
  const path = `${DESK_API}/drafts/${draft.id}`
  const edition = String(draft.read?.revision)
  return (
    <section id="kept-rows" aria-labelledby="kept-title" tabIndex={-1}>
      <h2 id="kept-title">{texts.title}</h2>
      {report.rows.quarantined > 0 && <RowList kind="quarantine" path={path} edition={edition} />}
      {mended && <RowList kind="repaired" path={path} edition={edition} />}
    </section>
  )
}

function PublishBar({ draft, desk, answers }: DraftViewOptions & { answers: Answers }) {
  const texts = useTexts(DRAFT_TEXTS)
  const report = tableReport(draft)
  const points = openPoints(draft, answers)
  const isReady = draft.state === 'ready'
  const publish = () => {
    if (!isReady || desk.isBusy) return
    if (points.length > 0) return document.getElementById('points-title')?.focus()
    void desk.publish(answers)
  }
  return (
    <section class="desk-bar flow" aria-label={texts.publish}>
      <div role="status">
        {report !== undefined && (
          <strong>
            {texts.rows(report.rows.imported)}, {texts.columns(report.columns.length)}
          </strong>
        )}{' '}
        <Verdict draft={draft} count={points.length} />
      </div>
      {report !== undefined && (
        <button type="button" class="main" aria-disabled={!isReady || desk.isBusy} onClick={publish}>
          {texts.publish}
        </button>
      )}
      {isAtWork(draft) && isBeingRead(draft) && <Progress draft={draft} />}
    </section>
  )
}

function Verdict({ draft, count }: { draft: DraftViewOptions['draft']; count: number }) {
  const texts = useTexts(DRAFT_TEXTS)
  if (tableReport(draft) === undefined && draft.state === 'refused')
    return <span class="tag bad">{texts.noTable}</span>
  if (isAtWork(draft))
    return <span class="tag">{draft.read?.preview ? texts.previewed : texts.rereading}</span>
  if (count > 0) return <span class="tag warn">{texts.points(count)}</span>
  return <span class="tag good">{texts.ready}</span>
}

type Titles = Readonly<Record<'receiving' | 'waiting' | 'reading' | 'publishing', string>>

function Progress({ draft: { progress, state } }: { draft: DraftBody }) {
  const language = useLanguage()
  const texts = useTexts(DRAFT_TEXTS)
  if (progress === null)
    return <ProgressBar label={texts.progress} done={0} total={null} text={texts.starting} />
  const { phase, bytes, total_bytes: total, rows } = progress
  const size = (value: number) =>
    phase === 'writing' ? formatNumber(language, value) : formatBytes(language, value)
  const far = total === null ? size(bytes) : texts.of(size(bytes), size(total))
  const counted = rows > 0 && phase === 'reading' ? ` · ${texts.rows(rows)}` : ''
  const step = state === 'waiting' ? texts.starting : `${texts[`phase_${phase}`]}: ${far}${counted}`
  return <ProgressBar label={texts.progress} done={bytes} total={total} text={step} />
}

function AboutForm({ facts, desk, draft }: DraftViewOptions) {
  const language = useLanguage()
  const texts = useTexts(ABOUT_TEXTS)
  const status = useStatus()
  const { definition, dataset, served_version } = draft
  const isNew = served_version === null
  return (
    <Section
      class="card"
      id="about-heading"
      title={texts.title}
      text={isNew ? texts.newText : texts.editionText(dataset.id, domainName(language, dataset.domain ?? ''))}
    >
      <StatusLine status={status} />
      <Form
        id="about"
        submit={texts.save}
        tone="quiet"
        check={({ id = '' }) => (isNew && !ID.test(id.trim()) ? { id: texts.wrongId } : {})}
        send={async (values) => {
          status.say('')
          const place = { id: values.id?.trim() ?? dataset.id, domain: domainOf(values) }
          await desk.submit({
            ...changedTexts(values, definition),
            ...(isNew && differences(place, dataset)),
          })
          status.say(texts.saved)
        }}
      >
        <AboutFields facts={facts} said={{ ...definition, title: dataset.title ?? undefined }}>
          {isNew && (
            <>
              <DomainFields facts={facts} domain={dataset.domain} />
              <Fields texts={texts} values={dataset} rows={ID_FIELD} />
            </>
          )}
        </AboutFields>
      </Form>
    </Section>
  )
}
