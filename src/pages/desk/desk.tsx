/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import type { DraftSummary } from '../../publish/drafts/describe-draft.ts'
import type { PublishedEntry } from '../../publish/published/published.ts'
import type { DraftState } from '../../store/catalog/drafts.ts'
import { accountLink, ROOT_ID } from '../account/account-places.ts'
import { domainName } from '../parts/domain-name.ts'
import { Table } from '../parts/table.tsx'
import { type Loaded, useRead, useReturn, WhenLoaded } from '../signed-in/loading.tsx'
import { Moment } from '../signed-in/moments.tsx'
import { PageLanguage, useLanguage, useTexts } from '../signed-in/page-language.ts'
import { Button, Section } from '../signed-in/section.tsx'
import { useFocusLater, useKeptFocus } from '../signed-in/status.tsx'
import { DESK_TEXTS } from '../texts/desk.ts'
import { UPLOAD_TEXTS } from '../texts/desk-draft.ts'
import { formatNumber } from '../texts/texts.ts'
import { DESK_API, type DeskFacts, deskPath } from './desk-places.ts'
import { DraftRemoval } from './draft/draft-outcome.tsx'
import { DraftPage } from './draft/draft-page.tsx'
import { DatasetPage } from './published/published-page.tsx'
import { FailureNote } from './reasons.tsx'
import { FileButton, type Upload, UploadBox, useUpload } from './upload.tsx'

const PAGE = 50

const TONES: Partial<Record<DraftState, string>> = {
  ready: 'warn',
  refused: 'bad',
  failed: 'bad',
  published: 'good',
  unchanged: 'good',
}

const GUIDE = '/docs/guides/publishing'

export function Desk({ facts }: { facts: DeskFacts }) {
  useKeptFocus(ROOT_ID)
  const { place } = facts
  return (
    <PageLanguage.Provider value={facts.language}>
      {place.page === 'home' && <Home facts={facts} />}
      {place.page === 'draft' && <DraftPage facts={facts} id={place.id} />}
      {place.page === 'dataset' && <DatasetPage facts={facts} id={place.id} />}
    </PageLanguage.Provider>
  )
}

function Home({ facts }: { facts: DeskFacts }) {
  const texts = useTexts(DESK_TEXTS)
  const upload = useUpload(facts)
  const drafts = useRead<DraftSummary[]>(`${DESK_API}/drafts`)
  useReturn(drafts.reload)
  return (
    <>
      <div class="row spread">
        <h1>{texts.publish}</h1>
        <a href={`${accountLink(facts, GUIDE)}#publish-on-the-page`}>{texts.guide}</a>
      </div>
      <UploadBox facts={facts} upload={upload} title={UPLOAD_TEXTS[facts.language].title} />
      <DraftList facts={facts} drafts={drafts} />
      <PublishedList facts={facts} upload={upload} />
    </>
  )
}

function DraftList({ facts, drafts }: { facts: DeskFacts; drafts: Loaded<DraftSummary[]> }) {
  const texts = useTexts(DESK_TEXTS)
  const focusLater = useFocusLater()
  const onRemoved = () => void drafts.reload().then(() => focusLater('drafts-title'))
  return (
    <Section id="drafts-title" title={texts.drafts}>
      <WhenLoaded loaded={drafts}>
        {(list) =>
          list.length === 0 ? (
            <p class="soft">{texts.noDrafts}</p>
          ) : (
            <Table
              label={texts.drafts}
              head={[texts.file, texts.dataset, texts.state, texts.changed, texts.actions]}
              hasRowHeads
              rows={list.map((draft) => [
                <a key="file" href={accountLink(facts, deskPath({ page: 'draft', id: draft.id }))}>
                  {draft.file.name}
                </a>,
                draft.dataset.title ?? draft.dataset.id,
                <span key="state" class={`tag ${TONES[draft.state] ?? ''}`}>
                  {texts[`state_${draft.state}`]}
                </span>,
                <Moment key="changed" at={draft.changed_at} />,
                draft.state !== 'publishing' && (
                  <DraftRemoval
                    key={draft.id}
                    draft={draft}
                    class="small"
                    about={`${texts.remove}: ${draft.file.name}`}
                    onRemoved={onRemoved}
                  />
                ),
              ])}
            />
          )
        }
      </WhenLoaded>
    </Section>
  )
}

interface PublishedListOptions {
  readonly facts: DeskFacts
  readonly upload: Upload
}

function PublishedList({ facts, upload }: PublishedListOptions) {
  const texts = useTexts(DESK_TEXTS)
  const [offset, setOffset] = useState(0)
  const loaded = useRead<{
    data: readonly PublishedEntry[]
    pagination: { total: number; has_next: boolean }
  }>(`${DESK_API}/datasets?limit=${PAGE}&offset=${offset}`)
  useReturn(loaded.reload)
  return (
    <Section id="datasets-title" title={texts.datasets}>
      <WhenLoaded loaded={loaded}>
        {({ data, pagination }) =>
          pagination.total === 0 ? (
            <p class="soft">{texts.noDatasets}</p>
          ) : (
            <>
              <PublishedTable facts={facts} upload={upload} datasets={data} />
              {pagination.total > PAGE && (
                <div class="row">
                  <Button disabled={offset === 0} onPress={() => setOffset(offset - PAGE)}>
                    {texts.previous}
                  </Button>
                  <button
                    type="button"
                    disabled={!pagination.has_next}
                    onClick={() => setOffset(offset + PAGE)}
                  >
                    {texts.next}
                  </button>
                </div>
              )}
            </>
          )
        }
      </WhenLoaded>
    </Section>
  )
}

function PublishedTable(options: PublishedListOptions & { datasets: readonly PublishedEntry[] }) {
  const { facts, upload, datasets } = options
  const language = useLanguage()
  const texts = useTexts(DESK_TEXTS)
  return (
    <Table
      label={texts.datasets}
      head={[
        texts.dataset,
        texts.state,
        [texts.rowCount],
        texts.lastEdition,
        texts.nextRefresh,
        texts.actions,
      ]}
      hasRowHeads
      rows={datasets.map((dataset) => [
        <span key="name">
          <a href={accountLink(facts, deskPath({ page: 'dataset', id: dataset.id }))}>{dataset.title}</a>
          <span class="small soft source">
            {domainName(facts, dataset.domain)} · {dataset.id}
          </span>
        </span>,
        <State key="state" dataset={dataset} />,
        formatNumber(language, dataset.row_count),
        <span key="edition">
          <Moment at={dataset.last_updated} />
          <span class="small soft source">{texts.version(dataset.version)}</span>
        </span>,
        dataset.next_refresh_at === null ? (
          <span key="next" class="soft">
            {texts.byHand}
          </span>
        ) : (
          <Moment key="next" at={dataset.next_refresh_at} />
        ),
        <FileButton
          key="edition"
          label={texts.newEdition}
          about={dataset.title}
          tone="small"
          onFile={(file) => {
            // The progress is shown at the top of the page.
            scrollTo({ top: 0 })
            upload.start(file, dataset.id)
          }}
        />,
      ])}
    />
  )
}

function State({ dataset: { open, last_failure: failure } }: { dataset: PublishedEntry }) {
  const texts = useTexts(DESK_TEXTS)
  return (
    <>
      <span class={failure === null ? 'tag good' : 'tag bad'}>
        {failure === null ? texts.served : texts.lastFailed}
      </span>{' '}
      {!open && <span class="tag">{texts.closed}</span>}
      {failure !== null && <FailureNote failure={failure} />}
    </>
  )
}
