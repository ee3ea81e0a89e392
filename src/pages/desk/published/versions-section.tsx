/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import type { VersionDiff } from '../../../publish/edition/version-diff.ts'
import type { KeptVersion } from '../../../publish/published/published.ts'
import { Table, TitledTable } from '../../parts/table.tsx'
import { change } from '../../signed-in/api.ts'
import { AskButton } from '../../signed-in/dialog.tsx'
import { Choice } from '../../signed-in/form.tsx'
import { useRead, WhenLoaded } from '../../signed-in/loading.tsx'
import { Moment } from '../../signed-in/moments.tsx'
import { useLanguage, useTexts } from '../../signed-in/page-language.ts'
import { Section } from '../../signed-in/section.tsx'
import { VERSION_TEXTS } from '../../texts/desk.ts'
import { COLUMN_DESK_TEXTS } from '../../texts/desk-columns.ts'
import { formatNumber, formatShare } from '../../texts/texts.ts'
import type { DatasetViewOptions } from '../desk-places.ts'

export function VersionsSection(options: DatasetViewOptions) {
  const { dataset, path } = options
  const texts = useTexts(VERSION_TEXTS)
  const served = dataset.provenance.ingestion_version
  const loaded = useRead<KeptVersion[]>(`${path}/versions`, served)
  return (
    <Section id="versions-title" title={texts.title} text={texts.text}>
      <WhenLoaded loaded={loaded}>
        {(versions) => (
          <>
            <VersionTable {...options} versions={versions} />
            {versions.length > 1 && <Comparison path={path} versions={versions} />}
          </>
        )}
      </WhenLoaded>
    </Section>
  )
}

function VersionTable({ versions, path, onDone }: DatasetViewOptions & { versions: readonly KeptVersion[] }) {
  const language = useLanguage()
  const texts = useTexts(VERSION_TEXTS)
  return (
    <Table
      label={texts.title}
      head={[texts.version, texts.published, texts.file, [texts.rows], [texts.quarantined], texts.state]}
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
          <AskButton
            key={version}
            id="serve"
            class="small"
            about={texts.serveOf(version)}
            title={texts.serveTitle(version)}
            text={texts.serveText}
            submit={texts.serve}
            send={async () => {
              await change('POST', `${path}/versions/${version}/serve`)
              return () => onDone(texts.isServed(version))
            }}
          />
        ),
      ])}
    />
  )
}

function Comparison({ path, versions }: { path: string; versions: readonly KeptVersion[] }) {
  const texts = useTexts(VERSION_TEXTS)
  const [newest, before] = versions.map(({ version }) => String(version)) as [string, string]
  const [from, setFrom] = useState(before)
  const [to, setTo] = useState(newest)
  const [shown, show] = useState<{ readonly from: string; readonly to: string }>()
  const choices = versions.map(({ version }) => [String(version), texts.numbered(version)] as const)
  const choice = (name: 'from' | 'to', value: string, onChoose: (version: string) => void) => (
    <Choice
      id={`compare-${name}`}
      name={name}
      value={value}
      choices={choices}
      onChoose={onChoose}
      label={texts[name]}
    />
  )
  return (
    <>
      <h3>{texts.compare}</h3>
      <div class="row compare">
        {choice('from', from, setFrom)}
        {choice('to', to, setTo)}
        <button type="button" aria-disabled={from === to} onClick={() => from !== to && show({ from, to })}>
          {texts.showDifference}
        </button>
      </div>
      {shown && <VersionDifference path={path} {...shown} />}
    </>
  )
}

function VersionDifference(options: { path: string; from: string; to: string }) {
  const { path, from, to } = options
  const loaded = useRead<VersionDiff>(`${path}/versions/${to}/diff?with=${from}`)
  return (
    <div aria-live="polite" class="difference">
      <WhenLoaded loaded={loaded}>{(diff) => <Difference diff={diff} />}</WhenLoaded>
    </div>
  )
}

function Difference({ diff }: { diff: VersionDiff }) {
  const types = useTexts(COLUMN_DESK_TEXTS)
  const language = useLanguage()
  const texts = useTexts(VERSION_TEXTS)
  const number = (value: number) => formatNumber(language, value)
  const { from, to, overlap } = diff
  const about = overlap.sampled > 1 ? texts.about : ''
  const { added, removed, changed } = diff.columns
  const retyped = changed.filter(({ field }) => field === 'type')
  const typeName = (type: string | boolean | null) => types[`type_${type as 'string'}`]
  return (
    <>
      <p>
        <strong>{texts.between(from.version, to.version)}</strong> {diff.same_source && texts.sameSource}
      </p>
      <ul>
        <li>{texts.rowsMoved(number(from.rows), number(to.rows))}</li>
        {overlap.rows !== null && (
          <li>
            {about}
            {texts.overlap(number(overlap.rows.kept), number(overlap.rows.gone), number(overlap.rows.new))}
          </li>
        )}
        {overlap.keys !== null && (
          <li>
            {about}
            {texts.keys(overlap.keys.columns.join(', '), number(overlap.keys.gone), number(overlap.keys.new))}
          </li>
        )}
        {added.length + removed.length + changed.length === 0 && <li>{texts.sameColumns}</li>}
        {added.map(({ name }) => (
          <li key={`+${name}`}>{texts.added(name)}</li>
        ))}
        {removed.map(({ name }) => (
          <li key={`-${name}`}>{texts.removed(name)}</li>
        ))}
        {retyped.map(({ column, from, to }) => (
          <li key={column}>{texts.retyped(column, typeName(from), typeName(to))}</li>
        ))}
      </ul>
      <TitledTable
        label={texts.values}
        head={[texts.column, [texts.missing], [texts.distinct]]}
        rows={diff.statistics
          .filter(({ notable }) => notable)
          .map(({ column, null_share: missing, distinct }) => [
            <code key="column">{column}</code>,
            `${formatShare(language, missing.from)} → ${formatShare(language, missing.to)}`,
            `${number(distinct.from)} → ${number(distinct.to)}`,
          ])}
      />
    </>
  )
}
