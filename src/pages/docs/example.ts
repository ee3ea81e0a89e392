/** The values in the guides' examples, taken from a published dataset, so that the examples work unchanged. */

import { wordsOf } from '../../base/text/words.ts'
import { listItem } from '../../query/values.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { type Descriptor, type DescriptorColumn, datasetEndpoint } from '../../store/catalog/record.ts'

export type ExampleValues = Readonly<Record<string, string>>

export interface Example {
  readonly values: ExampleValues
  /** Whether the dataset is made up, because no served one is suitable. */
  readonly isMadeUp: boolean
}

const MOST_LOOKED_AT = 50
const LONGEST_TEXT = 40

/**
 * Finds the first dataset, by domain and id, with a text column and a number column that have values.
 * @param isOpen whether rows are shown without a key; if so, only datasets with open rows qualify, else the values are made
 * up
 */
export function findExample(catalog: Catalog, isOpen: boolean): Example {
  for (const { id } of catalog.list({ limit: MOST_LOOKED_AT, offset: 0 }).datasets) {
    if (isOpen && catalog.find(id)?.open === false) continue
    const descriptor = catalog.descriptor(id)
    const values = descriptor && valuesOf(descriptor, isOpen)
    if (values !== undefined) return { values, isMadeUp: false }
  }
  return { values: placeholders(MADE_UP_PARTS), isMadeUp: true }
}

function valuesOf(descriptor: Descriptor, isOpen: boolean): ExampleValues | undefined {
  const { id, domain, title, columns, sample_row, row_count } = descriptor
  // Amounts vary more than years and steps.
  const number = columns
    .filter(({ type, min, max }) => type === 'integer' && min !== null && max !== null)
    .sort((one, other) => other.distinct_count - one.distinct_count)[0]
  // Names read better than codes such as CN8, which are texts of digits. A column with about as many values as there
  // are counties makes the best filter.
  const distance = ({ distinct_count }: DescriptorColumn) => Math.abs(Math.log(distinct_count / 42))
  const text = columns
    .filter(
      ({ type, min, max, distinct_count }) =>
        type === 'string' && distinct_count > 1 && isShown(min) && isShown(max) && !/^\d+$/.test(String(max)),
    )
    .sort((one, other) => distance(one) - distance(other))[0]
  if (number === undefined || text === undefined || sample_row === null) return undefined
  // Values that need no escaping in an address come first.
  const escapes = (value: string) => encodeURIComponent(value).length - value.length
  const candidates = [sample_row[text.name], text.min, text.max]
    .filter(isShown)
    .sort((one, other) => escapes(one) - escapes(other))
  const shown = candidates[0]
  const other = candidates.find((value) => value !== shown)
  if (shown === undefined || other === undefined) return undefined
  return placeholders({
    id,
    domain,
    rows: row_count,
    text: text.name,
    number: number.name,
    textValue: shown,
    otherValue: other,
    numberValue: Number(sample_row[number.name] ?? number.min),
    low: Number(number.min),
    high: Number(number.max),
    ...(!isOpen && MADE_UP_VALUES),
    search: wordsOf(title)[0] ?? id,
  })
}

function isShown(value: unknown): value is string {
  return typeof value === 'string' && /^[^\p{Cc}]+$/u.test(value) && value.length <= LONGEST_TEXT
}

function placeholders(parts: typeof MADE_UP_PARTS): ExampleValues {
  const { id, domain, textValue, otherValue } = parts
  const part = [...textValue].slice(0, 3).join('').trim()
  return {
    id,
    domain,
    path: datasetEndpoint(domain, id),
    rows: String(parts.rows),
    text: parts.text,
    number: parts.number,
    search: parts.search,
    text_json: JSON.stringify(textValue),
    text_query: encodeURIComponent(textValue),
    other_query: encodeURIComponent(otherValue),
    text_item: encodeURIComponent(listItem(textValue)),
    other_item: encodeURIComponent(listItem(otherValue)),
    part_query: encodeURIComponent(part),
    number_value: String(parts.numberValue),
    low: String(parts.low),
    high: String(parts.high),
  }
}

const MADE_UP_VALUES = { textValue: 'Cluj', otherValue: 'Bihor', numberValue: 100, low: 10, high: 900 }

const MADE_UP_PARTS = {
  id: 'vehicle_registry',
  domain: 'transport',
  rows: 12_345,
  text: 'county',
  number: 'vehicle_count',
  ...MADE_UP_VALUES,
  search: 'vehicule',
}
