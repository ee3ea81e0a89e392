/** @jsxImportSource preact */
import { listPlans, type Plan } from '../../accounts/keys/plans.ts'
import { ApiError } from '../../base/errors.ts'
import type { Language } from '../../base/text/language.ts'
import { notModified, weakEtag } from '../../http/etag.ts'
import { PUBLIC_HEADERS } from '../../http/headers.ts'
import { respondCompressed } from '../../http/respond.ts'
import { safeBase } from '../../interop/addresses.ts'
import { respondPage } from '../layout/layout.tsx'
import type { View } from '../layout/view.ts'
import { DOCS_TEXTS } from '../texts/docs.ts'
import { formatNumber } from '../texts/texts.ts'
import { type Example, findExample } from './example.ts'
import { bodyOf, GUIDES, GUIDES_PATH, type Guide, leadOf, titleOf } from './guides.ts'
import { fillIn, type Heading, plainMarkdown, type RenderedGuide, renderMarkdown } from './markdown.tsx'

/** Answers `GET /docs/guides`. */
export function answerGuideIndex(view: View): Response {
  const texts = DOCS_TEXTS[view.language]
  const cards = [
    ...GUIDES.map((guide) => ({
      path: view.link(guide.path),
      title: titleOf(guide, view.language),
      lead: leadOf(guide, view.language),
    })),
    { path: '/docs', title: texts.reference, lead: texts.referenceLead },
    { path: '/openapi.json', title: texts.description, lead: texts.descriptionLead },
  ]
  return respondPage(view, {
    title: texts.title,
    description: texts.lead,
    section: 'docs',
    body: (
      <>
        <h1>{texts.title}</h1>
        <p class="lead">{texts.lead}</p>
        <ul class="guides grid bare">
          {cards.map(({ path, title, lead }) => (
            <li class="card">
              <h2>
                <a href={path}>{title}</a>
              </h2>
              <p>{lead}</p>
            </li>
          ))}
        </ul>
      </>
    ),
  })
}

/**
 * Answers `GET /docs/guides/{name}` with the page, and `GET /docs/guides/{name}.md` with the same as Markdown.
 * @throws ApiError `not_found`
 */
export function answerGuide(view: View, name: string): Response | Promise<Response> {
  const isMarkdown = name.endsWith('.md')
  const known = isMarkdown ? name.slice(0, -'.md'.length) : name
  const guide = GUIDES.find((one) => one.name === known)
  if (guide === undefined) throw new ApiError('not_found', 'There is nothing here.')
  return isMarkdown ? answerMarkdown(view, guide) : answerPage(view, guide)
}

async function answerPage(view: View, guide: Guide): Promise<Response> {
  const { app, language } = view
  const { accounts, catalog, config } = app
  const example = findExample(catalog, config.public_browsing)
  const isOpen = config.public_browsing && !example.isMadeUp
  const plans = planMarkdown(await listPlans(accounts), language)
  const rendered = renderedOf(guide, view, isOpen, plans)
  const texts = DOCS_TEXTS[language]
  return respondPage(view, {
    title: titleOf(guide, language),
    description: leadOf(guide, language),
    section: 'docs',
    scripts: ['copy.js'],
    head: <link rel="alternate" type="text/markdown" href={view.link(`${guide.path}.md`)} />,
    body: (
      <div class="guide">
        <GuideNavigation view={view} guide={guide} rendered={rendered} />
        <article class="prose">
          <p class="crumbs">
            <a href={view.link(GUIDES_PATH)}>{texts.title}</a>
          </p>
          <h1>{titleOf(guide, language)}</h1>
          <p class="lead">{leadOf(guide, language)}</p>
          {rendered.html.split(/(<p>\{\{(?:note|codes)\}\}<\/p>)/).map((piece) => (
            <Piece piece={piece} view={view} example={example} headings={rendered.headings} />
          ))}
          <Neighbours view={view} guide={guide} />
        </article>
      </div>
    ),
  })
}

const MARKDOWN_HEADERS = {
  ...PUBLIC_HEADERS,
  'Content-Type': 'text/markdown; charset=utf-8',
  Vary: 'Accept-Language, Accept-Encoding',
}

