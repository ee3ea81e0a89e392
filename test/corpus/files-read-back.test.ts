/** Parquet and XLSX exports of published files and of random tables, read back by other programs. */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { resultFacts } from '../../src/engine/aggregate/group-query.ts'
import { ingestFile } from '../../src/publish/ingest.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { corpusFiles, corpusPath, type Suite, there } from '../support/corpus.ts'
import { findProgram } from '../support/find-program.ts'
import { IS_FULL, runs } from '../support/property-runs.ts'
import { findPython, runPython } from '../support/python.ts'
import { aggregateQueriesFor } from '../support/random-aggregate.ts'
import { type PlainTable, tables } from '../support/random-table.ts'
import { tempDir } from '../support/temp-dir.ts'

/** openpyxl takes seconds for larger sheets; only a full run reads those. */
const MOST_CELLS = 100_000

const SUITES: readonly Suite[] = ['fixtures', 'pollock']
/** An empty file, of which nothing is published. */
const EMPTY = 'locations-1998.csv'
/** UTF-8, quoted texts, and the values of cells, not what they display. */
const CSV_FILTER = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false'

const soffice = findProgram('soffice')
const python = findPython('pyarrow', 'duckdb', 'polars', 'openpyxl')
const script = await Bun.file(join(import.meta.dir, '../support/read-back.py')).text()

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

/** LibreOffice stops after 247 files without an error. */
const WORKBOOKS_AT_ONCE = 200

/** Converts workbooks to CSV with LibreOffice. @returns the folder of the files, null without LibreOffice */
async function convertWorkbooks(folder: string, workbooks: readonly string[]): Promise<string | null> {
  if (soffice === null) return null
  const output = join(folder, 'csv')
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  for (let from = 0; from < workbooks.length; from += WORKBOOKS_AT_ONCE) {
    const some = workbooks.slice(from, from + WORKBOOKS_AT_ONCE)
    const child = Bun.spawn(
      [soffice, profile, '--headless', '--convert-to', CSV_FILTER, '--outdir', output, ...some],
      { stdout: 'ignore', stderr: 'ignore', timeout: 100_000 },
    )
    expect(await child.exited).toBe(0)
  }
  return output
}

/** A file to be read back. */
interface Asked {
  readonly name: string
  /** The address, without its format. */
  readonly address: string
  readonly columns: readonly (readonly [name: string, type: string])[]
  /** Whether the file is too large for openpyxl. */
  readonly isLarge: boolean
}

async function exportOf(id: string): Promise<Asked> {
  const { columns, row_count: rows } = (await app.get(`/v1/datasets/${id}`)).body
  return {
    name: id,
    address: `/v1/test/${id}/export?`,
    columns: columns.map(({ name, type }: { name: string; type: string }) => [name, type]),
    isLarge: rows * columns.length > MOST_CELLS,
  }
}

/** A query for groups of a table by some of its columns, with measures of others. */
function groupsOf(id: string, table: PlainTable): fc.Arbitrary<Asked> {
  return aggregateQueriesFor(table).map(({ groups, measures: given }) => {
    const measures = [...new Map(given.map((measure) => [JSON.stringify(measure), measure])).values()]
    const nameOf = (column: number) => table.columns[column]!.name
    const grouped = groups.map(({ column, part }) =>
      part === null ? nameOf(column) : `${part}(${nameOf(column)})`,
    )
    const measured = measures.map(({ kind, column }) =>
      column === null ? kind : `${kind}(${nameOf(column)})`,
    )
    const query = new URLSearchParams({
      ...(grouped.length > 0 && { group_by: grouped.map((entry, n) => `g${n}:${entry}`).join() }),
      measures: measured.map((entry, n) => `m${n}:${entry}`).join(),
    })
    const facts = resultFacts(table.columns, { groups, measures })
    return {
      name: `${id}_groups`,
      address: `/v1/test/${id}/aggregate?${query}&`,
      columns: facts.map(({ type, isExact }, index) => [
        index < groups.length ? `g${index}` : `m${index - groups.length}`,
        isExact ? 'exact' : type,
      ]),
      isLarge: false,
    }
  })
}

/** Exports files and reads them back. @returns the differences from NDJSON */
async function differencesOf(asked: readonly Asked[]): Promise<readonly string[]> {
  const folder = tempDir()
  const cases = []
  for (const { name, address, columns, isLarge } of asked) {
    const save = async (format: string) => {
      const answer = await app.fetch(`${address}format=${format}`)
      expect([name, address, format, answer.status]).toEqual([name, address, format, 200])
      const path = join(folder, `${name}.${format}`)
      await Bun.write(path, await answer.bytes())
      return path
    }
    const isSmall = IS_FULL || !isLarge
    cases.push({
      ...{ name, columns },
      ndjson: await save('ndjson'),
      parquet: await save('parquet'),
      xlsx: isSmall ? await save('xlsx') : null,
    })
  }
  const converted = await convertWorkbooks(
    folder,
    cases.flatMap(({ xlsx }) => xlsx ?? []),
  )
  const path = join(folder, 'cases.json')
  const csvOf = (name: string) => (converted === null ? null : join(converted, `${name}.csv`))
  const compared = cases.map((one) => ({ ...one, csv: one.xlsx === null ? null : csvOf(one.name) }))
  await Bun.write(path, JSON.stringify(compared))
  return runPython<string[]>(python!, script, path)
}

test.skipIf(!there || python === null)(
  'exports of published files, read back, equal NDJSON in values, types, nulls, order and rows',
  async () => {
    const ids: string[] = []
    for (const suite of SUITES)
      for (const name of corpusFiles(suite)) {
        if (name === EMPTY) continue
        const id = `file_${ids.length}`
        const settings = app.config
        await ingestFile(app.app, {
          ...{ file: corpusPath(suite, name), id, domain: 'test', title: name, settings },
          ...{ dryRun: false, acceptDrift: false },
        })
        ids.push(id)
      }
    expect(await differencesOf(await Promise.all(ids.map(exportOf)))).toEqual([])
  },
  120_000,
)

test.skipIf(python === null)(
  'exports of random tables and of their groups, read back, equal NDJSON',
  async () => {
    const asked: Asked[] = []
    for (const [n, table] of fc.sample(tables(), runs(200)).entries()) {
      const id = `table_${n}`
      await app.publish({ id, domain: 'test', table })
      asked.push(await exportOf(id), ...fc.sample(groupsOf(id, table), 1))
    }
    expect(await differencesOf(asked)).toEqual([])
  },
  120_000,
)
