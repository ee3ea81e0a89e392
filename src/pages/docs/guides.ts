import type { Language } from '../../base/text/language.ts'
import { byLanguage } from '../texts/texts.ts'
import { DOCUMENTS } from './texts/documents.ts'

const BASE = 'http://127.0.0.1:3000'

/** What a document says in its examples, and what takes its place; a longer text before its parts. */
const PLACES: readonly (readonly [said: RegExp, name: string])[] = [
  [/http:\/\/127\.0\.0\.1:3000/g, '{{base}}'],
  [/\/v1\/transport\/vehicle_registry/g, '{{path}}'],
  [/\bvehicle_registry\b/g, '{{id}}'],
  [/\btransport\b/g, '{{domain}}'],
  [/\bsum_vehicle_count\b/g, 'sum_{{number}}'],
  [/\bvehicle_count\b/g, '{{number}}'],
  [/\bcounty\b/g, '{{text}}'],
  [/\bCluj,Alba\b/g, '{{text_item}},{{other_item}}'],
  [/"Cluj"/g, '{{text_json}}'],
  [/\bCluj\b/g, '{{text_query}}'],
  [/\bAlba\b/g, '{{other_query}}'],
  [/\bClu\b/g, '{{part_query}}'],
  [/\b100\b/g, '{{number_value}}'],
  [/\b10\b/g, '{{low}}'],
  [/\b900\b/g, '{{high}}'],
  [/\b12345\b/g, '{{rows}}'],
  [/\bvehicule\b/g, '{{search}}'],
]

const DOCUMENT_LINK = /\[([^\]]+)\]\(([\w./-]+)\.md(#[\w-]+)?\)/g

/** Fences that are about the example; others are shown unchanged. */
const IS_EXAMPLE = /vehicle_registry|vehicule/

export interface Guide {
  readonly name: string
  readonly path: string
  /** Templates, made of the documents. */
  readonly text: Readonly<Record<Language, string>>
}

export const GUIDES_PATH = '/docs/guides'

export const GUIDES: readonly Guide[] = Object.entries(DOCUMENTS).map(([name, documents]) => ({
  name,
  path: `${GUIDES_PATH}/${name}`,
  text: byLanguage((_, at) => templateOf(documents[at]!)),
}))

/** The guides by their documents in `docs/`; one has another name in its address. */
function addressOf(document: string): string | undefined {
  const name = document === 'querying' ? 'queries' : document
  return Object.hasOwn(DOCUMENTS, name) ? `${GUIDES_PATH}/${name}` : undefined
}

export function titleOf({ text }: Guide, language: Language): string {
  return text[language].split('\n', 1)[0]!.replace(/^# /, '')
}

export function leadOf({ text }: Guide, language: Language): string {
  return text[language].split('\n\n', 2)[1]!.trim()
}

export function guideLinks(): { readonly path: string; readonly title: string }[] {
  return GUIDES.map((known) => ({ path: known.path, title: titleOf(known, 'en') }))
}

export function bodyOf({ text }: Guide, language: Language): string {
  return text[language].split('\n\n').slice(2).join('\n\n')
}

/*
 * The guides are plain Markdown in `docs/`, readable in the repository: relative links, examples about a dataset of the
 * demo. Here one becomes a template for a running service: links to its own addresses, names in double braces where the
 * examples take the values of a dataset that it serves.
 */

/** Makes a guide's template of its document. A link to a document that is not a guide becomes its words. */
function templateOf(markdown: string): string {
  return markdown
    .replace(/^```\w[\s\S]*?^```$/gm, (fence) =>
      IS_EXAMPLE.test(fence) ? PLACES.reduce((text, [said, name]) => text.replace(said, name), fence) : fence,
    )
    .replace(/^<!-- plans -->\n\n(?:\|.*\n)+/gm, '{{plans}}\n')
    .replace(/^<!-- limits -->\n\n/gm, '')
    .replace(/^<!-- (note|codes) -->$/gm, '{{$1}}')
    .replace(
      /^(?:<a id="([\w-]+)"><\/a>\n\n)?(## .*)$/gm,
      (_, anchor: string | undefined, heading: string) => {
        return `${heading} {#${anchor ?? anchorOf(heading)}}`
      },
    )
    .replaceAll(`](${BASE}`, '](')
    .replace(DOCUMENT_LINK, (_, words: string, document: string, anchor = '') => {
      const guide = addressOf(document)
      return guide === undefined ? words : `[${words}](${guide}${anchor})`
    })
}

/** The anchor that GitHub and other viewers of Markdown give a heading. */
function anchorOf(heading: string): string {
  const words = heading.replace(/^#+ /, '').toLowerCase()
  return words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')
}