async function answerMarkdown({ app, exchange, language }: View, guide: Guide): Promise<Response> {
  const { accounts, catalog, config } = app
  const values = {
    ...findExample(catalog, config.public_browsing).values,
    base: safeBase(exchange.base),
    plans: planMarkdown(await listPlans(accounts), language),
  }
  const text = plainMarkdown(guide.text[language], values)
  const headers = { ...MARKDOWN_HEADERS, ETag: weakEtag(text) }
  return (
    notModified(exchange, headers.ETag, headers) ??
    respondCompressed(exchange, 200, headers, new TextEncoder().encode(text))
  )
}

/** Guides are rendered at first use, once for each language and form of links. */
const renderedGuides = new Map<string, RenderedGuide>()

function renderedOf(guide: Guide, view: View, isOpen: boolean, plans: string): RenderedGuide {
  const { language, chosenLanguage, link } = view
  const text = bodyOf(guide, language).replace('{{plans}}', plans)
  const key = `${chosenLanguage} ${isOpen} ${text}`
  return renderedGuides.getOrInsertComputed(key, () => renderMarkdown(text, { language, link, isOpen }))
}

function GuideNavigation(options: { view: View; guide: Guide; rendered: RenderedGuide }) {
  const { view, guide, rendered } = options
  const texts = DOCS_TEXTS[view.language]
  return (
    <nav class="guide-nav" aria-label={texts.guides}>
      <ul class="bare">
        {GUIDES.map((other) => (
          <li>
            <a href={view.link(other.path)} aria-current={other === guide ? 'page' : undefined}>
              {titleOf(other, view.language)}
            </a>
            {other === guide && (
              <ul class="bare" aria-label={texts.onThisPage}>
                {rendered.headings
                  .filter(({ depth }) => depth === 2)
                  .map(({ anchor, html }) => (
                    <li>
                      <a href={`#${anchor}`} dangerouslySetInnerHTML={{ __html: html }} />
                    </li>
                  ))}
              </ul>
            )}
          </li>
        ))}
        <li>
          <a href="/docs">{texts.reference}</a>
        </li>
      </ul>
    </nav>
  )
}

function Neighbours({ view, guide }: { view: View; guide: Guide }) {
  const texts = DOCS_TEXTS[view.language]
  const at = GUIDES.indexOf(guide)
  const beside = [
    [texts.previous, GUIDES[at - 1]],
    [texts.next, GUIDES[at + 1]],
  ] as const
  return (
    <footer class="neighbours flow small">
      {beside.map(
        ([way, other]) =>
          other && (
            <a href={view.link(other.path)}>
              {way}: {titleOf(other, view.language)}
            </a>
          ),
      )}
      <a href={view.link(`${guide.path}.md`)}>{texts.asMarkdown}</a>
    </footer>
  )
}

interface PieceProps {
  readonly piece: string
  readonly view: View
  readonly example: Example
  readonly headings: readonly Heading[]
}

function Piece({ piece, view, example, headings }: PieceProps) {
  const texts = DOCS_TEXTS[view.language]
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
  // The Markdown is the program's own; values are escaped as they are filled in.
  const html = fillIn(piece, { ...example.values, base: safeBase(view.base) })
  return <div dangerouslySetInnerHTML={{ __html: html }} />
}

/** The table of the plans with limits; one without any is for the operator. */
export function planMarkdown(plans: readonly Plan[], language: Language): string {
  const texts = DOCS_TEXTS[language]
  const show = (limit: number | null) => (limit === null ? texts.noLimit : formatNumber(language, limit))
  const rows = plans
    .filter((plan) => plan.monthly_quota !== null || plan.per_minute !== null)
    .map(({ name, ...limits }) =>
      [name, show(limits.monthly_quota), show(limits.max_active_keys), show(limits.per_minute)].join(' | '),
    )
  const head = [texts.plan, texts.monthlyQuota, texts.activeKeys, texts.perMinute].join(' | ')
  return [head, '--- | --- | --- | ---', ...rows].map((row) => `| ${row} |`).join('\n')
}
