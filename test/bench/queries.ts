/** The filters and sorts measured on the trade table. */

import type { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import type { ColumnFilter, SortField } from '../../src/engine/row-query.ts'

export type Condition = readonly [
  column: string,
  operator: ColumnFilter['operator'],
  ...values: (string | number | boolean)[],
]

/** Each makes the same kind of filters, with different values for each `k`. */
export const COMBINATIONS: readonly ((k: number) => readonly Condition[])[] = [
  (k) => [['partner_country_code', 'eq', at(PARTNERS, k)]],
  (k) => [['partner_country_code', 'ne', at(PARTNERS, k)]],
  (k) => [['partner_country_code', 'in', at(PARTNERS, k), at(PARTNERS, k + 3), 'zw']],
  (k) => [['cn8_code', 'not_in', `${10 + k}000000`, '02000000']],
  (k) => [
    ['flow_code', 'eq', 1],
    ['month', 'eq', 1 + k],
    ['partner_country_code', 'eq', 'fr'],
  ],
  (k) => [
    ['value_lei', 'gte', 100_000 * (k + 1)],
    ['flow_code', 'eq', 2],
  ],
  (k) => [
    ['value_lei', 'gt', 100 + k],
    ['value_lei', 'lte', 900_000],
    ['net_mass_kg', 'lt', 5000],
    ['month', 'gte', 3],
  ],
  (k) => [['cn8_description', 'contains', at(WORDS, k)]],
  (k) => [
    ['cn8_description', 'starts_with', at(BEGINNINGS, k)],
    ['supplementary_quantity', 'is_null', false],
  ],
  (k) => [
    ['origin_country_code', 'is_null', true],
    ['month', 'ne', 1 + k],
  ],
]
export const PARTNERS = ['de', 'it', 'fr', 'hu', 'pl', 'bg', 'tr', 'cn']
const WORDS = ['oțel', 'plastic', 'lână', 'cauciuc', 'aluminiu']
const BEGINNINGS = ['mașini', 'părți', 'țesături', 'produse', 'aparate']
/** How often each combination is counted; the median is reported. */
export const VARIANTS = 5

function at(values: readonly string[], k: number): string {
  return values[k % values.length] as string
}

export const SORTS: readonly (readonly string[])[] = [
  ['value_lei'],
  ['-net_mass_kg'],
  ['cn8_description'],
  ['partner_country_code', '-value_lei'],
  ['origin_country_code', 'month', '-net_mass_kg'],
  ['value_lei', '-net_mass_kg', 'cn8_description'],
]

/** Position of a column. */
function columnAt(dataset: OpenDataset, name: string): number {
  return dataset.columns.findIndex((column) => column.name === name)
}

/** @param name of a column, with a minus in front for descending order */
export function toSortField(dataset: OpenDataset, name: string): SortField {
  const descending = name.startsWith('-')
  return { column: columnAt(dataset, descending ? name.slice(1) : name), descending }
}

export function toFilter(dataset: OpenDataset, [name, operator, ...values]: Condition): ColumnFilter {
  return { column: columnAt(dataset, name), operator, operands: [values] }
}
