/** Fields of request bodies that say something of a dataset. */

import { findScheduleProblem } from '../../base/process/cron.ts'
import {
  isName,
  LONGEST_KEYWORD,
  LONGEST_TEXT,
  LONGEST_TITLE,
  MOST_KEYWORDS,
  NAME_PATTERN,
} from '../../read/definition/names.ts'
import type { ColumnTexts } from '../../store/catalog/record.ts'
import { field, trimmed } from './fields.ts'

const LONGEST_ADDRESS = 2000

export const TITLE_FIELD = field<string>(
  { type: 'string', pattern: trimmed(1, LONGEST_TITLE) },
  `is a text of 1 to ${LONGEST_TITLE} characters`,
  (value) => readText(value, LONGEST_TITLE) ?? undefined,
)

/** A text, trimmed; null or only blanks take it away. */
const TEXT_OR_NONE = { type: ['string', 'null'], pattern: trimmed(0, LONGEST_TEXT) }

export const DATASET_TEXT_FIELD = field<string | null>(
  TEXT_OR_NONE,
  `is a text of at most ${LONGEST_TEXT} characters, or null`,
  (value) => readText(value, LONGEST_TEXT),
)

export const KEYWORDS_FIELD = field<readonly string[]>(
  {
    type: 'array',
    items: { type: 'string', pattern: trimmed(1, LONGEST_KEYWORD) },
    maxItems: MOST_KEYWORDS,
  },
  `is a list of at most ${MOST_KEYWORDS} texts of 1 to ${LONGEST_KEYWORD} characters`,
  (value) => {
    if (!Array.isArray(value) || value.length > MOST_KEYWORDS) return undefined
    const words = value.map((word) => readText(word, LONGEST_KEYWORD))
    return words.every((word) => typeof word === 'string') ? [...new Set(words)] : undefined
  },
)

/** What is said of one column. */
interface ColumnEntry extends Partial<ColumnTexts> {
  readonly name: string
}

const COLUMN_TEXTS = ['title', 'unit', 'description'] as const

export const COLUMNS_FIELD = field<readonly ColumnEntry[]>(
  {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        name: { type: 'string', pattern: NAME_PATTERN },
        ...Object.fromEntries(COLUMN_TEXTS.map((text) => [text, TEXT_OR_NONE])),
      },
      required: ['name'],
      additionalProperties: false,
    },
    description: 'Columns by name; what is left out stays.',
  },
  `is a list that names each column at most once, as {"name": …} with any of ${COLUMN_TEXTS.join(', ')} (texts of at most ${LONGEST_TEXT} characters, or null)`,
  readColumns,
)

export const SCHEDULE_FIELD = field<string>(
  { type: 'string', description: 'A cron pattern of five fields, in UTC.', examples: ['0 6 * * 1'] },
  'is a cron pattern of five fields, in UTC, such as "0 6 * * 1" (Mondays at 06:00)',
  (value) => {
    const pattern = readText(value, LONGEST_KEYWORD)
    return pattern != null && findScheduleProblem(pattern) === null ? pattern : undefined
  },
)

export const ADDRESS_FIELD = field<string>(
  {
    ...{ type: 'string', pattern: '^\\s*([hH][tT][tT][pP][sS]?://|[cC][kK][aA][nN]:)\\S+\\s*$' },
    description: 'Where the file is fetched: `https://…`, `http://…` or `ckan:ADDRESS/PACKAGE[/RESOURCE]`.',
  },
  `is an address that begins with https://, http:// or ckan:, of at most ${LONGEST_ADDRESS} characters`,
  (value) => {
    const address = readText(value, LONGEST_ADDRESS)
    return address != null && /^(https?:\/\/|ckan:)\S+$/i.test(address) ? address : undefined
  },
)

/** @returns null for no text, undefined for what is none or too long */
function readText(value: unknown, longest: number): string | null | undefined {
  if (value === null) return null
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined
  const trimmed = value.trim()
  if ([...trimmed].length > longest) return undefined
  return trimmed === '' ? null : trimmed
}

function readColumns(value: unknown): readonly ColumnEntry[] | undefined {
  if (!Array.isArray(value)) return undefined
  const columns = value.map(readColumn)
  if (!columns.every((column) => column !== undefined)) return undefined
  return new Set(columns.map(({ name }) => name)).size === columns.length ? columns : undefined
}

function readColumn(value: unknown): ColumnEntry | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { name, ...texts } = value as Record<string, unknown>
  if (typeof name !== 'string' || !isName(name)) return undefined
  const read: Record<string, string | null> = {}
  for (const [field, text] of Object.entries(texts)) {
    const said = readText(text, LONGEST_TEXT)
    if (said === undefined || !COLUMN_TEXTS.some((known) => known === field)) return undefined
    read[field] = said
  }
  return { name, ...read }
}
