/** @jsxImportSource preact */

/** What of the service itself goes into a guide: plans, codes, a note, and examples with their values. */

import type { AccountsDb } from '../../db/accounts.ts'
import { safeBase } from '../../interop/addresses.ts'
import { listPlans, type Plan } from '../../keys/plans.ts'
import type { Language } from '../../mail/language.ts'
import { formatNumber } from '../parts/format.ts'
import { ScrollBox } from '../parts/scroll-box.tsx'
import { DOCS_TEXTS } from '../texts/docs.ts'
import type { View } from '../view.ts'
import type { Example } from './example.ts'
import { fillIn, type Heading } from './markdown.tsx'

/** The text between places where something of the service goes, and the names of those places. */
export function splitAtBlocks(html: string): string[] {
  return html.split(/(<p>\{\{(?:note|plans|codes)\}\}<\/p>)/)
}

interface PieceProps {
  readonly piece: string
  readonly view: View
  readonly example: Example
  readonly headings: readonly Heading[]
}

export function Piece({ piece, view, example, headings }: PieceProps) {
  const { language, exchange } = view
  const texts = DOCS_TEXTS[language]
  if (piece === '<p>{{note}}</p>') return example.isMadeUp ? <p class="note">{texts.madeUp}</p> : null
  if (piece === '<p>{{codes}}</p>') return <Codes headings={headings} title={texts.allCodes} />
  if (piece === '<p>{{plans}}</p>')
    return <Plans plans={listPlans(exchange.service.accounts)} language={language} />
  // Our own Markdown; the values of others are escaped as they are put in.
  const html = fillIn(piece, { ...example.values, base: safeBase(view.base) })
  return <div dangerouslySetInnerHTML={{ __html: html }} />
}

function Codes({ headings, title }: { headings: readonly Heading[]; title: string }) {
  return (
    <nav aria-label={title}>
      <ul class="codes">
        {headings
          .filter(({ depth }) => depth === 3)
          .map(({ anchor }) => (
            <li>
              <a href={`#${anchor}`}>
                <code>{anchor}</code>
              </a>
            </li>
          ))}
      </ul>
    </nav>
  )
}

/** Plans with a limit; one without is the operator's own. */
function limited(plans: readonly Plan[]): Plan[] {
  return plans.filter((plan) => plan.monthly_quota !== null || plan.per_minute !== null)
}

function Plans({ plans, language }: { plans: readonly Plan[]; language: Language }) {
  const texts = DOCS_TEXTS[language]
  const show = (limit: number | null) => (limit === null ? texts.noLimit : formatNumber(language, limit))
  return (
    <ScrollBox label={texts.plans}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.plan}</th>
            <th scope="col" class="number">
              {texts.monthlyQuota}
            </th>
            <th scope="col" class="number">
              {texts.activeKeys}
            </th>
            <th scope="col" class="number">
              {texts.perMinute}
            </th>
          </tr>
        </thead>
        <tbody>
          {limited(plans).map((plan) => (
            <tr>
              <th scope="row">{plan.name}</th>
              <td class="number">{show(plan.monthly_quota)}</td>
              <td class="number">{show(plan.max_active_keys)}</td>
              <td class="number">{show(plan.per_minute)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

/** The plans as a table for programs. */
export function planMarkdown(db: AccountsDb, language: Language): string {
  const texts = DOCS_TEXTS[language]
  const rows = limited(listPlans(db)).map(({ name, monthly_quota, max_active_keys, per_minute }) =>
    [name, ...[monthly_quota, max_active_keys, per_minute].map((limit) => limit ?? texts.noLimit)].join(
      ' | ',
    ),
  )
  const head = [texts.plan, texts.monthlyQuota, texts.activeKeys, texts.perMinute].join(' | ')
  return [head, '--- | --- | --- | ---', ...rows].map((row) => `| ${row} |`).join('\n')
}
