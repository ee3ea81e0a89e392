/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { type Answers, tableReport } from '../../../publish/drafts/questions.ts'
import { accountLink } from '../../account/account-places.ts'
import { useTexts } from '../../signed-in/page-language.ts'
import { Section, SmallButton } from '../../signed-in/section.tsx'
import { ACCOUNT_TEXTS } from '../../texts/account.ts'
import { DESK_TEXTS } from '../../texts/desk.ts'
import { DRAFT_TEXTS } from '../../texts/desk-draft.ts'
import { DESK_API, type DeskFacts, deskPath, goHome } from '../desk-places.ts'
import { ReasonTexts } from '../reasons.tsx'
import { RowLists } from '../row-list.tsx'
import { AboutForm, useEdition } from './about-form.tsx'
import { ColumnsSection } from './columns.tsx'
import { type Accepted, aboutAnswer, answersOf, isAtWork, isBeingRead } from './draft-facts.ts'
import { DraftOutcome, DraftRemoval } from './draft-outcome.tsx'
import { FileAndTable } from './file-and-table.tsx'
import { Notations } from './notations.tsx'
import { OpenPoints } from './open-points.tsx'
import { Progress, PublishBar } from './publish-bar.tsx'
import { NullValues, ReadingOptions } from './reading-options.tsx'
import { type DraftViewOptions, useDraft } from './use-draft.ts'
import { useTyping } from './use-typing.ts'

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
      <Section
        class="card"
        id="progress-title"
        title={draft.state === 'refused' || draft.state === 'ready' ? texts.reading : texts[draft.state]}
      >
        <Progress draft={draft} />
        <p class="soft small">{texts.mayLeave}</p>
        {draft.state !== 'publishing' && (
          <DraftRemoval draft={draft} label={texts.cancel} onRemoved={() => goHome(options.facts)} />
        )}
      </Section>
    )
  return <Workbench {...options} />
}

function Workbench(options: DraftViewOptions) {
  const texts = useTexts(DRAFT_TEXTS)
  const { draft, desk } = options
  const [accepted, accept] = useState<Accepted>({})
  const answers = answersOf(accepted, draft.questions)
  const onAnswer = (field: keyof Answers, isGiven: boolean) => {
    const { [field]: _, ...others } = accepted
    accept(isGiven ? { ...others, [field]: aboutAnswer(draft.questions, field) } : others)
  }
  const typing = useTyping(options)
  const edition = useEdition({ desk, typing })
  const report = tableReport(draft)
  const path = `${DESK_API}/drafts/${draft.id}`
  const counts = { quarantine: report?.rows.quarantined ?? 0, repaired: report?.repaired_sample.length ?? 0 }
  const kinds = (['quarantine', 'repaired'] as const).filter((kind) => counts[kind] > 0)
  return (
    <>
      <PublishBar {...options} answers={answers} typing={typing} onFlush={edition.flush} />
      {draft.state === 'ready' && draft.problem !== null && desk.trouble === undefined && (
        <div class="note bad" role="alert">
          <ReasonTexts problem={draft.problem} />
        </div>
      )}
      <OpenPoints {...options} answers={answers} onAnswer={onAnswer} onChoose={edition.choose} />
      <AboutForm {...options} typing={typing} edition={edition} />
      <FileAndTable {...options} />
      <Notations {...options} />
      <NullValues {...options} />
      <ReadingOptions {...options} />
      <ColumnsSection {...options} />
      {report !== undefined && !isBeingRead(draft) && (
        <RowLists path={path} edition={String(draft.read?.revision)} kinds={kinds} />
      )}
      <Section id="end-title" title={texts.end} text={texts.endText}>
        <div class="row">
          {report !== undefined && (
            <a class="button" href={`${path}/definition`} download>
              {texts.definition}
            </a>
          )}
          <DraftRemoval draft={draft} label={texts.removeDraft} onRemoved={() => goHome(options.facts)} />
        </div>
      </Section>
    </>
  )
}
