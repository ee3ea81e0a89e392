/** `robots.txt` (RFC 9309) and `sitemap.xml` (sitemaps.org 0.9). */

import type { CatalogEntry } from '../store/catalog/record.ts'

/** Keeps crawlers out of accounts, and out of rows, files and the API, which have endless addresses. */
export function robotsText(base: string): string {
  return [
    'User-agent: *',
    'Disallow: /account',
    'Disallow: /v1/',
    'Disallow: /datasets/*/rows',
    'Disallow: /datasets/*/chart',
    'Disallow: /datasets/*/download',
    'Disallow: /datasets/*/summary',
    'Disallow: /datasets/*/aggregate',
    'Disallow: /datasets/*/facets',
    '',
    `Sitemap: ${base}/sitemap.xml`,
    '',
  ].join('\n')
}

/** The most addresses that a sitemap file may have. */
const MOST_ADDRESSES = 50_000

/**
 * Every page, with when it last changed where that is known.
 * @param base safe as part of an address
 * @param paths pages besides those of the datasets
 */
export function sitemap(base: string, paths: readonly string[], entries: readonly CatalogEntry[]): string {
  const pages = [
    ...paths.map((path) => ({ path, changed: undefined })),
    ...entries.map((entry) => ({ path: `/datasets/${entry.id}`, changed: entry.last_updated })),
  ]
  const urls = pages.slice(0, MOST_ADDRESSES).map(({ path, changed }) => url(base + path, changed))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n')
}

/** One page, with its addresses in both languages. */
function url(address: string, changed: string | undefined): string {
  const alternates = ['ro', 'en'].map(
    (language) =>
      `<xhtml:link rel="alternate" hreflang="${language}" href="${Bun.escapeHTML(`${address}?lang=${language}`)}"/>`,
  )
  const lastmod = changed === undefined ? '' : `<lastmod>${Bun.escapeHTML(changed)}</lastmod>`
  return `<url><loc>${Bun.escapeHTML(address)}</loc>${lastmod}${alternates.join('')}</url>`
}
