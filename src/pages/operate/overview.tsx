/** @jsxImportSource preact */
/** The first page of the desk: what needs attention first, then the service in figures. */

import { ApiError } from '../../base/errors.ts'
import type { Pagination } from '../../base/pagination.ts'
import { listFailed } from '../../publish/published/published.ts'
import type { DeskWork, Finding } from '../../upkeep/desk-work.ts'
import { FailureNote } from '../desk/reasons.tsx'
import { BoxedFact } from '../parts/fact.tsx'
import { Moment } from '../signed-in/moments.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { formatNumber } from '../texts/texts.ts'
import { type Desk, OPERATE_PATHS } from './operate-places.ts'
import { OPERATE_TEXTS } from './texts/operate-texts.ts'
import { CHECK_TEXTS, OVERVIEW_TEXTS } from './texts/service-texts.ts'

interface Examined {
  readonly at: string
  readonly findings: readonly Finding[]
}

/** Steps of the setup that carry out a remedy, by check. */
const STEPS_OF_CHECKS: Readonly<Record<string, string>> = { backups: 'backup', mail: 'mail' }
const TONES = { problem: 'bad', warning: 'warn', note: '' } as const

export async function showOverview(desk: Desk) {
  const { link, app } = desk.view
  const page = { limit: '1' }
  const [examined, accounts, keys, backups] = await Promise.all([
    desk.read<Examined>('listFindings').catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'service_unavailable') return error
      throw error
    }),
    desk.read<{ readonly pagination: Pagination }>('listAccounts', page),
    desk.read<{ readonly pagination: Pagination }>('listAllKeys', page),
    desk.read<ReturnType<DeskWork['backups']>>('listBackups'),
  ])
  const failed = listFailed(app.catalog)
  return (
    <>
      <Attention examined={examined} failed={failed} link={link} failedBackup={backups.failed} />
      <Figures
        link={link}
        counts={[
          ['accounts', accounts.pagination.total],
          ['keys', keys.pagination.total],
          ['datasets', app.catalog.totals().datasets],
        ]}
        lastBackup={backups.last?.at ?? null}
      />
    </>
  )
}

interface AttentionOptions {
  readonly examined: Examined | ApiError
  readonly failed: ReturnType<typeof listFailed>
  readonly failedBackup: ReturnType<DeskWork['backups']>['failed']
  readonly link: (path: string) => string
}

function Attention({ examined, failed, failedBackup, link }: AttentionOptions) {
  const texts = useTexts(OVERVIEW_TEXTS)
  const findings = examined instanceof ApiError ? [] : examined.findings
  const inState = (wanted: Finding['state']) => findings.filter(({ state }) => state === wanted)
  const urgent = [...inState('problem'), ...inState('warning')]
  const notes = inState('note')
  const count = urgent.length + notes.length
  const isFine = count + failed.length === 0 && failedBackup === null && !(examined instanceof ApiError)
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">{texts.attention}</h2>
      {isFine && <p class="note good">{texts.fine}</p>}
      {examined instanceof ApiError && (
        <div class="note warn">
          <p>{texts.notExamined}</p>
          <p lang="en">{examined.message}</p>
        </div>
      )}
      <ul class="bare">
        {urgent.map((finding) => (
          <FoundItem finding={finding} link={link} />
        ))}
        {failedBackup !== null && (
          <li class="note bad">
            <p>
              <a href={link(OPERATE_PATHS.backups)}>{texts.backupFailed}</a> <Moment at={failedBackup.at} />
            </p>
            <p lang="en">{failedBackup.error}</p>
          </li>
        )}
        {failed.map(({ id, failure, title }) => (
          <li class="note warn">
            <h3>{title === null ? id : <a href={link(`/publish/datasets/${id}`)}>{title}</a>}</h3>
            <FailureNote failure={failure} isOpen />
          </li>
        ))}
        {notes.map((finding) => (
          <FoundItem finding={finding} link={link} />
        ))}
      </ul>
      {!(examined instanceof ApiError) && (
        <p class="small soft">
          {texts.examined} <Moment at={examined.at} />. {count > 0 && texts.inEnglish}
        </p>
      )}
    </section>
  )
}

function FoundItem({ finding, link }: { finding: Finding } & Pick<AttentionOptions, 'link'>) {
  const { check, state, what, why, remedy } = finding
  const texts = useTexts(OVERVIEW_TEXTS)
  const checks: Readonly<Record<string, string>> = useTexts(CHECK_TEXTS)
  const { setup } = useTexts(OPERATE_TEXTS)
  const step = STEPS_OF_CHECKS[check]
  if (state === 'ok') return null
  return (
    <li class={`note ${TONES[state]}`}>
      <p>
        <span class={`tag ${TONES[state]}`}>{texts[state]}</span> <strong>{checks[check] ?? check}</strong>
      </p>
      <p lang="en">
        {what} {why}
      </p>
      {remedy !== null && (
        <p>
          {texts.remedy} <code lang="en">{remedy}</code>{' '}
          {step && <a href={link(`/operate/setup#${step}`)}>{setup}</a>}
        </p>
      )}
    </li>
  )
}

interface FiguresOptions {
  readonly link: (path: string) => string
  readonly counts: readonly (readonly ['accounts' | 'keys' | 'datasets', number])[]
  readonly lastBackup: string | null
}

function Figures({ link, counts, lastBackup }: FiguresOptions) {
  const texts = useTexts(OVERVIEW_TEXTS)
  const language = useLanguage()
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">{texts.figures}</h2>
      <dl class="figures flow">
        {counts.map(([name, count]) => (
          <BoxedFact name={<a href={link(OPERATE_PATHS[name])}>{texts[name]}</a>}>
            {formatNumber(language, count)}
          </BoxedFact>
        ))}
        <BoxedFact name={<a href={link(OPERATE_PATHS.backups)}>{texts.lastBackup}</a>}>
          <Moment at={lastBackup} />
        </BoxedFact>
      </dl>
    </section>
  )
}
