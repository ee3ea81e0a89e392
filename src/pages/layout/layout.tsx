/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { render } from 'preact-render-to-string'
import { notModified, weakEtag } from '../../http/etag.ts'
import type { Exchange } from '../../http/exchange.ts'
import {
  ACCOUNT_PAGE_HEADERS,
  framedHeaders,
  NOT_KEPT,
  PAGE_HEADERS,
  SIGNED_IN_HEADERS,
} from '../../http/headers.ts'
import { type AnswerHeaders, respond, respondCompressed } from '../../http/respond.ts'
import { LAYOUT_TEXTS } from '../texts/site.ts'
import { type AssetName, assetPath } from './assets.ts'
import type { View } from './view.ts'

type Section = 'open' | 'catalog' | 'docs' | 'publish' | 'operate' | 'account'

/** The contents of one page. Every text in it is escaped. */
export interface Page {
  /** The title without the service's name, which is added; null for that name alone. */
  readonly title: string | null
  readonly description?: string | undefined
  readonly section?: Section
  readonly scripts?: readonly AssetName[]
  readonly head?: ComponentChildren
  /** Values for islands and search engines; see `JsonBlock`. */
  readonly body: ComponentChildren
  readonly isPrivate?: boolean
  /** Omits the links of every page, because the service that they lead to is ending. */
  readonly isLast?: boolean
}

function renderPage(view: View, page: Page): string {
  const title =
    page.title === null ? `Izvor · ${LAYOUT_TEXTS[view.language].tagline}` : `${page.title} · Izvor`
  const { otherLanguage } = view
  const hasLinks = !isFramed(view) && !page.isLast
  const html = `<!doctype html>${render(
    <html lang={view.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {page.description && <meta name="description" content={page.description} />}
        {page.isPrivate && <meta name="robots" content="noindex" />}
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={ICON} />
        <link rel="stylesheet" href={assetPath('style.css')} />
        <link rel="alternate" hreflang={otherLanguage.language} href={view.base + otherLanguage.address} />
        {page.head}
        {page.scripts?.map((name) => (
          <script type="module" src={assetPath(name)} />
        ))}
      </head>
      <body class={isFramed(view) ? 'embed' : undefined}>
        {hasLinks && <Header view={view} page={page} />}
        <main id="content" tabIndex={-1}>
          {page.body}
        </main>
        {hasLinks && <Footer view={view} />}
      </body>
    </html>,
  )}`
  return isFramed(view) ? openLinksInNewTab(html) : html
}

/** Whether a page, or its refusal, is for frames of other sites: without header, footer and form. */
function isFramed({ path }: Pick<View, 'path'>): boolean {
  return path.startsWith('/embed/')
}

/**
 * Makes links open in a new tab that knows nothing of the frame. Rendered texts and values contain no bare `<` and no bare
 * quote, so only tags and attributes match.
 */
function openLinksInNewTab(html: string): string {
  return html
    .replaceAll(/ rel="(nofollow|noopener)"/g, '')
    .replaceAll('<a ', '<a target="_blank" rel="noopener nofollow" ')
}

function Footer({ view }: { view: View }) {
  const texts = LAYOUT_TEXTS[view.language]
  return (
    <footer class="site flow">
      <p>{texts.footer}</p>
      <p class="links flow">
        {!view.isPublisher && <a href={view.link('/publish')}>{texts.signInToPublish}</a>}
        <a href={view.link('/docs')}>{texts.reference}</a>
        <a href="/openapi.json">{texts.description}</a>
        <a href={view.link('/feed.atom')}>{texts.feed}</a>
        <a href={view.link('/status')}>{texts.status}</a>
      </p>
    </footer>
  )
}

interface JsonBlockOptions {
  readonly id?: string
  readonly type?: 'application/json' | 'application/ld+json'
  readonly value: unknown
}

