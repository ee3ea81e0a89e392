import type { Language } from '../../base/text/language.ts'
import { byLanguage } from '../texts/texts.ts'
import { DOCUMENTS } from './texts/documents.ts'

const BASE = 'http://127.0.0.1:3000'

/** Texts in the documents' examples, and the placeholders that replace them; longer texts come before their parts. */
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

/** Matches fences about the example dataset; others are shown unchanged. */
const IS_EXAMPLE = /vehicle_registry|vehicule/

export interface Guide {
  readonly name: string
  readonly path: string
  /** Templates, made from the documents. */
  readonly text: Readonly<Record<Language, string>>
}

export const GUIDES_PATH = '/docs/guides'

export const GUIDES: readonly Guide[] = Object.entries(DOCUMENTS).map(([name, documents]) => ({
  name,
  path: `${GUIDES_PATH}/${name}`,
  text: byLanguage((_, at) => templateOf(documents[at]!)),
}))

/** The address of the guide made from a document in `docs/`; one has a different name in its address. */
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

/**
 * Makes a guide's template from its document. The document is plain Markdown, readable in the repository, with relative
 * links and examples about a dataset of the demo. The template links to the service's own addresses, and has names in double
 * braces where examples take the values of a served dataset. A link to a document that is not a guide becomes its words.
 */
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

/** The anchor that GitHub and other Markdown viewers give a heading. */
function anchorOf(heading: string): string {
  const words = heading.replace(/^#+ /, '').toLowerCase()
  return words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')
}
