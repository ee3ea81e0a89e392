/**
 * Refusals in a page's language: a sentence for the API's error code (`texts/refusals.ts`), with the location of the error
 * and what the page knows about it. The API itself answers in English.
 */

import type { ErrorCode } from '../../base/error-codes.ts'
import type { Problem } from '../../base/errors.ts'
import { shorten } from '../../base/text/fit-text.ts'
import type { Language } from '../../base/text/language.ts'
import type { Parameter } from '../../base/text/query-string.ts'
import type { DescriptorColumn } from '../../store/catalog/record.ts'
import { REFUSALS, type Refused } from '../texts/refusals.ts'
import { API_LANGUAGE } from '../texts/texts.ts'

export interface ToldError {
  readonly code: ErrorCode
  readonly message: string
  readonly detail?: readonly Problem[] | undefined
  readonly wait?: number | undefined
}

export interface Asked {
  readonly parameters?: readonly Parameter[]
  readonly columns?: readonly (Pick<DescriptorColumn, 'name' | 'type'> & Partial<DescriptorColumn>)[]
  /** Parameters of the API that the page does not use and so does not suggest. */
  readonly unused?: readonly string[]
}

export interface Said {
  readonly text: string
  /** The API's own sentence, where `text` is in another language and says less. */
  readonly original: string | null
}

/** Codes with several possible reasons, which only the API's sentence distinguishes. */
const SEVERAL_REASONS: ReadonlySet<ErrorCode> = new Set([
  'invalid_body',
  'invalid_cursor',
  'invalid_value',
  'service_unavailable',
])

const USUAL_WAIT_S = 5
const LONGEST_REPEATED = 80

/** The sentence for an error of the API. */
export function sayRefusal(language: Language, error: ToldError, asked: Asked = {}): Said {
  const refused = describeRefused(error, asked)
  // A page that stayed open may get a code from a newer version of the service.
  const say = REFUSALS[language][error.code] ?? (({ message }) => message)
  const text = say(refused)
  // Where the type of the column is known, the sentence says what the column takes.
  const isWhole = language === API_LANGUAGE || !SEVERAL_REASONS.has(error.code) || refused.type !== undefined
  return { text, original: isWhole ? null : error.message }
}

function describeRefused({ message, detail = [], wait }: ToldError, asked: Asked): Refused {
  const first = detail[0]
  const written = first?.location.replace(/^(query|path|body|header)(\.|$)/, '') ?? ''
  const [, name = written, operator] = /^([^[]*)\[(.*)\]$/.exec(written) ?? []
  // With several values for one parameter, the wrong one is unknown.
  const [value, another] = asked.parameters?.filter((parameter) => parameter.name === written) ?? []
  const { unused = [], columns = [] } = asked
  // A parameter that the page does not use may also be a column.
  const suggestions = (first?.suggestions ?? []).filter(
    (one) => !unused.includes(one) || columns.some((column) => column.name === one),
  )
  const missing = missingColumns(asked, name)
  const known = columns.find((column) => column.name === name)
  return {
    message,
    name: shorten(known?.title ?? name, LONGEST_REPEATED),
    operator: operator && shorten(operator, LONGEST_REPEATED),
    value: value === undefined || another !== undefined ? undefined : shorten(value.value, LONGEST_REPEATED),
    type: known?.type,
    unknown: missing.length === 1 ? shorten(missing[0]!, LONGEST_REPEATED) : undefined,
    suggestions,
    wait: wait ?? USUAL_WAIT_S,
  }
}

/** Unknown names in a list of columns (`sort`, `fields`). */
function missingColumns({ parameters = [], columns = [] }: Asked, parameter: string): string[] {
  const list = parameters.find(({ name }) => name === parameter)?.value.split(',') ?? []
  const names = new Set(list.map((item) => (parameter === 'sort' ? item.replace(/^-/, '') : item)))
  return [...names].filter((name) => !columns.some((column) => column.name === name))
}
