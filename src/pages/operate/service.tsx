/** @jsxImportSource preact */
/** Datasets and their use, backups, and settings. */

import type { describeSettings } from '../../base/config/load.ts'
import type { Pagination } from '../../base/pagination.ts'
import type { PublishedEntry } from '../../publish/published/published.ts'
import type { UseReport } from '../../publish/published/use.ts'
import type { DeskWork } from '../../upkeep/desk-work.ts'
import { FailureNote } from '../desk/reasons.tsx'
import { domainName } from '../parts/domain-name.ts'
import { Fact } from '../parts/fact.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../signed-in/moments.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { formatBytes, formatNumber } from '../texts/texts.ts'
import { type Desk, given } from './operate-places.ts'
import { OperationForm } from './operation-form.tsx'
import { PagesOfList } from './pages-of-list.tsx'
import { BACKUPS_TEXTS, DATASETS_TEXTS, SETTINGS_TEXTS } from './texts/service-texts.ts'

const DAYS = 30
const MOST = '10000'

export async function showDatasets(desk: Desk) {
  const { view } = desk
  const { language, link } = view
  const texts = DATASETS_TEXTS[language]
  const [{ data, pagination }, report] = await Promise.all([
    desk.read<{ data: readonly PublishedEntry[]; pagination: Pagination }>(
      'listOperatedDatasets',
      given(desk, ['limit', 'offset']),
    ),
    desk.read<UseReport>('readUseOfService', { by: 'dataset', days: String(DAYS), limit: MOST }),
  ])
  const uses = new Map(report.data.map((use) => [use.dataset, use]))
  const number = (value: number | undefined) => formatNumber(language, value ?? 0)
  return (
    <>
      <p class="lead">
        {texts.lead(DAYS, number(report.total.calls), formatBytes(language, report.total.bytes))}
      </p>
      {data.length > 0 && (
        <Table
          label={texts.list}
          head={[
            texts.dataset,
            texts.domain,
            [texts.version],
            [texts.calls],
            [texts.rows],
            texts.next,
            texts.state,
          ]}
          hasRowHeads
          rows={data.map((one) => [
            <a key="id" href={link(`/publish/datasets/${one.id}`)}>
              {one.title}
            </a>,
            domainName(view, one.domain),
            one.version,
            number(uses.get(one.id)?.calls),
            number(uses.get(one.id)?.rows),
            one.next_refresh_at === null ? '–' : <Moment key="next" at={one.next_refresh_at} />,
            <DatasetState key="state" entry={one} />,
          ])}
        />
      )}
      <PagesOfList desk={desk} pagination={pagination} />
    </>
  )
}

function DatasetState({ entry }: { entry: PublishedEntry }) {
  const texts = useTexts(DATASETS_TEXTS)
  if (entry.last_failure !== null) return <FailureNote failure={entry.last_failure} />
  return <span class="tag">{entry.open ? texts.open : texts.withKey}</span>
}

export async function showBackups(desk: Desk) {
  const backups = await desk.read<ReturnType<DeskWork['backups']>>('listBackups')
  const { language, link } = desk.view
  const texts = BACKUPS_TEXTS[language]
  const { folder, schedule, keep, running, last, failed, data } = backups
  return (
    <>
      <dl class="facts">
        <Fact name={texts.folder}>{folder === null ? texts.noFolder : <code>{folder}</code>}</Fact>
        <Fact name={texts.schedule}>{schedule === null ? texts.noSchedule : <code>{schedule}</code>}</Fact>
        <Fact name={texts.kept}>{keep}</Fact>
        <Fact name={texts.last}>
          <Moment at={last?.at ?? null} /> {last !== null && <code>{last.target}</code>}
        </Fact>
      </dl>
      {failed !== null && (
        <div class="note bad">
          <p>
            {texts.failed} <Moment at={failed.at} />
          </p>
          <p lang="en">{failed.error}</p>
        </div>
      )}
      {running && (
        <p class="note" role="status">
          {texts.running} <a href={link('/operate/backups')}>{texts.refresh}</a>
        </p>
      )}
      {folder === null ? (
        <p>
          <a class="button" href={link('/operate/setup#backup')}>
            {texts.setUp}
          </a>
        </p>
      ) : (
        !running && <OperationForm desk={desk} operation="makeBackup" submit={texts.make} tone="main" />
      )}
      <BackupTable backups={data} />
    </>
  )
}

function BackupTable({ backups }: { backups: ReturnType<DeskWork['backups']>['data'] }) {
  const texts = useTexts(BACKUPS_TEXTS)
  const language = useLanguage()
  if (backups.length === 0) return <p class="soft">{texts.none}</p>
  return (
    <Table
      label={texts.list}
      head={[texts.name, texts.at, [texts.files], [texts.size], texts.damaged]}
      hasRowHeads
      rows={backups.map(({ name, at, files, bytes, damaged }) => [
        <code key="name">{name}</code>,
        <Moment key="at" at={at} />,
        formatNumber(language, files),
        formatBytes(language, bytes),
        damaged.length === 0 ? texts.whole : <span class="tag bad">{damaged.join(', ')}</span>,
      ])}
    />
  )
}

export async function showSettings(desk: Desk) {
  const settings = await desk.read<ReturnType<typeof describeSettings>>('listSettings')
  const texts = SETTINGS_TEXTS[desk.view.language]
  const isSet = ({ origin }: (typeof settings)[number]) => origin !== 'default'
  return (
    <>
      <p class="lead">{texts.lead}</p>
      {[true, false].map((wanted) => {
        const shown = settings.filter((setting) => isSet(setting) === wanted)
        return (
          shown.length > 0 && (
            <section aria-labelledby={`set-${wanted}`}>
              <h2 id={`set-${wanted}`}>{wanted ? texts.changed : texts.unchanged}</h2>
              <Table
                label={wanted ? texts.changed : texts.unchanged}
                head={[texts.name, texts.value, texts.origin, texts.help]}
                hasRowHeads
                rows={shown.map(({ name, written, origin, help }) => [
                  <code key="name">{name}</code>,
                  written === null ? texts.nothing : <code key="value">{written}</code>,
                  origin === 'default' ? texts.default : <code key="origin">{origin}</code>,
                  <span key="help" lang="en" class="small">
                    {help}
                  </span>,
                ])}
              />
            </section>
          )
        )
      })}
    </>
  )
}
