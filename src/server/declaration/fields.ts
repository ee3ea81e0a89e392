/** The fields of request bodies: a field is a schema with the function that reads it (`account-route.ts`). */

import { t } from 'elysia'
import { LABEL_LENGTH } from '../../accounts/keys/keys.ts'
import {
  MOST_SCOPES,
  readExpiry,
  readScopeList,
  SCOPE_PATTERN,
  SCOPES_IN_WORDS,
} from '../../accounts/keys/scopes.ts'
import { type EmailAddress, parseEmail } from '../../accounts/people/email-address.ts'
import { ROLES, type User } from '../../accounts/people/user.ts'
import { RATIO } from '../../base/config/setting-kinds.ts'
import { isObject } from '../../base/plain-object.ts'
import { findScheduleProblem } from '../../base/process/schedule.ts'
import { LANGUAGES, type Language } from '../../base/text/language.ts'
import {
  isName,
  LONGEST_KEYWORD,
  LONGEST_TEXT,
  LONGEST_TITLE,
  MOST_KEYWORDS,
  NAME_PATTERN,
} from '../../read/definition/names.ts'
import type { ColumnTexts } from '../../store/catalog/record.ts'

/** Where a schema holds its reader, which descriptions leave out. */
export const READS = Symbol('reads')

export interface FieldReader<T> {
  /** The value as handlers get it; undefined where it does not fit. */
  readonly read: (value: unknown) => T | undefined
  /** The rest of a sentence that begins with the name of the field. */
  readonly expected: string
}

function field<T>(schema: object, expected: string, read: FieldReader<T>['read']) {
  return t.Unsafe<T>({ ...schema, [READS]: { read, expected } satisfies FieldReader<T> })
}

/** A value that the verb itself reads; the schema is only for the description. */
export const openField = <T = unknown>(schema: object) =>
  field<T>(schema, 'is missing', (value) => value as T)

export const FLAG_FIELD = field<boolean>({ type: 'boolean' }, 'is true or false', (value) =>
  typeof value === 'boolean' ? value : undefined,
)

export const EDITION_FIELD = field<string | null>(
  {
    ...{ type: ['string', 'null'], pattern: NAME_PATTERN },
    description: 'The dataset that it is an edition of; null: it becomes a new one.',
  },
  'is the id of a dataset, or null',
  (value) => (value === null || (typeof value === 'string' && isName(value)) ? value : undefined),
)

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

export const NAMES_FIELD = field<boolean | readonly string[]>(
  { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'boolean' }] },
  'is a list of names, or true for all',
  (value) => (isTexts(value) || typeof value === 'boolean' ? value : undefined),
)

export const SHARE_FIELD = field<number>(
  {
    anyOf: [
      { type: 'number', minimum: 0, maximum: 1 },
      { type: 'string', pattern: '^\\d+(\\.\\d+)?%$' },
    ],
  },
  'is a share from 0 to 1, such as 0.05 or "5%"',
  (value) => {
    const share = typeof value === 'string' && value.endsWith('%') ? RATIO.parse(value) : value
    return typeof share === 'number' && share >= 0 && share <= 1 ? share : undefined
  },
)

/** A pattern for texts of a length within bounds, in code points, not counting blanks around them. */
function trimmed(min: 0 | 1, max: number) {
  const inside = `\\S(?:[\\s\\S]{0,${max - 2}}\\S)?`
  return `^\\s*${min === 0 ? `(?:${inside})?` : inside}\\s*$`
}

const trimmedField = (longest: number) =>
  field<string>(
    { type: 'string', pattern: trimmed(1, longest) },
    `is a text of 1 to ${longest} characters`,
    (value) => readText(value, longest) ?? undefined,
  )

/** A text, trimmed; null or only blanks remove it. */
const textOrNone = (longest: number) => ({ type: ['string', 'null'], pattern: trimmed(0, longest) })
const textOrNoneField = (longest: number) =>
  field<string | null>(textOrNone(longest), `is a text of at most ${longest} characters, or null`, (value) =>
    readText(value, longest),
  )

/** @returns null for no text, undefined for another type or a text that is too long */
function readText(value: unknown, longest: number): string | null | undefined {
  if (value === null) return null
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined
  const trimmed = value.trim()
  if ([...trimmed].length > longest) return undefined
  return trimmed === '' ? null : trimmed
}

export const NAME_FIELD = textOrNoneField(200)
export const LABEL_FIELD = trimmedField(LABEL_LENGTH.max)
export const TITLE_FIELD = trimmedField(LONGEST_TITLE)
export const DATASET_TEXT_FIELD = textOrNoneField(LONGEST_TEXT)

const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** A password in NFC (RFC 8265): keyboards differ in how they send the same letters. Nothing else is changed. */
export const passwordField = (description?: string) =>
  field<string>(
    { type: 'string', format: 'password', ...(description && { description }) },
    'is a text',
    (value) => asText(value)?.normalize('NFC'),
  )

/** A text as it was sent: a token. */
export const textField = (facts: object) => field<string>({ type: 'string', ...facts }, 'is a text', asText)

