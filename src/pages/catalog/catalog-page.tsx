import type { FoundSession } from '../../accounts/people/sign-in/sessions.ts'
import type { App } from '../../app.ts'
import type { Exchange } from '../../http/exchange.ts'
import { placeOf } from '../../interop/addresses.ts'
import { schemaOrgCatalog } from '../../interop/schema-org.ts'
import { JsonBlock, respondPage } from '../layout/layout.tsx'
import { type View, viewOf } from '../layout/view.ts'
import { domainName } from '../parts/domain-name.ts'
import { CATALOG_TEXTS, FEED_TEXTS } from '../texts/site.ts'
import { type CatalogQuery, findEntries, Results, readCatalogQuery } from './results.tsx'

/** Answers `GET /`. */
export function answerCatalogPage(app: App, exchange: Exchange, session: FoundSession | undefined): Response {
  const view = viewOf(app, exchange, session)
  const texts = CATALOG_TEXTS[view.language]
  const query = readCatalogQuery(view.parameters)
  const found = findEntries(app.catalog, query)
  const { title } = FEED_TEXTS[view.language]
  const { datasets, domains, rows } = view.app.catalog.totals()
  return respondPage(view, {
    title: query.q === '' ? null : query.q,
    description: texts.description,
    section: 'catalog',
    scripts: ['catalog.js'],
    // Search engines would find endless pages with other people's words in their titles.
    isPrivate: query.q !== '',
    head: (
      <>
        <link rel="alternate" type="application/atom+xml" title={title} href={view.link('/feed.atom')} />
        <link rel="alternate" type="application/rss+xml" title={title} href={view.link('/feed.rss')} />
        <link rel="alternate" type="application/ld+json" title="DCAT-AP" href="/catalog.jsonld" />
        <link rel="alternate" type="text/turtle" title="DCAT-AP" href="/catalog.ttl" />
      </>
    ),
    body: (
      <>
        <JsonBlock type="application/ld+json" value={schemaOrgCatalog(placeOf(view.base, app.config))} />
        <div class="hero">
          <h1>{texts.heading}</h1>
          {datasets > 0 && (
            <p class="lead">
              {texts.thereAre(datasets)} <strong>{texts.datasets(datasets)}</strong>{' '}
              {texts.fromDomains(domains)}, {texts.leadAfter(texts.rowCount(rows))}{' '}
              <a href={view.link('/docs')}>{texts.leadApi}</a>.
            </p>
          )}
        </div>
        <Search view={view} query={query} />
        <Domains view={view} query={query} />
        <Results view={view} query={query} found={found} />
      </>
    ),
  })
}

/** A plain form; `catalog.island.ts` updates the results while the user types. */
function Search({ view, query }: { view: View; query: CatalogQuery }) {
  const texts = CATALOG_TEXTS[view.language]
  return (
    <search>
      <form class="search" action="/" id="search">
        <label for="q">{texts.search}</label>
        <div class="row">
          <input
            type="search"
            id="q"
            name="q"
            value={query.q}
            placeholder={texts.searchHint}
            autocomplete="off"
            spellcheck={false}
            maxLength={200}
          />
          {view.chosenLanguage && <input type="hidden" name="lang" value={view.chosenLanguage} />}
          <button type="submit" class="main">
            {texts.searchButton}
          </button>
        </div>
      </form>
    </search>
  )
}

function Domains({ view, query }: { view: View; query: CatalogQuery }) {
  const texts = CATALOG_TEXTS[view.language]
  const domains = view.app.catalog.domains()
  if (domains.length < 2) return null
  const isAll = query.domain === null && query.q === ''
  return (
    <nav class="chips flow" aria-label={texts.domains}>
      <a href={view.link('/')} aria-current={isAll ? 'true' : undefined}>
        {texts.allDomains}
      </a>
      {domains.map(({ domain, datasets }) => (
        <a
          href={view.link('/', [{ name: 'domain', value: domain }])}
          aria-current={query.domain === domain ? 'true' : undefined}
        >
          {domainName(view.language, domain)} <span class="soft number">{datasets}</span>
        </a>
      ))}
    </nav>
  )
}
