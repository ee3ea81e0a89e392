import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { read, utils } from '@e965/xlsx'
import { startTestApp, type TestApp } from '../support/app.ts'
import { findProgram } from '../support/find-program.ts'
import { findPython, runPython } from '../support/python.ts'
import { readParquet } from '../support/read-parquet.ts'
import { parseRfc4180 } from '../support/rfc4180.ts'
import { tempDir } from '../support/temp-dir.ts'
import { TOWNS, TOWNS_PATH, TOWNS_TABLE } from '../support/towns.ts'

const EXPORT = `${TOWNS_PATH}/export`
const PARQUET = 'application/vnd.apache.parquet'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.publish(TOWNS)
})
afterAll(() => app.stop())

async function fetchBytes(path: string): Promise<Uint8Array> {
  const answer = await app.fetch(path)
  expect(answer.status).toBe(200)
  return answer.bytes()
}

/** Rows of a Python reader in the form of the list: readers differ in types, not in values. */
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
  test('is a Parquet file, chosen by format or Accept, without a content coding', async () => {
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

  test('filters, sort and fields apply, and the file names its dataset', async () => {
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

  test.each(['bom=true', 'delimiter=;', 'safe=true'])(
    '%s is refused, as it only applies to CSV',
    async (query) => {
      const { status, body } = await app.get(`${EXPORT}?format=parquet&${query}`)
      expect([status, body.error.code]).toEqual([422, 'invalid_value'])
    },
  )

  for (const [name, script] of Object.entries(READERS)) {
    const python = findPython(name, ...(name === 'duckdb' ? ['pytz'] : []))
    test.skipIf(python === null)(`${name} reads the rows of the list`, async () => {
      const path = join(tempDir(), `${name}.parquet`)
      await Bun.write(path, await fetchBytes(`${EXPORT}?format=parquet`))
      expect(runPython<unknown>(python!, script + PRINT, path)).toEqual((await app.get(TOWNS_PATH)).body.data)
    })
  }
})

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const SOFFICE = findProgram('soffice')

describe('format=xlsx', () => {
  test('is a workbook, chosen by format or Accept, without a content coding', async () => {
    for (const [path, headers] of [
      [`${EXPORT}?format=xlsx&sort=town`, {}],
      [`${EXPORT}?sort=town`, { accept: WORKBOOK }],
      ['/datasets/towns/download?format=xlsx&sort=town', {}],
    ] as const) {
      const answer = await app.fetch(path, { headers: { ...headers, 'accept-encoding': 'gzip, zstd' } })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, WORKBOOK])
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="towns.xlsx"')
      expect(answer.headers.get('content-encoding')).toBeNull()
      const book = read(await answer.bytes())
      const rows = utils.sheet_to_json<Record<string, unknown>>(book.Sheets.data!)
      const { body } = await app.get(`${TOWNS_PATH}?sort=town&fields=town`)
      expect(rows.map((row) => row.town)).toEqual(body.data.map((row: { town: string }) => row.town))
    }
  })

  test('the second sheet names the dataset and says which rows these are', async () => {
    const book = read(await fetchBytes(`${EXPORT}?format=xlsx&year[gte]=2022&county=Alba&fields=town`))
    const lines = utils.sheet_to_json<[string, string]>(book.Sheets.about!, { header: 1 })
    const said = (start: string) =>
      lines.filter(([label]) => label.startsWith(start)).map(([, value]) => value)
    expect(said('Title')).toEqual([TOWNS.title!])
    expect(said('Version')).toEqual(['1'])
    expect(said('Source')).toEqual([TOWNS.source_url!])
    expect(said('Filter')).toEqual(['year[gte]=2022', 'county=Alba'])
  })

  const openpyxl = findPython('openpyxl')
  test.skipIf(openpyxl === null)('openpyxl reads the rows of the list', async () => {
    const path = join(tempDir(), 'towns.xlsx')
    await Bun.write(path, await fetchBytes(`${EXPORT}?format=xlsx`))
    const script = `
import openpyxl, json, sys
sheet = openpyxl.load_workbook(sys.argv[1])['data']
header, *records = sheet.iter_rows(values_only=True)
kinds = {'counted_on': '%Y-%m-%d', 'entered_at': '%Y-%m-%dT%H:%M:%S'}
def say(name, value):
    if not isinstance(value, datetime.datetime): return value
    text = value.strftime(kinds[name])
    return text if name == 'counted_on' else text + ('.%06d' % value.microsecond).rstrip('0').rstrip('.') + 'Z'
import datetime
print(json.dumps([{name: say(name, value) for name, value in zip(header, record)} for record in records]))`
    const rows = runPython<Record<string, unknown>[]>(openpyxl!, script, path)
    const { body } = await app.get(TOWNS_PATH)
    expect(rows).toEqual(body.data)
    expect(
      runPython(
        openpyxl!,
        `
import openpyxl, json, sys
sheet = openpyxl.load_workbook(sys.argv[1])['data']
print(json.dumps([sheet.freeze_panes, sheet.auto_filter.ref, sheet['A1'].font.b, sheet['A2'].font.b]))`,
        path,
      ),
    ).toEqual(['A2', 'A1:I11', true, false])
  })

  test.skipIf(SOFFICE === null)('LibreOffice reads the rows of the list', async () => {
    const folder = tempDir()
    const path = join(folder, 'towns.xlsx')
    await Bun.write(path, await fetchBytes(`${EXPORT}?format=xlsx`))
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
    // UTF-8, all texts quoted, cells as they are displayed.
    const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true'
    const { success } = Bun.spawnSync(
      [SOFFICE!, profile, '--headless', '--convert-to', filter, '--outdir', folder, path],
      { stdout: 'ignore', stderr: 'ignore', timeout: 60_000 },
    )
    expect(success).toBe(true)
    const shown = (await Bun.file(join(folder, 'towns.csv')).text()).replaceAll('\n', '\r\n')
    const [header, ...records] = parseRfc4180(shown).map((record) => record.map((field) => field.text))
    expect(header).toEqual(TOWNS_TABLE.columns.map(({ name }) => name))
    const say = (value: unknown) =>
      typeof value === 'boolean' ? String(value).toUpperCase() : String(value ?? '')
    // Cells display whole seconds unless they have a fraction.
    const moment = (text: string) => text.replace('T', ' ').replace('.5Z', '.500').replace('Z', '')
    const { body } = await app.get(TOWNS_PATH)
    const wanted = body.data.map((row: Record<string, unknown>) =>
      Object.entries(row).map(([name, value]) => (name === 'entered_at' ? moment(say(value)) : say(value))),
    )
    expect(records).toEqual(wanted)
  })
})
