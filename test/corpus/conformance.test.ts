/** Conformance suites of other readers for delimited text; skipped with a message if they are missing. */

import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { CommandError } from '../../src/base/errors.ts'
import type { Value } from '../../src/engine/columns/column.ts'
import type { IngestReport } from '../../src/publish/edition/compose-report.ts'
import type { IngestRequest } from '../../src/publish/ingest.ts'
import { corpusFiles, corpusTest, sharedPath } from '../support/corpus.ts'
import { openWorkplace, type Row, writeDefinition } from '../support/ingest.ts'

interface Ingested {
  readonly report: IngestReport
  readonly rows: readonly Row[]
  /** The header as in the file, with line breaks as spaces. */
  readonly headers: readonly string[]
}

async function ingest(path: string, request: Partial<IngestRequest> = {}): Promise<Ingested> {
  const place = openWorkplace()
  const report = await place.ingestPath(path, { id: 'file', domain: 'test', ...request })
  const headers = report.columns.map(({ source_name }) => (source_name ?? '').replace(/\s+/g, ' '))
  return { report, rows: place.rows(report.dataset), headers }
}

/** The truth of the suite differs from its file in the telephone number and in the spelling of the degree sign. */
function expectCoordinates({ headers, rows }: Ingested, truth: Record<string, string>): void {
  expect(headers).toEqual(Object.keys(truth))
  expect(rows[0]).toMatchObject({
    contact_phone_number: 2095257564,
    cities: 'Modesto',
    counties: 'Stanislaus',
  })
}

for (const name of corpusFiles('csv-spectrum')) {
  corpusTest('csv-spectrum', name, 'the rows are those of its JSON', async (path) => {
    const written = readFileSync(
      sharedPath(`conformance/csv-spectrum/json/${name.replace('.csv', '.json')}`),
      'utf8',
    )
    // The truths were written for CRLF files; if this copy of a file has no CRLF, neither have its cells.
    const json = readFileSync(path).includes('\r') ? written : written.replaceAll('\\r\\n', '\\n')
    const truth = [JSON.parse(json)].flat() as Record<string, string>[]
    const ingested = await ingest(path)
    if (name === 'location_coordinates.csv') return expectCoordinates(ingested, truth[0] ?? {})
    const texts = ingested.rows.map((row) => Object.values(row).map((value) => String(value ?? '')))
    expect(
      texts.map((cells) => Object.fromEntries(cells.map((cell, i) => [ingested.headers[i], cell]))),
    ).toEqual(
      truth.map((row) => Object.fromEntries(Object.entries(row).map(([key, cell]) => [key, cell.trim()]))),
    )
  })
}

const STANDARD_HEADER = ['csv--11', 'csv--12', 'csv--13']
const STANDARD_ROWS = [
  ['csv--21', 'csv--22', 'csv--23'],
  ['csv--31', 'csv--32', 'csv--33'],
]

/** The tables of the other files of the suite; files without any text are `refused`. */
const OTHERS: Readonly<Record<string, 'refused' | { header: string[]; rows: (Value | null)[][] }>> = {
  'csv_all_lines_empty.csv': 'refused',
  'csv_empty.csv': 'refused',
  'csv_test_create_from_file.csv': { header: ['test'], rows: [] },
  'csv_with_comma_enclosed.csv': { header: ['This is, a comma', 'csv--12'], rows: [['csv--21', 'csv--22']] },
  'csv_with_empty_cells.csv': {
    header: STANDARD_HEADER,
    rows: [
      ['csv--21', null, 'csv--23'],
      ['csv--31', 'csv--32', null],
    ],
  },
  'csv_with_escaped_characters.csv': {
    header: ['"csv--11"', 'csv--12\\', 'csv--13\\\\', 'csv--14\\\\\\'],
    rows: [],
  },
  'csv_with_line_breaks.csv': { header: ['This is, a comma', 'csv--12'], rows: [] },
  'csv_with_multiple_empty_lines.csv': {
    header: ['csv--21', 'csv--22', 'csv--23'],
    rows: [['csv--41', 'csv--42', 'csv--43']],
  },
  'sheet_with_empty_cells.csv': {
    header: ['A', 'B', 'C'],
    rows: [
      [0, null, null],
      [1, 1, null],
    ],
  },
  'sheet_with_untrimmed_strings.csv': { header: ['A'], rows: [['A'], ['A']] },
  'sheet_with_zeros_in_row.csv': {
    header: ['A', 'B', 'C'],
    rows: [
      [1, 2, 3],
      [0, 0, 0],
    ],
  },
}

const TOLD = ['csv_text_enclosed_with_pound.csv', 'csv_with_different_cells_number.csv']

for (const name of corpusFiles('openspout_csv').filter((name) => !TOLD.includes(name))) {
  const table = OTHERS[name] ?? { header: STANDARD_HEADER, rows: STANDARD_ROWS }
  const guarantee = table === 'refused' ? 'is refused, as it has no text' : 'holds its table'
  corpusTest('openspout_csv', name, guarantee, async (path) => {
    if (table === 'refused') {
      await expect(ingest(path)).rejects.toThrow(CommandError)
      return
    }
    const { headers, rows, report } = await ingest(path)
    expect(headers).toEqual([...table.header])
    expect(rows.map((row) => Object.values(row))).toEqual(table.rows)
    expect(report.rows).toMatchObject({ read: table.rows.length, quarantined: 0 })
  })
}

corpusTest('openspout_csv', TOLD[0] as string, 'holds its table once the quote is given', async (path) => {
  const definition = writeDefinition({ id: 'file', domain: 'test', read: { quote: '#' } })
  const { headers, rows } = await ingest(path, { definition })
  expect(headers).toEqual(['This is, a comma', 'csv--12', 'csv--13'])
  expect(rows.map((row) => Object.values(row))).toEqual([['csv--21', 'csv--22', 'csv--23']])
})

corpusTest(
  'openspout_csv',
  TOLD[1] as string,
  'the two short rows are imported or in quarantine',
  async (path) => {
    const { headers, rows, report } = await ingest(path, { maxQuarantine: 1 })
    expect(headers).toEqual(STANDARD_HEADER)
    expect(report.rows.read).toBe(2)
    expect(report.rows.imported + report.rows.quarantined).toBe(2)
    const short: (Value | null)[][] = [
      ['csv--21', 'csv--22', null],
      ['csv--31', null, null],
    ]
    for (const row of rows) expect(short).toContainEqual(Object.values(row))
  },
)
