/** @jsxImportSource preact */

/** `/publish/drafts/{id}`: a file on its way to becoming an edition. */

import { useState } from 'preact/hooks'
import type { Answers } from '../../publish/drafts/answers.ts'
import { accountLink } from '../account/places.ts'
import { useTexts } from '../signed-in/page-language.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { DESK_TEXTS } from '../texts/desk.ts'
import { DRAFT_TEXTS } from '../texts/desk-draft.ts'
import { AboutForm } from './about-form.tsx'
import { ColumnsSection } from './columns-section.tsx'
import { DraftEnd } from './draft-end.tsx'
import { isAtWork } from './draft-facts.ts'
import { DraftOutcome } from './draft-outcome.tsx'
import { DraftProgress } from './draft-progress.tsx'
import type { DraftViewOptions } from './draft-view.ts'
import { FileAndTable } from './file-and-table.tsx'
import { KeptRows } from './kept-rows.tsx'
import { NullValues } from './null-values.tsx'
import { OpenPoints } from './open-points.tsx'
import { type DeskFacts, deskPath } from './places.ts'
import { PublishBar } from './publish-bar.tsx'
import { ReadingOptions } from './reading-options.tsx'
import { useDraft } from './use-draft.ts'

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
            {trouble}{' '}
            <button type="button" class="small" onClick={() => void desk.reload()}>
              {useTexts(ACCOUNT_TEXTS).again}
            </button>
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
  const { draft } = options
  if (draft.state === 'published' || draft.state === 'unchanged' || draft.state === 'failed')
    return <DraftOutcome {...options} />
  if (draft.state === 'publishing' || (draft.read === null && isAtWork(draft)))
    return <DraftProgress {...options} />
  return <Workbench {...options} />
}

function Workbench(options: DraftViewOptions) {
  const [answers, setAnswers] = useState<Answers>({})
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
      <DraftEnd {...options} />
    </>
  )
}
