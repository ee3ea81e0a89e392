/** What the guides' examples are made of: a dataset that is there, so that they can be called as they stand. */

import type { Catalog } from '../../catalog/catalog.ts'
import { type Descriptor, type DescriptorColumn, datasetEndpoint } from '../../catalog/record.ts'
import { wordsOf } from '../../catalog/search-words.ts'

/** Values by the names that stand in double braces in a guide. */
export type ExampleValues = Readonly<Record<string, string>>

export interface Example {
  readonly values: ExampleValues
  /** Whether there is no such dataset, since none that is served would do. */
  readonly isMadeUp: boolean
}

/** Datasets that are looked at before one is made up. */
const MOST_LOOKED_AT = 50
const LONGEST_TEXT = 40

/**
 * Finds a dataset with a text and a number column that have values, the first by domain and id.
 * @param isOpen whether its values may be shown; else they are made up
 */
export function findExample(catalog: Catalog, isOpen: boolean): Example {
  for (const { id } of catalog.list({ limit: MOST_LOOKED_AT, offset: 0 }).datasets) {
    const descriptor = catalog.descriptor(id)
    const values = descriptor && valuesOf(descriptor, isOpen)
    if (values !== undefined) return { values, isMadeUp: false }
  }
  return { values: MADE_UP, isMadeUp: true }
}

function valuesOf(descriptor: Descriptor, isOpen: boolean): ExampleValues | undefined {
  const { id, domain, title, columns, sample_row, row_count } = descriptor
  const number = columns.filter(hasNumbers).sort(byVariety)[0]
  const text = columns.filter(hasTexts).sort(byFitness)[0]
  if (number === undefined || text === undefined || sample_row === null) return undefined
  // Plain words first: in an address they are the same as on paper.
  const candidates = [sample_row[text.name], text.min, text.max].filter(isShown).sort(byPlainness)
  const shown = candidates[0]
  const other = candidates.find((value) => value !== shown)
  if (shown === undefined || other === undefined) return undefined
  return placeholders({
    ...{ id, domain, rows: row_count, text: text.name, number: number.name },
    ...{ textValue: shown, otherValue: other },
    numberValue: Number(sample_row[number.name] ?? number.min),
    ...{ low: Number(number.min), high: Number(number.max) },
    ...(!isOpen && MADE_UP_VALUES),
    search: wordsOf(title)[0] ?? id,
  })
}

interface Parts {
  readonly id: string
  readonly domain: string
  readonly rows: number
  readonly text: string
  readonly number: string
  readonly textValue: string
  readonly otherValue: string
  readonly numberValue: number
  readonly low: number
  readonly high: number
  readonly search: string
}

/** Codes such as CN8 are texts of digits: a name is better to show. */
function hasTexts({ type, min, max, distinct_count }: DescriptorColumn): boolean {
  return type === 'string' && distinct_count > 1 && isShown(min) && isShown(max) && !/^\d+$/.test(String(max))
}

function hasNumbers({ type, min, max }: DescriptorColumn): boolean {
  return type === 'integer' && min !== null && max !== null
}

/** Amounts vary more than years and steps. */
function byVariety(one: DescriptorColumn, other: DescriptorColumn): number {
  return other.distinct_count - one.distinct_count
}

/** As many values as there are counties make the best filter: neither yes and no, nor a name for each row. */
const BEST_COUNT = 42

function byFitness(one: DescriptorColumn, other: DescriptorColumn): number {
  const distance = ({ distinct_count }: DescriptorColumn) => Math.abs(Math.log(distinct_count / BEST_COUNT))
  return distance(one) - distance(other)
}

function byPlainness(one: string, other: string): number {
  return encodeURIComponent(one).length - one.length - (encodeURIComponent(other).length - other.length)
}

function isShown(value: unknown): value is string {
  return typeof value === 'string' && /^[^\p{Cc}]+$/u.test(value) && value.length <= LONGEST_TEXT
}

function placeholders(parts: Parts): ExampleValues {
  const { id, domain, textValue, otherValue } = parts
  const part = [...textValue].slice(0, 3).join('').trim()
  return {
    ...{ id, domain, path: datasetEndpoint(domain, id), rows: String(parts.rows) },
    ...{ text: parts.text, number: parts.number, search: parts.search },
    text_json: JSON.stringify(textValue),
    text_query: encodeURIComponent(textValue),
    other_query: encodeURIComponent(otherValue),
    text_item: listItem(textValue),
    other_item: listItem(otherValue),
    part_query: encodeURIComponent(part),
    number_value: String(parts.numberValue),
    low: String(parts.low),
    high: String(parts.high),
  }
}

/** As one of a list's values: in quotes when it has a comma or a quote itself. */
function listItem(value: string): string {
  const item = /[,"]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
  return encodeURIComponent(item)
}

const MADE_UP_VALUES = { textValue: 'Cluj', otherValue: 'Iași', numberValue: 100, low: 1, high: 1000 }

const MADE_UP = placeholders({
  ...{ id: 'vehicle_registry', domain: 'transport', rows: 12_345, text: 'county', number: 'vehicle_count' },
  ...MADE_UP_VALUES,
  search: 'vehicule',
})
