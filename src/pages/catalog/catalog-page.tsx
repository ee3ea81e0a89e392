/** @jsxImportSource preact */
import type { Exchange } from '../../http/exchange.ts'
import { placeOf } from '../../interop/addresses.ts'
import { schemaOrgCatalog } from '../../interop/schema-org.ts'
import type { CatalogEntry } from '../../store/catalog/record.ts'
import type { FoundEntry, RowReads, Suggestion } from '../../store/catalog/search/search.ts'
import { JsonBlock, respondPage } from '../layout/layout.tsx'
import type { View } from '../layout/view.ts'
import { domainName } from '../parts/domain-name.ts'
import { Day } from '../parts/fact.tsx'
import { ShareBar } from '../parts/share-bar.tsx'
import { PageLinks } from '../parts/table.tsx'
import { CATALOG_TEXTS, FEED_TEXTS, LAYOUT_TEXTS } from '../texts/site.ts'
import { formatShare } from '../texts/texts.ts'
import { Matches, Suggestions } from './found.tsx'

/** Says whose values a search may look into. @throws ApiError `rate_limited` */
interface SearchAccess {
  readsValues(exchange: Exchange): Promise<RowReads>
}

/** Answers `GET /`. */
export async function answerCatalogPage(view: View, access: SearchAccess): Promise<Response> {
  const { app } = view
  const texts = CATALOG_TEXTS[view.language]
  // People edit addresses, so invalid values are ignored, never refused.
  const given = (name: string) =>
    view.parameters.find((parameter) => parameter.name === name)?.value.trim() ?? ''
  const page = Number(given('page'))
  const query = {
    q: given('q').slice(0, LONGEST_SEARCH),
    domain: given('domain') || null,
    page: Number.isInteger(page) && page > 1 && page < MOST_PAGES ? page : 1,
  }
  const found = await findEntries(view, query, access)
  const { title } = FEED_TEXTS[view.language]
  const { datasets, domains, rows } = app.catalog.totals()
  return respondPage(view, {
    title: query.q === '' ? null : query.q,
    description: texts.description,
    section: 'catalog',
    scripts: ['catalog.js'],
    // Otherwise search engines would index endless pages with other people's words in their titles.
    isPrivate: query.q !== '',
    head: (
      <>
        <link rel="alternate" type="application/atom+xml" title={title} href={view.link('/feed.atom')} />
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

/** A plain form; with scripts, `catalog.island.ts` updates the results while the user types. */
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
            maxLength={LONGEST_SEARCH}
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
    <nav class="chips row" aria-label={texts.domains}>
      <a class="button small" href={view.link('/')} aria-current={isAll ? 'true' : undefined}>
        {texts.allDomains}
      </a>
      {domains.map(({ domain, datasets }) => (
        <a
          class="button small"
          href={view.link('/', [{ name: 'domain', value: domain }])}
          aria-current={query.domain === domain ? 'true' : undefined}
        >
          {domainName(view, domain)} <span class="soft number">{datasets}</span>
        </a>
      ))}
    </nav>
  )
}

function Results(options: { view: View; query: CatalogQuery; found: Found }) {
  const { view, query, found } = options
  const texts = CATALOG_TEXTS[view.language]
  // A search lists the best match first; other pages group by domain.
  const groups = Map.groupBy(found.entries, ({ domain }) => (query.q === '' ? domain : ''))
  const last = Math.ceil(found.total / PAGE_ENTRIES)
  return (
    <section id="results" aria-label={texts.results}>
      <p role="status" class={query.q === '' ? 'unseen' : 'soft'}>
        {texts.found(found.total)}
      </p>
      {found.total === 0 && <Nothing view={view} query={query} suggestions={found.suggestions ?? []} />}
      {query.q !== '' && found.total > 0 && <h2 class="unseen">{texts.results}</h2>}
      {[...groups].map(([domain, datasets]) => (
        <section class={domain ? 'domain' : undefined}>
          {domain && <h2>{domainName(view, domain)}</h2>}
          <ul class="entries bare">
            {datasets.map((entry) => (
              <Entry view={view} entry={entry} hasDomain={!domain} />
            ))}
          </ul>
        </section>
      ))}
      <PageLinks
        name={texts.pages}
        address={(offset) => addressOf(view, { ...query, page: offset / PAGE_ENTRIES + 1 })}
        offset={(query.page - 1) * PAGE_ENTRIES}
        step={PAGE_ENTRIES}
        range={`${query.page} / ${last}`}
        previous={texts.previous}
        next={query.page < last ? texts.next : null}
      />
    </section>
  )
}

function Nothing(options: { view: View; query: CatalogQuery; suggestions: readonly Suggestion[] }) {
  const { view, query, suggestions } = options
  const texts = CATALOG_TEXTS[view.language]
  if (query.q === '' && query.domain === null) {
    return (
      <div class="card">
        <h2>{texts.empty}</h2>
        {view.isOnDesktop ? (
          <a class="button main" href={view.link('/open')}>
            {LAYOUT_TEXTS[view.language].open}
          </a>
        ) : (
          <>
            <p>{texts.emptyHint}</p>
            <pre>
              <code>izvor ingest FILE.csv --id ID --domain DOMAIN --title "…"</code>
            </pre>
          </>
        )}
      </div>
    )
  }
  return (
    <div class="card">
      <h2>{texts.nothing}</h2>
      <p>{suggestions.length === 0 ? texts.nothingHint : texts.suggested}</p>
      <Suggestions view={view} suggestions={suggestions} />
      <a class="button" href={view.link('/')}>
        {texts.showAll}
      </a>
    </div>
  )
}

function Entry(options: { view: View; entry: CatalogEntry | FoundEntry; hasDomain: boolean }) {
  const { view, entry, hasDomain } = options
  const texts = CATALOG_TEXTS[view.language]
  const record = view.app.catalog.record(entry.id)
  const quality = record?.quality
  return (
    <li>
      <h3>
        <a href={view.link(`/datasets/${entry.id}`)}>{entry.title}</a>
      </h3>
      {entry.description && <p class="description">{entry.description}</p>}
      {'matches' in entry && <Matches view={view} entry={entry} />}
      <p class="meta">
        {hasDomain && <span>{domainName(view, entry.domain)}</span>}
        {record?.dataset.publisher && <span>{record.dataset.publisher}</span>}
        <span class="number">{texts.rowCount(entry.row_count)}</span>
        <span>
          {texts.updated} <Day language={view.language} at={entry.last_updated} />
        </span>
        {quality?.measured && quality.completeness.length > 0 && (
          <Completeness view={view} ratios={quality.completeness.map(({ ratio }) => ratio)} />
        )}
        {view.app.catalog.find(entry.id)?.open === false && <span class="tag">{texts.needsKey}</span>}
        {quality !== undefined && quality.rows.quarantined > 0 && (
          <span class="tag warn">{texts.refused(quality.rows.quarantined)}</span>
        )}
      </p>
    </li>
  )
}

function Completeness({ view, ratios }: { view: View; ratios: readonly number[] }) {
  const texts = CATALOG_TEXTS[view.language]
  const share = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
  return (
    <span class="completeness" title={texts.completeTitle}>
      <ShareBar share={share} /> {texts.complete(formatShare(view.language, share))}
    </span>
  )
}

/** Entries on a page: about 20 KB with their texts. */
const PAGE_ENTRIES = 50
const LONGEST_SEARCH = 200
const MOST_PAGES = 10_000

interface CatalogQuery {
  readonly q: string
  /** null for all domains. */
  readonly domain: string | null
  /** The first page is 1. */
  readonly page: number
}

interface Found {
  readonly total: number
  readonly entries: readonly (CatalogEntry | FoundEntry)[]
  readonly suggestions?: readonly Suggestion[]
}

function addressOf(view: View, { q, domain, page }: CatalogQuery): string {
  const given = Object.entries({ q, domain: domain ?? '', page: page > 1 ? String(page) : '' })
  return view.link(
    '/',
    given.flatMap(([name, value]) => (value === '' ? [] : [{ name, value }])),
  )
}

async function findEntries(
  view: View,
  { q, domain, page }: CatalogQuery,
  access: SearchAccess,
): Promise<Found> {
  const { catalog } = view.app
  const window = { limit: PAGE_ENTRIES, offset: (page - 1) * PAGE_ENTRIES }
  if (q === '') {
    const { total, datasets } = catalog.list({ domain: domain ?? undefined, ...window })
    return { total, entries: datasets }
  }
  const searcher = { within: 'all', reads: await access.readsValues(view.exchange) } as const
  const { datasets: entries, ...found } = await catalog.answerSearch(q, window, searcher)
  return { entries, ...found }
}
