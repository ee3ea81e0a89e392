/** @jsxImportSource preact */

/** `/publish/datasets/{id}`: what can be done with a published dataset. */

import type { PublishedDataset } from '../../publish/published/published.ts'
import { accountLink } from '../account/places.ts'
import { domainName } from '../parts/domain-name.ts'
import { read } from '../signed-in/api.ts'
import { type Loaded, useLoaded, useReturn, WhenLoaded } from '../signed-in/loading.tsx'
import { Moment } from '../signed-in/moment.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { type Status, StatusLine, useStatus } from '../signed-in/status.tsx'
import { DESK_TEXTS } from '../texts/desk.ts'
import { DATASET_DESK_TEXTS } from '../texts/desk-dataset.ts'
import { UPLOAD_TEXTS } from '../texts/desk-upload.ts'
import { DatasetTexts } from './dataset-texts.tsx'
import type { DatasetViewOptions } from './dataset-view.ts'
import { FailureNote } from './failure-note.tsx'
import { PagesSwitch } from './pages-switch.tsx'
import { DESK_API, type DeskFacts, deskPath } from './places.ts'
import { RecordLists } from './record-lists.tsx'
import { Removal } from './removal.tsx'
import { ScheduleSection } from './schedule-section.tsx'
import { UploadBox } from './upload-box.tsx'
import { UseSection } from './use-section.tsx'
import { useUpload } from './use-upload.ts'
import { VersionsSection } from './versions-section.tsx'

export function DatasetPage({ facts, id }: { facts: DeskFacts; id: string }) {
  const path = `${DESK_API}/datasets/${id}`
  const loaded = useLoaded(() => read<PublishedDataset>(path))
  const status = useStatus()
  useReturn(loaded.reload)
  return (
    <>
      <p class="crumbs">
        <a href={accountLink(facts, deskPath({ page: 'home' }))}>{useTexts(DESK_TEXTS).publish}</a>
      </p>
      <h1 class="file-name">{loaded.value?.title ?? id}</h1>
      <WhenLoaded loaded={loaded}>
        {(dataset) => (
          <DatasetView facts={facts} dataset={dataset} path={path} loaded={loaded} status={status} />
        )}
      </WhenLoaded>
    </>
  )
}

interface DatasetShelf extends Omit<DatasetViewOptions, 'onDone'> {
  readonly loaded: Loaded<PublishedDataset>
  readonly status: Status
}

function DatasetView({ facts, dataset, path, loaded, status }: DatasetShelf) {
  const texts = useTexts(UPLOAD_TEXTS)
  const upload = useUpload(facts)
  const options: DatasetViewOptions = {
    ...{ facts, dataset, path },
    onDone(text) {
      void loaded.reload().then(() => status.say(text))
    },
  }
  return (
    <>
      <Summary facts={facts} dataset={dataset} />
      <StatusLine status={status} />
      <UploadBox facts={facts} upload={upload} title={texts.titleEdition} dataset={dataset.id} />
      <DatasetTexts {...options} />
      <VersionsSection {...options} />
      <RecordLists {...options} />
      <ScheduleSection {...options} />
      <UseSection {...options} />
      <PagesSwitch {...options} />
      <Removal {...options} />
    </>
  )
}

function Summary({ facts, dataset }: Pick<DatasetViewOptions, 'facts' | 'dataset'>) {
  const language = useLanguage()
  const texts = useTexts(DATASET_DESK_TEXTS)
  const { id, domain, row_count, provenance, last_failure: failure } = dataset
  return (
    <>
      <p class="meta">
        <span>{domainName(language, domain)}</span>
        <span>
          {texts.summary(row_count, provenance.ingestion_version)} <Moment at={provenance.imported_at} />
        </span>
        <a href={accountLink(facts, `/datasets/${id}`)}>{texts.see}</a>
      </p>
      {failure !== null && (
        <div class="note bad">
          <FailureNote failure={failure} />
        </div>
      )}
    </>
  )
}
