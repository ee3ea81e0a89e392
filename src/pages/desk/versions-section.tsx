/** @jsxImportSource preact */

/** The kept versions of a dataset: any of them can be served, and any two compared. */

import { useState } from 'preact/hooks'
import type { KeptVersion } from '../../publish/published/published.ts'
import { Table } from '../parts/table.tsx'
import { change, read } from '../signed-in/api.ts'
import { Dialog } from '../signed-in/dialog.tsx'
import { Choice } from '../signed-in/form.tsx'
import { useLoaded, WhenLoaded } from '../signed-in/loading.tsx'
import { Moment } from '../signed-in/moment.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { useQuestion } from '../signed-in/status.tsx'
import { VERSION_TEXTS } from '../texts/desk-versions.ts'
import { formatNumber } from '../texts/format.ts'
import type { DatasetViewOptions } from './dataset-view.ts'
import { VersionDifference } from './version-difference.tsx'

export function VersionsSection(options: DatasetViewOptions) {
  const { dataset, path } = options
  const texts = useTexts(VERSION_TEXTS)
  const served = dataset.provenance.ingestion_version
  const loaded = useLoaded(() => read<KeptVersion[]>(`${path}/versions`), String(served))
  return (
    <section aria-labelledby="versions-title">
      <h2 id="versions-title">{texts.title}</h2>
      <p class="soft">{texts.text}</p>
      <WhenLoaded loaded={loaded}>
        {(versions) => (
          <>
            <VersionTable {...options} versions={versions} />
            {versions.length > 1 && <Comparison path={path} versions={versions} />}
          </>
        )}
      </WhenLoaded>
    </section>
  )
}

interface VersionTableOptions extends DatasetViewOptions {
  readonly versions: readonly KeptVersion[]
}

function VersionTable({ versions, path, onDone }: VersionTableOptions) {
  const language = useLanguage()
  const texts = useTexts(VERSION_TEXTS)
  const question = useQuestion<number>()
  return (
    <>
      <Table
        label={texts.title}
        head={[texts.version, texts.published, texts.file, [texts.rows], [texts.leftOut], texts.state]}
        hasRowHeads
        rows={versions.map(({ version, served, rows, quarantined, imported_at, source_file }) => [
          version,
          <Moment key="at" at={imported_at} />,
          source_file,
          formatNumber(language, rows),
          formatNumber(language, quarantined),
          served ? (
            <span key="served" class="tag good">
              {texts.served}
            </span>
          ) : (
            <button
              key="serve"
              type="button"
              class="small"
              aria-label={texts.serveOf(version)}
              onClick={() => question.ask(version)}
            >
              {texts.serve}
            </button>
          ),
        ])}
      />
      {question.open !== undefined && (
        <Dialog
          id="serve"
          title={texts.serveTitle(question.open)}
          text={texts.serveText}
          submit={texts.serve}
          onClose={question.close}
          send={async () => {
            await change('POST', `${path}/versions/${question.open}/serve`)
            return () => onDone(texts.isServed(question.open ?? 0))
          }}
        />
      )}
    </>
  )
}

/** Two versions side by side. */
function Comparison({ path, versions }: { path: string; versions: readonly KeptVersion[] }) {
  const texts = useTexts(VERSION_TEXTS)
  const [newest, before] = versions.map(({ version }) => String(version)) as [string, string]
  const [from, setFrom] = useState(before)
  const [to, setTo] = useState(newest)
  const [shown, show] = useState<{ readonly from: string; readonly to: string }>()
  const choices = versions.map(({ version }) => [String(version), texts.numbered(version)] as const)
  return (
    <>
      <h3>{texts.compare}</h3>
      <div class="row choices compare">
        <Choice
          id="compare-from"
          name="from"
          label={texts.from}
          value={from}
          choices={choices}
          onChoose={setFrom}
        />
        <Choice id="compare-to" name="to" label={texts.to} value={to} choices={choices} onChoose={setTo} />
        <button type="button" aria-disabled={from === to} onClick={() => from !== to && show({ from, to })}>
          {texts.showDifference}
        </button>
      </div>
      {shown && <VersionDifference path={path} {...shown} />}
    </>
  )
}
