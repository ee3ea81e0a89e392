/** A small dataset with a column of every type, nulls, ties, other spellings, and a column named like a parameter. */

import type { Value } from '../../src/engine/columns/column.ts'
import type { TableDataset } from './publish-table.ts'
import type { PlainTable } from './random-table.ts'

const ROWS: readonly (readonly (Value | null)[])[] = [
  ['Cluj', 'Cluj-Napoca', 2021, 286598, 179.5, true, '2021-12-01', '2021-12-01T08:00:00Z', 3],
  ['Cluj', 'Turda', 2021, 43319, 91.43, false, '2021-12-01', '2021-12-01T08:00:00.5Z', 1],
  ['Iași', 'Iași', 2022, 271692, 93.9, true, '2022-06-15', '2022-06-15T21:30:00Z', 2],
  ['IAȘI', 'Pașcani', 2022, 30766, 75.42, false, '2022-06-15', null, 2],
  ['Iaşi', 'Hârlău', 2021, 9136, null, null, null, '2021-12-01T06:00:00Z', null],
  ['Alba', 'Alba Iulia, "Cetatea"', 2023, 64227, 103.65, true, '2023-01-31', '2023-01-31T00:00:00Z', 1],
  ['Alba', '', 2023, null, 0, false, '2023-02-28', null, 0],
  ['București', 'București', null, 1716961, 240, true, '2020-02-29', '2020-02-29T12:00:00Z', 6],
  [null, 'Nicăieri', 2020, 0, -1.5, null, '2019-12-31', '2019-12-31T23:59:59Z', null],
  ['Bacău', 'Onești', 2020, 39172, 52.3, false, '2020-01-01', '2020-01-01T00:00:00Z', 4],
]

export const TOWNS_TABLE: PlainTable = {
  columns: [
    { name: 'county', type: 'string' },
    { name: 'town', type: 'string' },
    { name: 'year', type: 'integer' },
    { name: 'people', type: 'integer' },
    { name: 'area', type: 'decimal' },
    { name: 'seat', type: 'boolean' },
    { name: 'counted_on', type: 'date' },
    { name: 'entered_at', type: 'datetime' },
    { name: 'count', type: 'integer' },
  ],
  rows: ROWS,
}

export const TOWNS: TableDataset = {
  id: 'towns',
  domain: 'geospatial',
  title: 'Orașe și comune',
  description: 'Towns for tests',
  source_url: 'https://data.example.org/orașe',
  table: TOWNS_TABLE,
}

export const TOWNS_PATH = '/v1/geospatial/towns'
