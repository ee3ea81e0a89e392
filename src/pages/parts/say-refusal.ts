/**
 * Refusals in a page's language: a sentence by the API's error code (`texts/refusals.ts`), made of the place that is
 * wrong and of what the page knows about it. What `/v1` and its like answer stays English.
 */

import type { ErrorCode, Problem } from '../../errors.ts'
import type { Language } from '../../mail/language.ts'
import type { Parameter } from '../../text/query-string.ts'
import type { ExplorerColumn } from '../explorer/question.ts'
import { REFUSALS, type Refused } from '../texts/refusals.ts'

/** The body of an error answer (`error`), with its `Retry-After`. */
export interface ToldError {
  readonly code: ErrorCode
  readonly message: string
  readonly detail?: readonly Problem[] | undefined
  /** Seconds, where the service said so. */
  readonly wait?: number | undefined
}

type Column = Pick<ExplorerColumn, 'name' | 'type'>

/** What a page knows of the request that was refused. */
export interface Asked {
  readonly parameters?: readonly Parameter[]
  readonly columns?: readonly Column[]
  /** Parameters of the API that mean nothing on the page, and so are not suggested there. */
  readonly unused?: readonly string[]
}

/** What a page says of a refusal. */
export interface Said {
  readonly text: string
  /** The API's own sentence, where `text` is not in its language and says less. */
  readonly original: string | null
}

/** Codes with several reasons; only the API's sentence tells which. */
const SEVERAL_REASONS: ReadonlySet<ErrorCode> = new Set([
  'invalid_body',
  'invalid_cursor',
  'invalid_value',
  'service_unavailable',
])

const USUAL_WAIT_S = 5

/** What to say of an error that the API told. */
export function sayRefusal(language: Language, error: ToldError, asked: Asked = {}): Said {
  const refused = describeRefused(error, asked)
  // A page that stayed open may be told a code of a newer service.
  const say = REFUSALS[language][error.code] ?? (({ message }) => message)
  const text = say(refused)
  // Of a column that is known the sentence says what it takes.
  const isWhole = language === 'en' || !SEVERAL_REASONS.has(error.code) || refused.type !== undefined
  return { text, original: isWhole ? null : error.message }
}

function describeRefused({ message, detail = [], wait }: ToldError, asked: Asked): Refused {
  const first = detail[0]
  const written = first?.location.replace(/^(query|path|body|header)(\.|$)/, '') ?? ''
  const [, name = written, operator] = /^([^[]*)\[(.*)\]$/.exec(written) ?? []
  // Of several values in one place nobody knows which one is wrong.
  const [value, another] = asked.parameters?.filter((parameter) => parameter.name === written) ?? []
  const offered = first?.suggestions ?? []
  const suggestions = offered.filter((one) => isOfUse(one, asked))
  const missing = missingColumns(asked, name)
  return {
    ...{ message, name: shorten(name), operator: operator && shorten(operator) },
    value: value === undefined || another !== undefined ? undefined : shorten(value.value),
    type: asked.columns?.find((column) => column.name === name)?.type,
    unknown: missing.length === 1 ? shorten(missing[0]!) : undefined,
    suggestions,
    isNarrowed: suggestions.length < offered.length,
    wait: wait ?? USUAL_WAIT_S,
  }
}

/** Whether a suggestion means something on the page: parameters that it does not use may be columns, too. */
function isOfUse(suggestion: string, { unused = [], columns = [] }: Asked): boolean {
  return !unused.includes(suggestion) || columns.some((column) => column.name === suggestion)
}

/** Names in a list of columns (`sort`, `fields`) that are not among those the page knows. */
function missingColumns({ parameters = [], columns = [] }: Asked, parameter: string): string[] {
  const list = parameters.find(({ name }) => name === parameter)?.value.split(',') ?? []
  const names = new Set(list.map((item) => (parameter === 'sort' ? item.replace(/^-/, '') : item)))
  return [...names].filter((name) => !columns.some((column) => column.name === name))
}

const LONGEST_REPEATED = 80

/** What somebody wrote, cut where it would fill the page. */
function shorten(text: string): string {
  return text.length > LONGEST_REPEATED ? `${text.slice(0, LONGEST_REPEATED)}…` : text
}
