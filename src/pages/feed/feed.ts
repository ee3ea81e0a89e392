import type { App } from '../../app.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { notModified, weakEtag } from '../../http/etag.ts'
import type { Exchange } from '../../http/exchange.ts'
import { PUBLIC_HEADERS } from '../../http/headers.ts'
import { respondCompressed } from '../../http/respond.ts'
import { safeBase } from '../../interop/addresses.ts'
import type { VersionRecord } from '../../store/catalog/record.ts'
import { type View, viewOf } from '../layout/view.ts'
import { domainName } from '../parts/domain-name.ts'
import { FEED_TEXTS } from '../texts/site.ts'

/** Characters that XML 1.0 cannot represent. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const NOT_IN_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

const ENTRIES = 50

/** Answers `GET /feed.atom`: the versions published last (RFC 4287). */
export function answerFeed(app: App, exchange: Exchange): Response {
  const view = viewOf(app, exchange)
  const { catalog, startedAt } = app
  const headers = {
    ...PUBLIC_HEADERS,
    'Content-Type': 'application/atom+xml; charset=utf-8',
    Vary: 'Accept-Language, Accept-Encoding',
  }
  const entries = catalog.news(ENTRIES).map((record) => entryOf(view, record))
  const text = writeAtom(view, entries, entries[0]?.at ?? formatTimestamp(startedAt))
  const etag = weakEtag(text)
  return (
    notModified(exchange, etag, headers) ??
    respondCompressed(exchange, 200, { ...headers, ETag: etag }, new TextEncoder().encode(text))
  )
}

function entryOf(view: View, { dataset, version, rows, quarantined, provenance }: VersionRecord) {
  const texts = FEED_TEXTS[view.language]
  const page = `${safeBase(view.base)}/datasets/${dataset.id}`
  return {
    /** Permanent: it names the version's number. */
    id: `${page}#version-${version}`,
    link: safeBase(view.base) + view.link(`/datasets/${dataset.id}`),
    title: version === 1 ? texts.first(dataset.title) : texts.updated(dataset.title, version),
    summary: [dataset.description, texts.summary(rows, quarantined)].filter(Boolean).join(' '),
    domain: dataset.domain,
    domainName: domainName(view, dataset.domain),
    publisher: dataset.publisher,
    at: provenance.imported_at,
  }
}

function writeAtom(view: View, entries: readonly ReturnType<typeof entryOf>[], updated: string): string {
  const { title } = FEED_TEXTS[view.language]
  const base = safeBase(view.base)
  const attributes = { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': view.language }
  const feed = element('feed', attributes, [
    element('id', {}, `${base}/feed.atom`),
    element('title', {}, title),
    element('updated', {}, updated),
    element('author', {}, [element('name', {}, 'Izvor')]),
    element('link', { rel: 'self', href: base + view.link('/feed.atom') }),
    element('link', { rel: 'alternate', type: 'text/html', href: base + view.link('/') }),
    ...entries.map((entry) =>
      element('entry', {}, [
        element('id', {}, entry.id),
        element('title', {}, entry.title),
        element('updated', {}, entry.at),
        element('link', { rel: 'alternate', type: 'text/html', href: entry.link }),
        element('category', { term: entry.domain, label: entry.domainName }),
        ...(entry.publisher === null ? [] : [element('author', {}, [element('name', {}, entry.publisher)])]),
        element('summary', {}, entry.summary),
      ]),
    ),
  ])
  return `<?xml version="1.0" encoding="utf-8"?>\n${feed}`
}

/** Escapes a text for elements and attributes, without characters that XML cannot represent. */
function escapeText(text: string): string {
  return Bun.escapeHTML(text.toWellFormed().replace(NOT_IN_XML, ''))
}

/** An element as text. @param children other elements, or one text, which is escaped */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly string[] | string = [],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeText(value)}"`)
  const inside = typeof children === 'string' ? escapeText(children) : children.join('')
  return `<${name}${written.join('')}>${inside}</${name}>`
}
