import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { startTestApp, type TestApp } from '../support/app.ts'
import { findPython, runPython } from '../support/python.ts'
import { readParquet } from '../support/read-parquet.ts'
import { tempDir } from '../support/temp-dir.ts'
import { TOWNS, TOWNS_PATH, TOWNS_TABLE } from '../support/towns.ts'

const EXPORT = `${TOWNS_PATH}/export`
const PARQUET = 'application/vnd.apache.parquet'

let app: TestApp
beforeAll(async () => {
  app = startTestApp()
  await app.publish(TOWNS)
})
afterAll(() => app.stop())

async function fetchBytes(path: string): Promise<Uint8Array> {
  const answer = await app.fetch(path)
  expect(answer.status).toBe(200)
  return answer.bytes()
}

/** Rows of a Python reader as the list has them: what it says of a type differs, what it says of a value does not. */
const READERS = {
  pyarrow: `
import pyarrow.parquet as pq, json, sys
rows = pq.read_table(sys.argv[1]).to_pylist()`,
  duckdb: `
import duckdb, json, sys
duckdb.sql("SET TimeZone='UTC'")
found = duckdb.sql(f"SELECT * FROM '{sys.argv[1]}'")
rows = [dict(zip(found.columns, row)) for row in found.fetchall()]`,
  polars: `
import polars, json, sys
rows = polars.read_parquet(sys.argv[1]).to_dicts()`,
}
const PRINT = `
import datetime
def say(value):
    if isinstance(value, datetime.datetime): return value.strftime('%Y-%m-%dT%H:%M:%S') + ('.%06d' % value.microsecond).rstrip('0').rstrip('.') + 'Z'
    return value.isoformat() if isinstance(value, datetime.date) else value
print(json.dumps([{name: say(value) for name, value in row.items()} for row in rows]))`

describe('format=parquet', () => {
  test('is a file of its type, chosen by format or Accept, and never encoded', async () => {
    for (const [path, headers] of [
      [`${EXPORT}?format=parquet`, {}],
      [EXPORT, { accept: `${PARQUET}, text/csv;q=0.5` }],
      [`/datasets/towns/download?format=parquet`, {}],
    ] as const) {
      const answer = await app.fetch(path, { headers: { ...headers, 'accept-encoding': 'gzip, zstd' } })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, PARQUET])
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="towns.parquet"')
      expect(answer.headers.get('content-encoding')).toBeNull()
      const { rows } = await readParquet(await answer.bytes())
      expect(rows.map((row) => row.town)).toEqual(TOWNS_TABLE.rows.map((row) => row[1] as string))
    }
  })

  test('filters, sort and fields apply, and the file says what it is of', async () => {
    const query = 'year[gte]=2022&sort=-people&fields=town,people'
    const { rows, metadata } = await readParquet(await fetchBytes(`${EXPORT}?format=parquet&${query}`))
    const { body } = await app.get(`${TOWNS_PATH}?${query}`)
    expect(
      rows.map(({ people, ...row }) => ({ ...row, people: people === null ? null : Number(people) })),
    ).toEqual(body.data)
    const facts = Object.fromEntries(metadata.key_value_metadata!.map(({ key, value }) => [key, value]))
    const { provenance, license } = (await app.get('/v1/datasets/towns')).body
    expect(facts).toEqual({
      ...{ 'izvor.dataset': 'towns', 'izvor.version': String(provenance.ingestion_version) },
      'izvor.source_sha256': provenance.source_sha256,
      ...(license !== null && { 'izvor.license': license }),
    })
    expect((await readParquet(await fetchBytes(`${EXPORT}?format=parquet&year=1`))).rows).toEqual([])
  })

  test.each(['bom=true', 'delimiter=;', 'safe=true'])('%s is refused: it is about CSV', async (query) => {
    const { status, body } = await app.get(`${EXPORT}?format=parquet&${query}`)
    expect([status, body.error.code]).toEqual([422, 'invalid_value'])
  })

  for (const [name, script] of Object.entries(READERS)) {
    const python = findPython(name, ...(name === 'duckdb' ? ['pytz'] : []))
    test.skipIf(python === null)(`${name} reads the rows of the list`, async () => {
      const path = join(tempDir(), `${name}.parquet`)
      await Bun.write(path, await fetchBytes(`${EXPORT}?format=parquet`))
      expect(runPython<unknown>(python!, script + PRINT, path)).toEqual((await app.get(TOWNS_PATH)).body.data)
    })
  }
})
