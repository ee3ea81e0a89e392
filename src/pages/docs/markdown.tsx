/** @jsxImportSource preact */
/**
 * Turns guides from Markdown into HTML. The texts are the program's own; values of datasets and requests are filled in
 * afterwards, escaped, for names in double braces.
 */

import { Marked, type RendererObject, type Tokens } from 'marked'
import { render } from 'preact-render-to-string'
import { ERROR_STATUS, type ErrorCode } from '../../base/error-codes.ts'
import type { Language } from '../../base/text/language.ts'
import type { View } from '../layout/view.ts'
import { CodeBox } from '../parts/code-box.tsx'
import { DOCS_TEXTS } from '../texts/docs.ts'
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

/** The shell command for a request, given as path and query. */
function curlLine(request: string): string {
  return `curl -g -H "Authorization: Bearer $IZVOR_KEY" "{{base}}${request}"`
}

/** Renders a guide's text. Fences marked `request` and `curl` hold the path and query of a request. */
export function renderMarkdown(
  markdown: string,
  options: { language: Language; link: View['link']; isOpen: boolean },
): RenderedGuide {
  const { language, link, isOpen } = options
  const headings: Heading[] = []
  const labels = new Set<string>()
  const texts = DOCS_TEXTS[language]
  const renderer: RendererObject = {
    heading({ tokens, depth, text }) {
      const anchor = ANCHOR.exec(text)?.[1] ?? /^`(\w+)`$/.exec(text)?.[1] ?? ''
      const html = this.parser.parseInline(tokens).replace(ANCHOR, '')
      headings.push({ anchor, html, depth, text: text.replace(ANCHOR, '').replaceAll('`', '') })
      const status = Object.hasOwn(ERROR_STATUS, anchor) ? ERROR_STATUS[anchor as ErrorCode] : undefined
      const tag = status === undefined ? '' : ` <span class="tag">${status}</span>`
      const self = `<a class="anchor" href="#${anchor}" aria-label="${texts.linkHere}">#</a>`
      return `<h${depth} id="${anchor}">${html}${tag} ${self}</h${depth}>\n`
    },
    code({ text, lang = '' }) {
      if (lang.startsWith('request')) {
        const open = ` <a href="${Bun.escapeHTML(publicAddress(text))}">${texts.open}</a>`
        const request = `<code>GET ${Bun.escapeHTML(text)}</code>${isOpen ? open : ''}`
        return `<div class="note row spread">${request}</div>\n`
      }
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
      const cell = ({ tokens }: Tokens.TableCell, tag: string) =>
        `<${tag}>${this.parser.parseInline(tokens)}</${tag.split(' ')[0]}>`
      // The first cell of a row is its heading.
      const rows = token.rows.map(
        (row) => `<tr>${row.map((one, at) => cell(one, at === 0 ? 'th scope="row"' : 'td')).join('')}</tr>`,
      )
      const names = token.header.map((one) => cell(one, 'th scope="col"')).join('')
      const head = token.header.some(({ text }) => text !== '') ? `<thead><tr>${names}</tr></thead>` : ''
      const table = `<table>${head}<tbody>${rows.join('')}</tbody></table>`
      const heading = headings.at(-1)?.text ?? ''
      // The label of a second table below one heading also names its first column.
      const label = labels.has(heading) ? `${heading}: ${token.header[0]?.text}` : heading
      labels.add(label)
      return `<section class="scroll" tabindex="0" aria-label="${Bun.escapeHTML(label)}">${table}</section>\n`
    },
    // The guides contain no HTML: whatever looks like it is text.
    html: ({ text }) => Bun.escapeHTML(text),
  }
  const html = new Marked({ renderer }).parse(markdown, { async: false })
  return { html, headings }
}

/** The address without a key: `/datasets/x/rows` for `/v1/d/x`, the download for its export. */
function publicAddress(request: string): string {
  return request
    .replace('{{path}}/export', '/datasets/{{id}}/download')
    .replace(/\{\{path\}\}\/(aggregate|facets)/, '/datasets/{{id}}/$1')
    .replace('{{path}}', '/datasets/{{id}}/rows')
}

/** Replaces names by their values, escaped; names without a value stay. */
export function fillIn(html: string, values: ExampleValues): string {
  return html.replace(/\{\{(\w+)\}\}/g, (name, key: string) =>
    Object.hasOwn(values, key) ? Bun.escapeHTML(values[key]!) : name,
  )
}

/** A guide as Markdown for programs: examples with values, without anchors. */
export function plainMarkdown(markdown: string, values: ExampleValues): string {
  return markdown
    .replace(
      /^```(?:curl|request).*\n([\s\S]*?)\n```$/gm,
      (_, request: string) => `\`\`\`sh\n${curlLine(request)}\n\`\`\``,
    )
    .replace(/^(#+ .*?)\s*\{#[\w-]+\}$/gm, '$1')
    .replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? '')
}
