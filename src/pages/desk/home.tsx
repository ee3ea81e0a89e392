/** @jsxImportSource preact */

/** `/publish`: a file to publish, drafts, and the datasets that the publisher may change. */

import type { DraftSummary } from '../../publish/drafts/describe-draft.ts'
import type { DraftState } from '../../store/catalog/drafts.ts'
import { accountLink } from '../account/places.ts'
import { Table } from '../parts/table.tsx'
import { change, read } from '../signed-in/api.ts'
import { Dialog } from '../signed-in/dialog.tsx'
import { type Loaded, useLoaded, useReturn, WhenLoaded } from '../signed-in/loading.tsx'
import { Moment } from '../signed-in/moment.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import { useFocusLater, useQuestion } from '../signed-in/status.tsx'
import { DESK_TEXTS } from '../texts/desk.ts'
import { UPLOAD_TEXTS } from '../texts/desk-upload.ts'
import { DESK_API, type DeskFacts, deskPath } from './places.ts'
import { PublishedList } from './published-list.tsx'
import { UploadBox } from './upload-box.tsx'
import { useUpload } from './use-upload.ts'

const TONES: Partial<Record<DraftState, string>> = {
  ready: 'warn',
  refused: 'bad',
  failed: 'bad',
  published: 'good',
  unchanged: 'good',
}

/** The guide of publishing, where it speaks of this page. */
const GUIDE = '/docs/guides/publishing'
const GUIDE_SECTION = '#publish-on-the-page'

export function Home({ facts }: { facts: DeskFacts }) {
  const texts = useTexts(DESK_TEXTS)
  const upload = useUpload(facts)
  const drafts = useLoaded(() => read<DraftSummary[]>(`${DESK_API}/drafts`))
  useReturn(drafts.reload)
  return (
    <>
      <div class="row spread">
        <h1>{texts.publish}</h1>
        <a href={accountLink(facts, GUIDE) + GUIDE_SECTION}>{texts.guide}</a>
      </div>
      <UploadBox facts={facts} upload={upload} title={UPLOAD_TEXTS[facts.language].title} />
      <DraftList facts={facts} drafts={drafts} />
      <PublishedList facts={facts} upload={upload} />
    </>
  )
}

function DraftList({ facts, drafts }: { facts: DeskFacts; drafts: Loaded<DraftSummary[]> }) {
  const texts = useTexts(DESK_TEXTS)
  const question = useQuestion<DraftSummary>()
  const focusLater = useFocusLater()
  return (
    <section aria-labelledby="drafts-title">
      <h2 id="drafts-title" tabIndex={-1}>
        {texts.drafts}
      </h2>
      <WhenLoaded loaded={drafts}>
        {(list) =>
          list.length === 0 ? (
            <p class="soft">{texts.noDrafts}</p>
          ) : (
            <DraftTable facts={facts} list={list} onRemove={question.ask} />
          )
        }
      </WhenLoaded>
      {question.open && (
        <Dialog
          id="remove-draft"
          title={texts.removeDraftTitle(question.open.file.name)}
          text={texts.removeDraftText}
          submit={texts.remove}
          tone="danger"
          onClose={question.close}
          send={async () => {
            await change('DELETE', `${DESK_API}/drafts/${question.open?.id}`)
            await drafts.reload()
            return () => focusLater('drafts-title')
          }}
        />
      )}
    </section>
  )
}

interface DraftTableOptions {
  readonly facts: DeskFacts
  readonly list: readonly DraftSummary[]
  readonly onRemove: (draft: DraftSummary) => void
}

function DraftTable({ facts, list, onRemove }: DraftTableOptions) {
  const texts = useTexts(DESK_TEXTS)
  return (
    <Table
      label={texts.drafts}
      head={[texts.file, texts.dataset, texts.state, texts.changed, texts.actions]}
      hasRowHeads
      rows={list.map((draft) => [
        <a key="file" href={accountLink(facts, deskPath({ page: 'draft', id: draft.id }))}>
          {draft.file.name}
        </a>,
        draft.dataset.title ?? draft.dataset.id,
        <DraftTag key="state" state={draft.state} />,
        <Moment key="changed" at={draft.changed_at} />,
        draft.state !== 'publishing' && (
          <button
            key="remove"
            type="button"
            class="small"
            aria-label={`${texts.remove}: ${draft.file.name}`}
            onClick={() => onRemove(draft)}
          >
            {texts.remove}
          </button>
        ),
      ])}
    />
  )
}

/** The state of a draft in a word. */
function DraftTag({ state }: { state: DraftState }) {
  const texts = useTexts(DESK_TEXTS)
  return <span class={`tag ${TONES[state] ?? ''}`}>{texts[`state_${state}`]}</span>
}
