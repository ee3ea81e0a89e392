/**
 * Guides from Markdown to HTML. The texts are this program's own; values of datasets and requests are put in afterwards,
 * escaped, in place of names in double braces.
 */

import { Marked, type RendererObject, type Tokens } from 'marked'
import { render } from 'preact-render-to-string'
import { ERROR_STATUS, type ErrorCode } from '../../base/error-codes.ts'
import type { Language } from '../../base/text/language.ts'
import { CodeBox } from '../parts/code-box.tsx'
import { DOCS_TEXTS } from '../texts/site.ts'
import type { ExampleValues } from './example.ts'

export interface Heading {
  readonly anchor: string
  readonly html: string
  readonly text: string
  readonly depth: number
}

export interface RenderedGuide {
  readonly html: string
  readonly headings: readonly Heading[]
}

/** `## A title {#anchor}`; a heading that is a single word of code is its own anchor. */
const ANCHOR = /\s*\{#([\w-]+)\}$/
const CODE = /^`(\w+)`$/

/** The line for a shell that makes a request, given as path and query. */
function curlLine(request: string): string {
  return `curl -g -H "Authorization: Bearer $IZVOR_KEY" "{{base}}${request}"`
}

export interface RenderOptions {
  readonly language: Language
  readonly link: (path: string) => string
  /** Whether requests become links, since rows are public. */
  readonly isOpen: boolean
}

/** Renders a guide's text. Fences marked `request` and `curl` hold the path and query of a request. */
export function renderMarkdown(markdown: string, { language, link, isOpen }: RenderOptions): RenderedGuide {
  const headings: Heading[] = []
  const labels = new Set<string>()
  const texts = DOCS_TEXTS[language]
  const renderer: RendererObject = {
    heading({ tokens, depth, text }) {
      const anchor = ANCHOR.exec(text)?.[1] ?? CODE.exec(text)?.[1] ?? ''
      const html = this.parser.parseInline(tokens).replace(ANCHOR, '')
      headings.push({ anchor, html, depth, text: text.replace(ANCHOR, '').replaceAll('`', '') })
      const status = Object.hasOwn(ERROR_STATUS, anchor) ? ERROR_STATUS[anchor as ErrorCode] : undefined
      const tag = status === undefined ? '' : ` <span class="tag">${status}</span>`
      const self = `<a class="anchor" href="#${anchor}" aria-label="${texts.linkHere}">#</a>`
      return `<h${depth} id="${anchor}">${html}${tag} ${self}</h${depth}>\n`
    },
    code({ text, lang = '' }) {
      if (lang.startsWith('request')) return requestLine(text, isOpen ? texts.open : undefined)
      const isRequest = lang.startsWith('curl')
      const box = (
        <CodeBox
          language={language}
          label={isRequest ? 'curl' : lang}
          text={isRequest ? curlLine(text) : text}
        />
      )
      return `${render(box)}\n`
    },
    link({ href, tokens }) {
      const address = href.startsWith('/') && !/\.\w+$/.test(href) ? link(href) : href
      return `<a href="${Bun.escapeHTML(address)}">${this.parser.parseInline(tokens)}</a>`
    },
    table(token) {
      const rows = token.rows.map(
        (row) =>
          `<tr>${row.map((cell, at) => renderCell(this.parser.parseInline(cell.tokens), at)).join('')}</tr>`,
      )
      const table = `<table>${renderHead(token, (cell) => this.parser.parseInline(cell.tokens))}<tbody>${rows.join('')}</tbody></table>`
      const heading = headings.at(-1)?.text ?? ''
      // Of two tables below one heading, the second is also called after its first column.
      const label = labels.has(heading) ? `${heading}: ${token.header[0]?.text}` : heading
      labels.add(label)
      return `<section class="scroll" tabindex="0" aria-label="${Bun.escapeHTML(label)}">${table}</section>\n`
    },
    // The guides contain no HTML: what looks like it is text.
    html: ({ text }) => Bun.escapeHTML(text),
  }
  const html = new Marked({ renderer }).parse(markdown, { async: false })
  return { html, headings }
}

function requestLine(request: string, open: string | undefined): string {
  const link = open === undefined ? '' : ` <a href="${Bun.escapeHTML(publicAddress(request))}">${open}</a>`
  return `<div class="request"><code>GET ${Bun.escapeHTML(request)}</code>${link}</div>\n`
}

/** The public address of the same: `/datasets/x/rows` for `/v1/d/x`, the download for its export. */
function publicAddress(request: string): string {
  return request
    .replace('{{path}}/export', '/datasets/{{id}}/download')
    .replace(/\{\{path\}\}\/(aggregate|facets)/, '/datasets/{{id}}/$1')
    .replace('{{path}}', '/datasets/{{id}}/rows')
}

function renderHead({ header }: Tokens.Table, inline: (cell: Tokens.TableCell) => string): string {
  if (header.every(({ text }) => text === '')) return ''
  return `<thead><tr>${header.map((cell) => `<th scope="col">${inline(cell)}</th>`).join('')}</tr></thead>`
}

function renderCell(html: string, at: number): string {
  return at === 0 ? `<th scope="row">${html}</th>` : `<td>${html}</td>`
}

/** Puts values in place of their names; names without a value stay. */
export function fillIn(html: string, values: ExampleValues): string {
  return html.replace(/\{\{(\w+)\}\}/g, (name, key: string) =>
    Object.hasOwn(values, key) ? Bun.escapeHTML(values[key]!) : name,
  )
}

/** A guide as Markdown for programs: examples with their values, anchors left out. */
export function plainMarkdown(markdown: string, values: ExampleValues): string {
  return markdown
    .replace(
      /^```(?:curl|request).*\n([\s\S]*?)\n```$/gm,
      (_, request: string) => `\`\`\`sh\n${curlLine(request)}\n\`\`\``,
    )
    .replace(/^(#+ .*?)\s*\{#[\w-]+\}$/gm, '$1')
    .replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? '')
}
