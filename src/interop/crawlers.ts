/** `robots.txt` (RFC 9309), `sitemap.xml` (sitemaps.org 0.9), and `llms.txt`, the service on one page of Markdown. */

import { LANGUAGES } from '../base/text/language.ts'
import { OPERATOR_TABLE } from '../engine/operators.ts'
import type { CatalogEntry } from '../store/catalog/record.ts'

/** Paths below a dataset's page that have endless variants. */
const ENDLESS = ['rows', 'download', 'summary', 'aggregate', 'facets']

/** Keeps crawlers out of accounts and the API, and out of rows and files, whose addresses are endless. */
export function robotsText(base: string): string {
  return [
    'User-agent: *',
    ...['/account', '/v1/', ...ENDLESS.map((part) => `/datasets/*/${part}`)].map(
      (path) => `Disallow: ${path}`,
    ),
    '',
    `Sitemap: ${base}/sitemap.xml`,
    '',
  ].join('\n')
}

/**
 * Every page, with its last change where known.
 * @param base safe as part of an address
 * @param paths pages besides those of the datasets
 */
export function sitemap(base: string, paths: readonly string[], entries: readonly CatalogEntry[]): string {
  const urls = [
    ...paths.map((path) => url(base + path, undefined)),
    ...entries.map((entry) => url(`${base}/datasets/${entry.id}`, entry.last_updated)),
  ]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    // The most addresses that a sitemap may have.
    ...urls.slice(0, 50_000),
    '</urlset>',
    '',
  ].join('\n')
}

function url(address: string, changed: string | undefined): string {
  const alternates = LANGUAGES.map(
    (language) =>
      `<xhtml:link rel="alternate" hreflang="${language}" href="${Bun.escapeHTML(`${address}?lang=${language}`)}"/>`,
  )
  const lastmod = changed === undefined ? '' : `<lastmod>${Bun.escapeHTML(changed)}</lastmod>`
  return `<url><loc>${Bun.escapeHTML(address)}</loc>${lastmod}${alternates.join('')}</url>`
}

const MOST_DATASETS = 200
const LONGEST_DESCRIPTION = 300

export interface Guide {
  readonly path: string
  readonly title: string
}

export function llmsText(base: string, guides: readonly Guide[], entries: readonly CatalogEntry[]): string {
  const rest = entries.length - MOST_DATASETS
  return [
    '# Izvor',
    '',
    `> Open datasets published at ${base}: rows as JSON with one query language for all of them, files as CSV and NDJSON.`,
    '',
    '## Rules',
    '',
    `- Rows: \`GET ${base}/v1/{domain}/{dataset}\`. All of them as a file: \`/export?format=csv\` or \`ndjson\` after it.`,
    '- Every `/v1` request needs `Authorization: Bearer <API key>`; a person gets a free key at ' +
      `${base}/account. Never put a key into an address.`,
    `- Catalog: \`/v1/datasets\`, \`/v1/search?q=…\` (without regard to diacritics), \`/v1/datasets/{dataset}\` for columns and types.`,
    '- `column=value` filters; a repeated parameter means or, different columns mean and. `column[operator]=value`:',
    ...Object.entries(OPERATOR_TABLE).map(([name, { meaning }]) => `  - \`${name}\`: ${meaning}`),
    '- `sort=-a,b`, `fields=a,b`, `limit` (1-1000, 50 by default) with `offset`; or `cursor=start` and then `pagination.next_cursor` until it is null.',
    '- Groups: `/aggregate?group_by=a,month(b)&measures=count,sum(c)` after the address of a dataset, with filters; ' +
      '`sort` and filters take names of results (`sum_c`). `/facets?columns=a,b` counts the values of columns.',
    '- Nothing is ignored: an unknown parameter, column or value is a 422 that names it and suggests what may have been meant.',
    '- Send the `ETag` of an answer as `If-None-Match`: a 304 costs nothing. On 429 wait for `Retry-After` seconds.',
    '',
    '## Reference',
    '',
    `- [OpenAPI description](${base}/openapi.json): every route, parameter and error`,
    `- [One dataset's own description](${base}/openapi/{domain}/{dataset}.json): its columns as parameters`,
    `- [Catalog as DCAT-AP 3](${base}/catalog.jsonld): also as [Turtle](${base}/catalog.ttl)`,
    ...guides.map(({ path, title }) => `- [${title}](${base}${path}.md?lang=en)`),
    '',
    '## Datasets',
    '',
    ...entries.slice(0, MOST_DATASETS).map(({ id, endpoint, title, description, row_count }) => {
      const about = description === null ? '' : ` ${plain(description)}`
      return `- [${plain(title)}](${base}/datasets/${id}): \`${endpoint}\`, ${row_count} rows.${about}`
    }),
    ...(rest > 0 ? [`- and ${rest} more: [the whole catalog](${base}/catalog.jsonld)`] : []),
    '',
  ].join('\n')
}

/** Publishers' text on one line, with Markdown's characters escaped. */
function plain(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_DESCRIPTION).toWellFormed()
  return line.replace(/[\\`*_[\]<>#]/g, (character) => `\\${character}`)
}
