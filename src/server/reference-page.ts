/** The page around the interactive reference: Scalar, with a bar that leads to the guides and back to the catalog. */

import type { Language } from '../base/text/language.ts'

/**
 * The bar stays in place; Scalar leaves it room of `--scalar-custom-header-height`. Scalar's own greys and method colours
 * are too faint to read, its folding buttons too small to hit, its boxes scroll where a keyboard cannot: WCAG 2.2 AA.
 */
const STYLE = `
body { margin: 0 }
:root { --scalar-custom-header-height: 48px }
.izvor-bar { box-sizing: border-box; position: sticky; top: 0; z-index: 20; height: 48px; padding: 0 1rem; display: flex;
  gap: 1.25rem; align-items: center; overflow-x: auto; white-space: nowrap; font: 15px/1 system-ui, sans-serif;
  background: #fbfaf7; border-bottom: 1px solid #dcdad2 }
.izvor-bar a { color: #1b2326; text-decoration: none; padding: 0.6rem 0 }
.izvor-bar a:hover { text-decoration: underline }
.izvor-bar a:focus-visible { outline: 3px solid #b3500a; outline-offset: 2px }
.izvor-bar .home { font: 600 20px/1 "Iowan Old Style", Palatino, Georgia, serif }
.light-mode { --scalar-color-2: #4a5356; --scalar-color-3: #5b6366; --scalar-color-blue: #0059a8;
  --scalar-color-green: #04633a; --scalar-color-red: #b3201a; --scalar-color-orange: #8f4304; --scalar-color-yellow: #765500;
  --scalar-color-purple: #5a2fb5; --scalar-color-accent: #0b5c6b;
  --scalar-background-1: #fbfaf7; --scalar-background-2: #f1f0eb; --scalar-border-color: #dcdad2 }
.dark-mode { --scalar-color-2: #b9c1bf; --scalar-color-3: #a9b2b0; --scalar-color-red: #ff8f88;
  --scalar-background-1: #12181a; --scalar-background-2: #1b2225; --scalar-border-color: #2e3a3e }
.endpoints, [aria-labelledby] .scalar-card-content { max-height: none !important; overflow: visible !important }
.group\\/group-button button { min-width: 24px; min-height: 24px }
.dark-mode .izvor-bar { background: #12181a; border-color: #2e3a3e }
.dark-mode .izvor-bar a { color: #e6e8e5 }
.dark-mode .izvor-bar a:focus-visible { outline-color: #ffb066 }
`

/** Everything that would contact another machine is off: fonts, telemetry, proxy, assistants, the vendor's app. */
const SCALAR_CONFIG = {
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
  defaultOpenAllTags: true,
  authentication: { preferredSecurityScheme: 'ApiKey' },
  url: '/docs/json',
}

const BAR_TEXTS: Readonly<
  Record<Language, Readonly<Record<'label' | 'guides' | 'first' | 'errors', string>>>
> = {
  ro: { label: 'Documentație', guides: 'Ghiduri', first: 'Primul apel', errors: 'Erori' },
  en: { label: 'Documentation', guides: 'Guides', first: 'First call', errors: 'Errors' },
}

const encoder = new TextEncoder()

/** The page. The reference itself is in English; the bar is in the reader's language. */
export function referencePage(language: Language): Uint8Array<ArrayBuffer> {
  const configuration = JSON.stringify(SCALAR_CONFIG).replaceAll("'", '&#39;')
  return encoder.encode(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="description" content="Interactive reference" />
<title>Izvor: reference</title>
<style>${STYLE}</style>
<link rel="icon" href="data:," />
</head>
<body>${barIn(language)}
<script id="api-reference" data-configuration='${configuration}'></script>
<script src="/docs/scalar.js" crossorigin></script>
</body>
</html>
`)
}

function barIn(language: Language): string {
  const { label, guides, first, errors } = BAR_TEXTS[language]
  return [
    `<nav class="izvor-bar" lang="${language}" aria-label="${label}">`,
    '<a class="home" href="/">Izvor</a>',
    `<a href="/docs/guides">${guides}</a>`,
    `<a href="/docs/guides/first-call">${first}</a>`,
    `<a href="/docs/guides/errors">${errors}</a>`,
    '</nav>',
  ].join('')
}
