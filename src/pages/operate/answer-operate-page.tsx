/** @jsxImportSource preact */
/** The pages of the operators' desk below `/operate`. The server decides who may see them. */

import type { ComponentChildren } from 'preact'
import { accountHeaders } from '../../http/respond.ts'
import { respondPageWith } from '../layout/layout.tsx'
import { CodeBox } from '../parts/code-box.tsx'
import { PageLanguage, PageZone } from '../signed-in/page-language.ts'
import { EndService } from '../welcome/end-service.tsx'
import { showAccountPage, showAccounts } from './accounts.tsx'
import { showKeys } from './keys.tsx'
import { type Desk, FORM_FIELDS, given, OPERATE_PATHS, type OperateSection } from './operate-places.ts'
import { showOverview } from './overview.tsx'
import { showPlans } from './plans.tsx'
import { showAudit, showLogs } from './records.tsx'
import { showBackups, showDatasets, showSettings } from './service.tsx'
import { DONE_TEXTS, OPERATE_TEXTS } from './texts/operate-texts.ts'

const PAGES: Readonly<Record<OperateSection, (desk: Desk) => Promise<ComponentChildren>>> = {
  overview: showOverview,
  accounts: showAccounts,
  account: showAccountPage,
  keys: showKeys,
  plans: showPlans,
  datasets: showDatasets,
  backups: showBackups,
  settings: showSettings,
  audit: showAudit,
  logs: showLogs,
}

/** @param status that of the refusal, after a refused form @throws ApiError as the page's reads */
export async function answerOperatePage(desk: Desk, status = 200): Promise<Response> {
  const { section, view, session } = desk
  const texts = OPERATE_TEXTS[view.language]
  const tab = section === 'account' ? 'accounts' : section
  const contents = await PAGES[section](desk)
  const sections = Object.keys(OPERATE_PATHS).filter((name) => name !== 'account') as (typeof tab)[]
  return respondPageWith(view, status, accountHeaders(view.exchange), {
    title: texts[tab],
    section: 'operate',
    scripts: ['copy.js'],
    isPrivate: true,
    body: (
      <PageLanguage.Provider value={view.language}>
        <PageZone.Provider value="UTC">
          <p class="crumbs">{texts.heading}</p>
          <h1>{texts[tab]}</h1>
          <nav class="tabs flow" aria-label={texts.sections}>
            {sections.map((name) => (
              <a href={view.link(OPERATE_PATHS[name])} aria-current={name === tab ? 'page' : undefined}>
                {texts[name]}
              </a>
            ))}
            <a href={view.link('/operate/setup')}>{texts.setup}</a>
          </nav>
          <div class="operate">
            <Done desk={desk} />
            {contents}
            <p class="small soft">{texts.utc}</p>
            {section === 'overview' && <EndService view={view} session={session} />}
          </div>
        </PageZone.Provider>
      </PageLanguage.Provider>
    ),
  })
}

/** The result of the last form, with anything that is shown only once. */
function Done({ desk }: { desk: Desk }) {
  const { view, sent } = desk
  const texts = OPERATE_TEXTS[view.language]
  const said: Readonly<Record<string, string>> = DONE_TEXTS[view.language]
  const once = sent?.answer.secret ?? sent?.answer.password_link ?? null
  if (once !== null)
    return (
      <section class="note good" aria-labelledby="once" tabIndex={-1} autofocus>
        <h2 id="once">{sent?.answer.secret === undefined ? texts.linkOnce : texts.secretOnce}</h2>
        <p>{sent?.answer.secret === undefined ? texts.linkOnceText : texts.secretOnceText}</p>
        <CodeBox language={view.language} label={texts.shownOnce} text={once} />
        {desk.params.account === String(desk.session.userId) && <a href={once}>{texts.openLink}</a>}
      </section>
    )
  const done = given(desk, [FORM_FIELDS.done]).done
  if (sent !== null || !Object.hasOwn(said, done)) return null
  return (
    <p class="note good" role="status">
      {said[done]}
    </p>
  )
}