/** Data in a page, for islands (`application/json`) and search engines (`application/ld+json`). */
export function JsonBlock({ id, type = 'application/json', value }: JsonBlockOptions) {
  // `<` is the only character that could end the element or open a comment in it.
  const text = JSON.stringify(value).replaceAll('<', '\\u003c')
  return <script type={type} id={id} dangerouslySetInnerHTML={{ __html: text }} />
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' " +
  "fill='%230b5c6b'/%3E%3Cpath d='M16 5c4 5 7 8.6 7 13a7 7 0 0 1-14 0c0-4.4 3-8 7-13Z' fill='%23f5fbfa'/%3E%3C/svg%3E"

function Header({ view, page: { section } }: { view: View; page: Page }) {
  const texts = LAYOUT_TEXTS[view.language]
  const { otherLanguage, link } = view
  const entries: readonly (readonly [Section, string])[] = [
    ...(view.isOnDesktop ? ([['open', '/open']] as const) : []),
    ['catalog', '/'],
    ['docs', '/docs/guides'],
    ...(view.isPublisher ? ([['publish', '/publish']] as const) : []),
    ...(view.isOperator ? ([['operate', '/operate']] as const) : []),
    ['account', '/account'],
  ]
  return (
    <>
      <a class="button main unseen" href="#content">
        {texts.skip}
      </a>
      <header class="site flow">
        <a class="brand" href={link('/')} aria-label={texts.home}>
          {/* The logo, a drop: `izvor` is a spring of water. */}
          <svg class="mark" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
            <path d="M12 2c4 5 7 8.4 7 12.6a7 7 0 0 1-14 0C5 10.4 8 7 12 2Z" />
          </svg>{' '}
          <span>Izvor</span>
        </a>
        <nav class="tabs flow" aria-label={texts.navigation}>
          {entries.map(([name, path]) => (
            <a href={link(path)} aria-current={name === section ? 'page' : undefined}>
              {texts[name]}
            </a>
          ))}
          <a
            class="language"
            href={otherLanguage.address}
            lang={otherLanguage.language}
            hreflang={otherLanguage.language}
            title={texts.otherLanguageLabel}
          >
            {texts.otherLanguage}
          </a>
        </nav>
      </header>
    </>
  )
}

const encoder = new TextEncoder()

/** The status of a page that says why its question was refused. */
const UNANSWERABLE = 422

/** Answers 200 with a page, or 304; 422 if the page says why its question was refused. Account pages are never cached. */
export function respondPage(view: View, page: Page, isRefused = false): Response {
  if (isRefused) return respondPageWith(view, UNANSWERABLE, {}, page)
  const { exchange } = view
  const html = renderPage(view, page)
  const headers = pageHeaders(view)
  if (!exchange.traits.isCrossOrigin) return respondCompressed(exchange, 200, headers, encoder.encode(html))
  // The contents include the hashed names of scripts and styles, so the tag covers them.
  const etag = weakEtag(html)
  return (
    notModified(exchange, etag, headers) ??
    respondCompressed(exchange, 200, { ...headers, ETag: etag }, encoder.encode(html))
  )
}

/** Answers with a page of another status, which is never cached. */
export function respondPageWith(view: View, status: number, headers: AnswerHeaders, page: Page): Response {
  const all = { ...headers, ...pageHeaders(view), ...NOT_KEPT }
  return respondCompressed(view.exchange, status, all, encoder.encode(renderPage(view, page)))
}

/** Redirects a browser to another page (303: by GET). */
export function respondRedirect(exchange: Exchange, address: string): Response {
  const headers = exchange.traits.isCrossOrigin ? PAGE_HEADERS : ACCOUNT_PAGE_HEADERS
  return respond(exchange, 303, { ...headers, ...NOT_KEPT, Location: address }, null)
}

function pageHeaders(view: Pick<View, 'app' | 'exchange' | 'path' | 'isSignedIn'>): AnswerHeaders {
  const { app, exchange, isSignedIn } = view
  if (isFramed(view)) return framedHeaders(app.config.embed_hosts)
  if (!exchange.traits.isCrossOrigin) return ACCOUNT_PAGE_HEADERS
  return isSignedIn ? SIGNED_IN_HEADERS : PAGE_HEADERS
}
