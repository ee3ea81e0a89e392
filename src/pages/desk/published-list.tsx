/** @jsxImportSource preact */

/** The datasets that a publisher may change, with their state. */

import { useState } from 'preact/hooks'
import type { PublishedEntry } from '../../publish/published/published.ts'
import { accountLink } from '../account/places.ts'
import { domainName } from '../parts/domain-name.ts'
import { Table } from '../parts/table.tsx'
import { read } from '../signed-in/api.ts'
import { useLoaded, useReturn, WhenLoaded } from '../signed-in/loading.tsx'
import { Moment } from '../signed-in/moment.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { DESK_TEXTS } from '../texts/desk.ts'
import { formatNumber } from '../texts/format.ts'
import { FailureNote } from './failure-note.tsx'
import { FileButton } from './file-button.tsx'
import { DESK_API, type DeskFacts, deskPath } from './places.ts'
import type { Upload } from './use-upload.ts'

const PAGE = 50

interface PublishedPage {
  readonly data: readonly PublishedEntry[]
  readonly pagination: { readonly total: number; readonly has_next: boolean }
}

interface PublishedListOptions {
  readonly facts: DeskFacts
  readonly upload: Upload
}

export function PublishedList({ facts, upload }: PublishedListOptions) {
  const texts = useTexts(DESK_TEXTS)
  const [offset, setOffset] = useState(0)
  const loaded = useLoaded(
    () => read<PublishedPage>(`${DESK_API}/datasets?limit=${PAGE}&offset=${offset}`),
    String(offset),
  )
  useReturn(loaded.reload)
  return (
    <section aria-labelledby="datasets-title">
      <h2 id="datasets-title" tabIndex={-1}>
        {texts.datasets}
      </h2>
      <WhenLoaded loaded={loaded}>
        {({ data, pagination }) =>
          pagination.total === 0 ? (
            <p class="soft">{texts.noDatasets}</p>
          ) : (
            <>
              <PublishedTable facts={facts} upload={upload} datasets={data} />
              {pagination.total > PAGE && (
                <div class="row">
                  <button type="button" disabled={offset === 0} onClick={() => setOffset(offset - PAGE)}>
                    {texts.previous}
                  </button>
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
    </section>
  )
}

interface PublishedTableOptions extends PublishedListOptions {
  readonly datasets: readonly PublishedEntry[]
}

function PublishedTable({ facts, upload, datasets }: PublishedTableOptions) {
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
            {domainName(language, dataset.domain)} · {dataset.id}
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
            // The upload is shown at the top of the page.
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
