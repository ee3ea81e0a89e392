/** Exports as Parquet and XLSX of published files and of random tables, read back by programs of others. */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { ingestFile } from '../../src/ingest/ingest.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { corpusFiles, corpusPath, there } from '../support/corpus.ts'
import { IS_FULL, runs } from '../support/property-runs.ts'
import { findPython, runPython } from '../support/python.ts'
import { tables } from '../support/random-table.ts'
import { tempDir } from '../support/temp-dir.ts'

/** openpyxl takes seconds for larger sheets, which a full run reads as well. */
const MOST_CELLS = 100_000

const python = findPython('pyarrow', 'duckdb', 'polars', 'openpyxl')
const script = await Bun.file(join(import.meta.dir, '../support/read-back.py')).text()

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

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
  const path = join(folder, 'cases.json')
  await Bun.write(path, JSON.stringify(cases))
  return runPython<string[]>(python!, script, path)
}

test.skipIf(!there || python === null)(
  'published files, exported, read back as NDJSON has them: values, types, nulls, order and rows',
  async () => {
    const ids: string[] = []
    for (const name of corpusFiles('fixtures')) {
      const id = `file_${ids.length}`
      const settings = app.config
      await ingestFile(app.app, {
        ...{ file: corpusPath('fixtures', name), id, domain: 'test', title: name, settings },
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
