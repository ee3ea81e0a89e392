import type { Plan } from '../../accounts/keys/plans.ts'
import type { Language } from '../../base/text/language.ts'
import { safeBase } from '../../interop/addresses.ts'
import type { View } from '../layout/view.ts'
import { Table } from '../parts/table.tsx'
import { DOCS_TEXTS } from '../texts/site.ts'
import { formatNumber } from '../texts/texts.ts'
import type { Example } from './example.ts'
import { fillIn, type Heading } from './markdown.tsx'

export function splitAtBlocks(html: string): string[] {
  return html.split(/(<p>\{\{(?:note|plans|codes)\}\}<\/p>)/)
}

interface PieceProps {
  readonly piece: string
  readonly view: View
  readonly example: Example
  readonly headings: readonly Heading[]
  readonly plans: readonly Plan[]
}

export function Piece({ piece, view, example, headings, plans }: PieceProps) {
  const { language } = view
  const texts = DOCS_TEXTS[language]
  if (piece === '<p>{{note}}</p>') return example.isMadeUp ? <p class="note">{texts.madeUp}</p> : null
  if (piece === '<p>{{codes}}</p>')
    return (
      <nav aria-label={texts.allCodes}>
        <ul class="codes bare flow">
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
  if (piece === '<p>{{plans}}</p>') return <Plans plans={plans} language={language} />
  // The Markdown is the program's own; values are escaped as they are filled in.
  const html = fillIn(piece, { ...example.values, base: safeBase(view.base) })
  return <div dangerouslySetInnerHTML={{ __html: html }} />
}

/** Plans with a limit; a plan without any is for the operator. */
function limited(plans: readonly Plan[]): Plan[] {
  return plans.filter((plan) => plan.monthly_quota !== null || plan.per_minute !== null)
}

function Plans({ plans, language }: { plans: readonly Plan[]; language: Language }) {
  const texts = DOCS_TEXTS[language]
  const show = (limit: number | null) => (limit === null ? texts.noLimit : formatNumber(language, limit))
  return (
    <Table
      label={texts.plans}
      head={[texts.plan, [texts.monthlyQuota], [texts.activeKeys], [texts.perMinute]]}
      hasRowHeads
      rows={limited(plans).map(({ name, monthly_quota, max_active_keys, per_minute }) => [
        name,
        show(monthly_quota),
        show(max_active_keys),
        show(per_minute),
      ])}
    />
  )
}

export function planMarkdown(plans: readonly Plan[], language: Language): string {
  const texts = DOCS_TEXTS[language]
  const rows = limited(plans).map(({ name, monthly_quota, max_active_keys, per_minute }) =>
    [name, ...[monthly_quota, max_active_keys, per_minute].map((limit) => limit ?? texts.noLimit)].join(
      ' | ',
    ),
  )
  const head = [texts.plan, texts.monthlyQuota, texts.activeKeys, texts.perMinute].join(' | ')
  return [head, '--- | --- | --- | ---', ...rows].map((row) => `| ${row} |`).join('\n')
}