export const EMAIL_FIELD = field<EmailAddress>(
  {
    type: 'string',
    pattern: '^\\s*[^@\\s]+@[^@\\s]+\\s*$',
    description: 'An e-mail address of at most 254 characters; blanks around it are dropped.',
  },
  'is an e-mail address of at most 254 characters',
  (value) => (typeof value === 'string' ? parseEmail(value) : undefined),
)

export const LANGUAGE_FIELD = field<Language>(
  { type: 'string', enum: [...LANGUAGES] },
  `is one of ${LANGUAGES.join(', ')}`,
  (value) => LANGUAGES.find((known) => known === value),
)

export const EXPIRY_FIELD = field<string | null>(
  {
    type: ['string', 'null'],
    description:
      'RFC 3339, or a date, which means its midnight in UTC; in the future. null: it does not expire.',
  },
  'is a datetime such as 2026-12-31T00:00:00Z, a date, or null',
  (value) => (value === null ? null : typeof value === 'string' ? readExpiry(value) : undefined),
)

export const SCOPES_FIELD = field<readonly string[]>(
  {
    type: 'array',
    items: { type: 'string', pattern: SCOPE_PATTERN },
    minItems: 1,
    description: SCOPES_IN_WORDS,
  },
  `is a list of 1 to ${MOST_SCOPES} of read, read:{domain}, read:{domain}/{dataset}, publish, publish:{domain}`,
  (value) => (isTexts(value) ? readScopeList(value) : undefined),
)

const wholeOrNoneField = (minimum: 0 | 1, description: string) =>
  field<number | null>(
    { type: ['integer', 'null'], minimum, description },
    `is a whole number from ${minimum}, or null`,
    (value) =>
      value === null || (Number.isSafeInteger(value) && Number(value) >= minimum)
        ? (value as number | null)
        : undefined,
  )

export const QUOTA_FIELD = wholeOrNoneField(
  1,
  'Calls a month, within the quota of the plan. null: as many as the plan allows.',
)
/** A limit of a plan. */
export const LIMIT_FIELD = wholeOrNoneField(0, 'null: no limit.')

export const ROLE_FIELD = field<User['role']>(
  { type: 'string', enum: [...ROLES] },
  `is one of ${ROLES.join(', ')}`,
  (value) => ROLES.find((known) => known === value),
)

export const DOMAINS_FIELD = field<readonly string[] | null>(
  {
    ...{ type: ['array', 'null'], items: { type: 'string', pattern: NAME_PATTERN }, minItems: 1 },
    description: 'Of a publisher. null, or left out: all domains.',
  },
  'is a list of names of domains, or null',
  (value) => {
    if (value === null) return null
    return isTexts(value) && value.length > 0 && value.every(isName) ? [...new Set(value)].sort() : undefined
  },
)

export const ID_FIELD = field<number>({ type: 'integer', minimum: 1 }, 'is a whole number from 1', (value) =>
  Number.isSafeInteger(value) && Number(value) >= 1 ? Number(value) : undefined,
)

const LONGEST_ADDRESS = 2000

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

type ColumnEntry = Partial<ColumnTexts> & { readonly name: string }

const COLUMN_TEXTS = ['title', 'unit', 'description'] as const

export const COLUMNS_FIELD = field<readonly ColumnEntry[]>(
  {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        name: { type: 'string', pattern: NAME_PATTERN },
        ...Object.fromEntries(COLUMN_TEXTS.map((text) => [text, textOrNone(LONGEST_TEXT)])),
      },
      required: ['name'],
      additionalProperties: false,
    },
    description: 'Columns by name; what is left out stays.',
  },
  `is a list that names each column at most once, as {"name": …} with any of ${COLUMN_TEXTS.join(', ')} (texts of at most ${LONGEST_TEXT} characters, or null)`,
  (value) => {
    const columns = Array.isArray(value) ? value.map(readColumn) : [undefined]
    if (!columns.every((column) => column !== undefined)) return undefined
    return new Set(columns.map(({ name }) => name)).size === columns.length ? columns : undefined
  },
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
    type: 'string',
    pattern: '^\\s*([hH][tT][tT][pP][sS]?://|[cC][kK][aA][nN]:)\\S+\\s*$',
    description: 'Where the file is fetched: `https://…`, `http://…` or `ckan:ADDRESS/PACKAGE[/RESOURCE]`.',
  },
  `is an address that begins with https://, http:// or ckan:, of at most ${LONGEST_ADDRESS} characters`,
  (value) => {
    const address = readText(value, LONGEST_ADDRESS)
    return address != null && /^(https?:\/\/|ckan:)\S+$/i.test(address) ? address : undefined
  },
)

function readColumn(value: unknown): ColumnEntry | undefined {
  if (!isObject(value)) return undefined
  const { name, ...texts } = value
  if (typeof name !== 'string' || !isName(name)) return undefined
  const read: Record<string, string | null> = {}
  for (const [field, text] of Object.entries(texts)) {
    const said = readText(text, LONGEST_TEXT)
    if (said === undefined || !COLUMN_TEXTS.some((known) => known === field)) return undefined
    read[field] = said
  }
  return { name, ...read }
}
