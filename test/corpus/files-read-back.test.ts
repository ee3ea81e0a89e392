/** Exports as Parquet and XLSX of published files and of random tables, read back by programs of others. */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { ingestFile } from '../../src/ingest/ingest.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { corpusFiles, corpusPath, type Suite, there } from '../support/corpus.ts'
import { findProgram } from '../support/find-program.ts'
import { IS_FULL, runs } from '../support/property-runs.ts'
import { findPython, runPython } from '../support/python.ts'
import { tables } from '../support/random-table.ts'
import { tempDir } from '../support/temp-dir.ts'

/** openpyxl takes seconds for larger sheets, which a full run reads as well. */
const MOST_CELLS = 100_000

const SUITES: readonly Suite[] = ['fixtures', 'pollock']
/** Of no bytes: nothing is published of it. */
const EMPTY = 'locations-1998.csv'
/** UTF-8, texts between quotes, cells as their values are and not as they are shown. */
const CSV_FILTER = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false'

const soffice = findProgram('soffice')
const python = findPython('pyarrow', 'duckdb', 'polars', 'openpyxl')
const script = await Bun.file(join(import.meta.dir, '../support/read-back.py')).text()

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

/** Has LibreOffice write workbooks as CSV, all in one run. @returns the folder of the files, null without LibreOffice */
async function convertWorkbooks(folder: string, workbooks: readonly string[]): Promise<string | null> {
  if (soffice === null) return null
  const output = join(folder, 'csv')
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  const child = Bun.spawn(
    [soffice, profile, '--headless', '--convert-to', CSV_FILTER, '--outdir', output, ...workbooks],
    { stdout: 'ignore', stderr: 'ignore', timeout: 100_000 },
  )
  expect(await child.exited).toBe(0)
  return output
}

/** Exports datasets of the domain `test` and reads them back. @returns the differences from NDJSON */
async function differencesOf(ids: readonly string[]): Promise<readonly string[]> {
  const folder = tempDir()
  const cases = []
  for (const id of ids) {
    const { columns, row_count: rows } = (await app.get(`/v1/datasets/${id}`)).body
    const save = async (format: string) => {
      const answer = await app.fetch(`/v1/test/${id}/export?format=${format}`)
      expect([id, format, answer.status]).toEqual([id, format, 200])
      const path = join(folder, `${id}.${format}`)
      await Bun.write(path, await answer.bytes())
      return path
    }
    const isSmall = IS_FULL || rows * columns.length <= MOST_CELLS
    cases.push({
      name: id,
      columns: columns.map(({ name, type }: { name: string; type: string }) => [name, type]),
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
  'published files, exported, read back as NDJSON has them: values, types, nulls, order and rows',
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
    expect(await differencesOf(ids)).toEqual([])
  },
  120_000,
)

test.skipIf(python === null)(
  'random tables, exported, read back as NDJSON has them',
  async () => {
    const ids: string[] = []
    for (const table of fc.sample(tables(), runs(200))) {
      const id = `table_${ids.length}`
      await app.publish({ id, domain: 'test', table })
      ids.push(id)
    }
    expect(await differencesOf(ids)).toEqual([])
  },
  120_000,
)
