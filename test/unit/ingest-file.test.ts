import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../src/base/errors.ts'
import { DataDir } from '../../src/store/files/data-dir.ts'
import { verifyVersionFile } from '../../src/store/files/open-version.ts'
import { openWorkplace, type Workplace, writeDefinition } from '../support/ingest.ts'
import { smallDisk } from '../support/small-disk.ts'
import { tempDir } from '../support/temp-dir.ts'

/** The refusal with which a promise rejects: kind and message. */
async function refusal(ingest: Promise<unknown>): Promise<{ kind: string; message: string }> {
  const error = await ingest.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof CommandError)) throw error ?? new Error('nothing was refused')
  return { kind: error.kind, message: error.message }
}

/** Folders of work in progress. */
function litter({ dataDir }: Workplace): string[] {
  return readdirSync(dataDir.tmpDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

test('a file becomes a served dataset with provenance, descriptor and quality', async () => {
  const place = openWorkplace()
  const text =
    'Județ;Populație;Suprafață;Data\nAlba; 323.778 ;6242,5;1.12.2021\nIlfov;542.686;1583,0;1.12.2021\n;;;\nIași;;5476,25;\n'
  const report = await place.ingest(text, { title: 'Județe' })
  expect(report).toMatchObject({
    dataset: 'sample',
    domain: 'test',
    version: 1,
    dry_run: false,
    published: true,
    source: {
      file: 'sample.csv',
      bytes: Buffer.byteLength(text),
      sha256: new Bun.CryptoHasher('sha256').update(text).digest('hex'),
    },
    dialect: {
      format: 'csv',
      encoding: 'utf-8',
      delimiter: ';',
      quote: '"',
      line_end: 'lf',
      header_rows: [1],
      sheet: null,
    },
    rows: { read: 3, blank: 1, imported: 3, quarantined: 0, left_out: 0 },
    quarantine: [],
    drift: null,
  })
  expect(place.rows()).toEqual([
    { judet: 'Alba', populatie: 323778, suprafata: 6242.5, data: '2021-12-01' },
    { judet: 'Ilfov', populatie: 542686, suprafata: 1583, data: '2021-12-01' },
    { judet: 'Iași', populatie: null, suprafata: 5476.25, data: null },
  ])
  const descriptor = place.catalog.descriptor('sample')
  expect(descriptor).toMatchObject({
    id: 'sample',
    title: 'Județe',
    row_count: 3,
    primary_key: [],
    sample_row: { judet: 'Alba', data: '2021-12-01' },
    provenance: {
      ingestion_version: 1,
      rows_imported: 3,
      rows_quarantined: 0,
      source_file: 'sample.csv',
      source_sha256: report.source.sha256,
      source_url: null,
      imported_at: '2025-06-01T12:30:45Z',
    },
  })
  expect(descriptor?.columns[2]).toEqual({
    name: 'suprafata',
    title: 'Suprafață',
    unit: null,
    type: 'decimal',
    required: false,
    description: null,
    source_name: 'Suprafață',
    null_count: 0,
    distinct_count: 3,
    min: 1583,
    max: 6242.5,
  })
  expect(place.catalog.quality('sample')).toMatchObject({
    measured: true,
    rows: { read: 3, imported: 3, quarantined: 0 },
    completeness: [
      { column: 'judet', ratio: 1 },
      { column: 'populatie', filled: 2, missing: 1, ratio: 0.666667 },
      {},
      {},
    ],
    repairs: expect.arrayContaining([
      { column: 'populatie', kind: 'trimmed', count: 1 },
      // The areas prove the comma, so the points in the populations separate thousands.
      { column: 'populatie', kind: 'thousands_separator', count: 2 },
      { column: 'suprafata', kind: 'decimal_comma', count: 3 },
      { column: 'data', kind: 'date_format', count: 2 },
    ]),
  })
  const served = place.catalog.find('sample')
  verifyVersionFile(served?.file ?? '', served?.sha256)
  expect(litter(place)).toEqual([])
})

function definitionOf(extra: object = {}): string {
  return writeDefinition({
    id: 'sample',
    domain: 'test',
    columns: [
      { name: 'county', source: 'Judet', type: 'string', required: true },
      { name: 'persons', source: 'Persoane', type: 'integer' },
      { name: 'since', type: 'date' },
    ],
    ...extra,
  })
}

test('rows that break the definition go to quarantine with line, column, reason and text', async () => {
  const place = openWorkplace()
  const text =
    'Judet,Persoane,since\nAlba,5,2024-01-01\n,6,2024-01-01\n"Bacău",zece,\n\nCluj,7\nDolj,8,31.31.2024\nGorj,9,"x\ny"\nIași,-,31.12.2024\n'
  const definition = definitionOf({ read: { null_values: ['-'] } })
  const report = await place.ingest(text, { definition, maxQuarantine: 0.9 })
  expect(report.rows).toEqual({ read: 7, blank: 1, imported: 2, quarantined: 5, left_out: 0 })
  expect(place.quarantine()).toEqual([
    { line: 3, column: 'county', reason: 'required_missing', raw: ',6,2024-01-01' },
    { line: 4, column: 'persons', reason: 'invalid_integer', raw: '"Bacău",zece,' },
    { line: 6, column: null, reason: 'too_few_cells', raw: 'Cluj,7' },
    { line: 7, column: 'since', reason: 'invalid_date', raw: 'Dolj,8,31.31.2024' },
    { line: 8, column: 'since', reason: 'invalid_date', raw: 'Gorj,9,"x\ny"' },
  ])
  expect(report.quarantine).toEqual([
    { reason: 'invalid_date', count: 2, first_line: 7 },
    { reason: 'invalid_integer', count: 1, first_line: 4 },
    { reason: 'required_missing', count: 1, first_line: 3 },
    { reason: 'too_few_cells', count: 1, first_line: 6 },
  ])
  expect(place.rows()).toEqual([
    { county: 'Alba', persons: 5, since: '2024-01-01' },
    { county: 'Iași', persons: null, since: '2024-12-31' },
  ])
  // Values that only refused rows held are not part of the dataset.
  expect(place.catalog.descriptor('sample')?.columns.map((column) => column.distinct_count)).toEqual([
    2, 1, 2,
  ])
  expect(place.catalog.quality('sample')?.validation).toEqual([
    { column: 'county', rule: 'type_string', failed: 0 },
    { column: 'county', rule: 'required', failed: 1 },
    { column: 'persons', rule: 'type_integer', failed: 1 },
    { column: 'since', rule: 'type_date', failed: 2 },
  ])
})

test('the quarantine keeps the text of a file in another encoding', async () => {
  const place = openWorkplace()
  const text = 'Judet,Persoane,since\nIași,5,\nBrașov,x,\n'
  const utf16 = new Uint8Array([0xff, 0xfe, ...new Uint8Array(Buffer.from(text, 'utf16le'))])
  await place.ingest(utf16, { definition: definitionOf(), maxQuarantine: 1 })
  expect(place.quarantine()).toEqual([
    { line: 3, column: 'persons', reason: 'invalid_integer', raw: 'Brașov,x,' },
  ])
})

test('of rows with the same key the first stays, and a key is never null', async () => {
  const place = openWorkplace()
  const definition = definitionOf({ primary_key: ['county', 'persons'] })
  const text = 'Judet,Persoane,since\nAlba,1,\nAlba,"1,0",2024-01-01\nAlba,2,\nArad,1,\nArad,,\nalba,1,\n'
  const report = await place.ingest(text, { definition, maxQuarantine: 1 })
  expect(place.quarantine()).toEqual([
    { line: 3, column: 'county, persons', reason: 'duplicate_key', raw: 'Alba,"1,0",2024-01-01' },
    { line: 6, column: 'persons', reason: 'key_missing', raw: 'Arad,,' },
  ])
  expect(report.rows.imported).toBe(4)
  expect(place.catalog.find('sample')?.primaryKey).toEqual(['county', 'persons'])
  const wrong = writeDefinition({ id: 'sample', domain: 'test', primary_key: ['code'] })
  expect(await refusal(place.ingest(text, { definition: wrong }))).toEqual({
    kind: 'usage',
    message:
      'The column “code”, on which a choice depends, is not in the table. (primary_key names it; the columns are judet, persoane, since)',
  })
})

test('too many rows in quarantine refuse the ingest, with reasons, lines and the option that answers', async () => {
  const place = openWorkplace()
  await place.ingest('a,b\n1,2\n')
  const bad = `a,b\n${'1,2\n'.repeat(8)}1\n1,2,3\n`
  expect(await refusal(place.ingest(bad))).toEqual({
    kind: 'refused',
    message:
      'Too many rows of the file cannot be read. 2 of 10 rows (20.0 %), and at most 10 % may be left out:\n1 x too_few_cells, first on line 10\n1 x too_many_cells, first on line 11\nNothing was changed. Fix the file, or a definition that asks for more than the file has, or allow more with --max-quarantine.',
  })
  expect(place.catalog.find('sample')?.version).toBe(1)
  expect((await place.ingest(bad, { maxQuarantine: 0.2 })).rows).toMatchObject({
    imported: 8,
    quarantined: 2,
  })
})

test.each([
  [0.29, 29, '29 %'],
  [0.07, 7, '7 %'],
  [0.57, 57, '57 %'],
])('a limit of %d holds to the last row, and is printed as it was written', async (most, rows, text) => {
  const place = openWorkplace()
  const file = (bad: number) => `a,b\n${'1\n'.repeat(bad)}${'1,2\n'.repeat(100 - bad)}`
  // The dialect is another matter.
  const request = { maxQuarantine: most, delimiter: ',', headerRow: 1 }
  expect((await place.ingest(file(rows), request)).rows.quarantined).toBe(rows)
  const { message } = await refusal(place.ingest(file(rows + 1), request))
  expect(message).toContain(`and at most ${text} may be left out`)
})

test('a file with all rows in quarantine is not called empty', async () => {
  const place = openWorkplace()
  const text = 'Judet,Persoane,since\n,1,\n,2,\n'
  const request = { definition: definitionOf(), maxQuarantine: 1 }
  expect((await place.ingest(text, request)).warnings).toEqual(['No row could be read: all are left out.'])
  await place.ingest('Judet,Persoane,since\nAlba,1,\n', request)
  expect((await refusal(place.ingest(text, request))).message).toStartWith(
    'No row of the file is left, so the dataset would become empty. Rows that are served: 1; rows of the file in quarantine: 2.',
  )
})

test('a stray opening quote quarantines one row and leaves the others', async () => {
  const place = openWorkplace()
  const good = Array.from({ length: 40 }, (_, i) => `Liceul ${i},${i}\n`).join('')
  const report = await place.ingest(`name,v\n"Liceul A,1\n${good}D "x",4\nE,5\n`)
  expect(report.rows).toEqual({ read: 43, blank: 0, imported: 42, quarantined: 1, left_out: 0 })
  expect(place.quarantine()).toEqual([{ line: 2, column: null, reason: 'broken_quote', raw: '"Liceul A,1' }])
  expect(place.rows().slice(-2)).toEqual([
    { name: 'D "x"', v: 4 },
    { name: 'E', v: 5 },
  ])
})

test('double quotes that appear late in a file of apostrophes are reported', async () => {
  const place = openWorkplace()
  const rows = Array.from({ length: 20_000 }, (_, i) => `${i},'a, ${i}'\n`).join('')
  const report = await place.ingest(`id,name\n${rows}7,"abc"\n`)
  expect(report.dialect.quote).toBe("'")
  expect(report.warnings).toEqual([
    expect.stringMatching(/The column name keeps the double quotes around some values \(1\)/),
  ])
})

test('a few apostrophes do not turn double quotes far below them into text', async () => {
  const place = openWorkplace()
  const rows = Array.from({ length: 40_000 }, (_, i) => `${i},${i < 3 ? "'x'" : 'plain'}\n`).join('')
  const report = await place.ingest(`id,name\n${rows}7,"a, bc"\n`)
  expect(report.rows.quarantined).toBe(0)
  expect(place.rows().at(-1)).toEqual({ id: 7, name: 'a, bc' })
})

test('titles above the header are listed in a decision, and a sparse header keeps the first row', async () => {
  const place = openWorkplace()
  const titled = await place.ingest('Raport 2024,,\nJudet,Total,Femei\nAlba,5,2\n')
  expect(titled.decisions).toMatchObject([
    {
      kind: 'titles',
      reason: expect.stringMatching(/record 2 was taken for the header.*'Raport 2024'/),
      override: '--header-row',
    },
  ])
  const sparse = await place.ingest('id,,,\n1,2,3,4\n5,6,7,8\n', { id: 'sparse' })
  expect(sparse).toMatchObject({ rows: { read: 2, imported: 2 }, warnings: [] })
  const blank = await place.ingest(',\n1,2\n', { id: 'blank' })
  expect(blank).toMatchObject({ rows: { read: 1, blank: 0 }, dialect: { header_rows: [1] } })
  expect(place.rows('blank')).toEqual([{ column_1: 1, column_2: 2 }])
})

test('a header far into the file is found by its number', async () => {
  const place = openWorkplace()
  const file = `${'nota,1\n'.repeat(60_000)}name,value\nAlba,5\n`
  const report = await place.ingest(file, { read: { header_row: 60_001 } })
  expect(report).toMatchObject({ dialect: { header_rows: [60_001] }, rows: { read: 1 }, warnings: [] })
  expect(place.rows()).toEqual([{ name: 'Alba', value: 5 }])
  const definition = definitionOf({ read: { header_row: 70_000 } })
  expect((await refusal(place.ingest(file, { definition }))).message).toContain(
    'Row 70000, which was chosen as the header, is not there',
  )
})

test('a title has one to 500 characters and no outer white space', async () => {
  const place = openWorkplace()
  for (const title of ['', '  ', 'x'.repeat(501)]) {
    expect((await refusal(place.ingest('a\n1\n', { title }))).kind).toBe('usage')
  }
  await place.ingest('a\n1\n', { title: ' Județe ' })
  expect(place.catalog.descriptor('sample')?.title).toBe('Județe')
})

test('a definition that contradicts itself or the program is wrong usage', async () => {
  const place = openWorkplace()
  const ingest = (extra: object) => {
    const definition = writeDefinition({ id: 'sample', domain: 'test', ...extra })
    return refusal(place.ingest('a,b\n1,2\n', { definition }))
  }
  expect(await ingest({ columns: [{ name: 'a', canonical: 'nowhere' }] })).toMatchObject({
    kind: 'usage',
    message: expect.stringMatching(/no reference table 'nowhere'/),
  })
  expect(await ingest({ columns: [], other_columns: 'drop' })).toMatchObject({
    kind: 'usage',
    message: expect.stringMatching(/Put back at least one/),
  })
  expect(await ingest({ read: { sheet: 'Foaie1' } })).toMatchObject({
    kind: 'usage',
    message: expect.stringMatching(/The file has no sheets/),
  })
})

test('drift is refused with a readable difference, unless accepted', async () => {
  const place = openWorkplace()
  await place.ingest('name,count,old\nx,1,2\n')
  const { kind, message } = await refusal(place.ingest('count,name,new\nmany,x,2\n'))
  expect(kind).toBe('refused')
  expect(message).toContain("column 'new' (integer) is new")
  expect(message).toContain("column 'old' (integer) is gone")
  expect(message).toContain(
    "column 'count' was integer and is string now because of 1 value: 'many' (line 2)",
  )
  expect(message).toContain('--accept-drift')
  expect(place.catalog.find('sample')?.version).toBe(1)
  const report = await place.ingest('count,name,new\nmany,x,2\n', { acceptDrift: true })
  expect(report.drift).toEqual({
    added: [{ name: 'new', type: 'integer' }],
    removed: [{ name: 'old', type: 'integer' }],
    changed: [
      {
        ...{ name: 'count', from: 'integer', to: 'string', exceptions: 1 },
        values: [{ value: 'many', count: 1, first_line: 2 }],
      },
    ],
    missing: [],
    undeclared: [],
    renamed: [],
  })
})

test('a served column keeps the name that earlier releases gave it, and the report says so', async () => {
  const place = openWorkplace()
  const named = (name: string) =>
    writeDefinition({ id: 'sample', domain: 'test', columns: [{ name, source: 'Rata (%)' }] })
  const table = 'Județ,Rata (%)\nCluj,2.1\n'
  await place.ingest(table, { definition: named('rata') })
  const report = await place.ingest(`${table}Iași,3.5\n`)
  expect(report.drift).toBeNull()
  expect(place.rows()[1]).toEqual({ rata: 3.5, judet: 'Iași' })
  expect(report.decisions).toContainEqual({
    kind: 'former_names',
    reason: "columns keep the names that they are served by: 'rata' (by its header: 'rata_percent')",
    override: '"columns" in a definition',
  })
})

test('the report advises keeping a column’s name that only a definition gave', async () => {
  const place = openWorkplace()
  const columns = [{ name: 'unemployment', source: 'Rata' }]
  await place.ingest('Rata,Ratat\n1,2\n', {
    definition: writeDefinition({ id: 'sample', domain: 'test', columns }),
  })
  const { message } = await refusal(place.ingest('Rata,Ratat\n1,3\n'))
  expect(message).toContain(
    'perhaps \'unemployment\' has another header now: {"name":"unemployment","source":"Rata"}',
  )
  const advised = writeDefinition({ id: 'sample', domain: 'test', columns })
  expect((await place.ingest('Rata,Ratat\n1,3\n', { definition: advised })).drift).toBeNull()
})

test('another column order, and a column without values, are not drift', async () => {
  const place = openWorkplace()
  await place.ingest('a,b\n1,x\n')
  const report = await place.ingest('b,a\ny,\n')
  expect(report.drift).toBeNull()
  expect(place.catalog.find('sample')?.columns.find(({ name }) => name === 'a')?.type).toBe('integer')
})

test('a declared column that the file lacks is drift; accepted, it is null everywhere', async () => {
  const place = openWorkplace()
  const definition = definitionOf()
  const text = 'Judet,since\nAlba,2024-01-01\n'
  expect((await refusal(place.ingest(text, { definition }))).message).toContain("no column for 'persons'")
  await place.ingest(text, { definition, acceptDrift: true })
  expect(place.rows()).toEqual([{ county: 'Alba', persons: null, since: '2024-01-01' }])
})

test('other columns are kept, dropped or refused as the definition says', async () => {
  const place = openWorkplace()
  const text = 'Judet,Persoane,since,Extra\nAlba,1,,x\n'
  await place.ingest(text, { definition: definitionOf({ other_columns: 'drop' }) })
  expect(place.rows()).toEqual([{ county: 'Alba', persons: 1, since: null }])
  const refuse = definitionOf({ other_columns: 'refuse' })
  expect((await refusal(place.ingest(text, { definition: refuse }))).message).toContain(
    "and the file has 'Extra'",
  )
  await place.ingest(text, { definition: definitionOf(), acceptDrift: true })
  expect(place.rows()).toEqual([{ county: 'Alba', persons: 1, since: null, extra: 'x' }])
})

test('a canonical column is added beside the raw one; unknown values keep their spelling and are counted', async () => {
  const place = openWorkplace()
  mkdirSync(place.dataDir.referenceDir)
  writeFileSync(join(place.dataDir.referenceDir, 'colours.csv'), 'canonical,variant\nroșu,ROSU\nroșu,roșie\n')
  const columns = [{ name: 'colour', canonical: 'colours' }, { name: 'n' }]
  const definition = writeDefinition({ id: 'sample', domain: 'test', columns })
  await place.ingest('colour,n\nROSU,1\nRosie,2\nverde,3\n,4\nverde,5\n', { definition })
  expect(place.rows().map((row) => row.colour_canonical)).toEqual(['roșu', 'roșu', 'verde', null, 'verde'])
  expect(
    place.catalog.descriptor('sample')?.columns.map(({ name, source_name }) => [name, source_name]),
  ).toEqual([
    ['colour', 'colour'],
    ['colour_canonical', null],
    ['n', 'n'],
  ])
  expect(place.catalog.quality('sample')?.validation).toContainEqual({
    column: 'colour_canonical',
    rule: 'reference_colours',
    failed: 2,
  })
})

test('a dry run reports everything and changes nothing', async () => {
  const place = openWorkplace()
  const report = await place.ingest('a,b\n1,x\n', { dryRun: true })
  expect(report).toMatchObject({
    version: null,
    dry_run: true,
    published: false,
    rows: { read: 1, imported: 1 },
    columns: [
      { name: 'a', type: 'integer', distinct_count: 1 },
      { name: 'b', type: 'string' },
    ],
  })
  expect(place.catalog.find('sample')).toBeUndefined()
  expect((await place.ingest('a,b\n1,x\n')).version).toBe(1)
  expect((await place.ingest('a,b\n2,x\n')).version).toBe(2)
})

test.each<[string, string | Uint8Array, RegExp]>([
  ['empty', '', /is empty/],
  ['of blank lines', '\n\r\n  \n', /has no text/],
  ['binary', new Uint8Array([1, 2, 0, 255, 0, 7]), /nor text\..*NUL byte at offset 2/],
  ['with a NUL byte', 'a,b\n1,\0\n', /NUL byte at offset 6/],
  ['cut off inside a quote', 'a,b\n1,"x"\n2,"y\n3,z\n', /opens on line 3, in cell 2, is never closed/],
  ['without rows', 'a,b\n', /would become empty\. Rows that are served: 1/],
  ['that is a web page', '<!doctype html><title>404</title>', /is an HTML page/],
])('a file %s is refused and the served version stays', async (_, content, message) => {
  const place = openWorkplace()
  await place.ingest('a,b\n1,2\n')
  const { kind, message: found } = await refusal(place.ingest(content))
  expect(kind).toBe('refused')
  expect(found).toMatch(message)
  expect(place.rows()).toEqual([{ a: 1, b: 2 }])
  expect(litter(place)).toEqual([])
})

test('a header alone makes an empty dataset where none is served', async () => {
  const place = openWorkplace()
  const report = await place.ingest('a,b')
  expect(report).toMatchObject({
    published: true,
    rows: { read: 0, imported: 0 },
    warnings: [expect.stringMatching(/no rows/)],
  })
  expect(place.catalog.descriptor('sample')).toMatchObject({ row_count: 0, sample_row: null })
})

test('one column, a thousand columns and a cell of 5 MB are ingested', async () => {
  const place = openWorkplace()
  await place.ingest('nume\nAna\n\nIon\n', { id: 'one' })
  expect(place.rows('one')).toEqual([{ nume: 'Ana' }, { nume: 'Ion' }])

  const line = (of: (i: number) => unknown) => `${Array.from({ length: 1000 }, (_, i) => of(i)).join(',')}\n`
  const wide = await place.ingest(line((i) => `c${i}`) + line((i) => i) + line((i) => `x${i}`), {
    id: 'wide',
  })
  expect(wide.columns).toHaveLength(1000)
  expect(place.rows('wide')[1]?.c999).toBe('x999')

  const tooWide = `${'x,'.repeat(100_000)}x\n1\n`
  expect((await refusal(place.ingest(tooWide, { id: 'wider' }))).message).toMatch(/100,001 cells/)

  const long = 'ș'.repeat(2_500_000)
  await place.ingest(`a,b\n1,"${long}"\n2,short\n`, { id: 'long' })
  expect(place.rows('long').map((row) => (row.b as string).length)).toEqual([2_500_000, 5])
})

test.each([
  ['Drumuri județene 2025.csv', 'drumuri_judetene_2025', 'Drumuri județene 2025'],
  ['Elevi_înscriși__I-IV.csv', 'elevi_inscrisi_i_iv', 'Elevi înscriși I-IV'],
  ['S\u0326coli.v2.csv', 'scoli_v2', 'Școli.v2'],
])('without a title %p keeps id %p and is called %p', async (name, id, title) => {
  const place = openWorkplace()
  const file = join(tempDir(), name)
  writeFileSync(file, 'a\n1\n')
  expect((await place.ingestPath(file, { domain: 'transport' })).dataset).toBe(id)
  expect(place.catalog.record(id)?.dataset.title).toBe(title)
  await place.ingestPath(file, { domain: 'transport', id: 'by_name' })
  expect(place.catalog.record('by_name')?.dataset.title).toBe(title)
})

test('the id is the file name; the domain comes from a definition, an option or what is served', async () => {
  const place = openWorkplace()
  const folder = tempDir()
  const file = join(folder, 'Rata șomajului.2024.csv')
  writeFileSync(file, 'a\n1\n')
  expect((await place.ingestPath(file, { domain: 'economy' })).dataset).toBe('rata_somajului_2024')
  expect((await place.ingestPath(file)).domain).toBe('economy')
  expect((await refusal(place.ingestPath(file, { id: 'other' }))).message).toMatch(/--domain/)
  const taken = await refusal(place.ingestPath(file, { domain: 'transport' }))
  expect(taken).toMatchObject({
    kind: 'usage',
    message: expect.stringMatching(/published in the domain 'economy'/),
  })
  const shipped = join(folder, 'eures_pclm_judete_2019.csv')
  writeFileSync(shipped, 'Județ,Perioada,Număr persoane\nAlba,ianuarie,12\n')
  expect(await place.ingestPath(shipped)).toMatchObject({
    dataset: 'eures_pclm_judete_2019',
    domain: 'economy',
  })
  expect(place.rows('eures_pclm_judete_2019')).toEqual([
    { county: 'Alba', period: 'ianuarie', person_count: 12 },
  ])
})

test('a missing file, a folder and an invalid address are refused with the reason', async () => {
  const place = openWorkplace()
  const ingest = (file: string) => refusal(place.ingestPath(file, { id: 'x', domain: 'y' }))
  expect(await ingest('/nowhere/at/all.csv')).toEqual({
    kind: 'failed',
    message: '/nowhere/at/all.csv cannot be read: it does not exist',
  })
  expect((await ingest(tempDir())).message).toMatch(/is a folder/)
  expect(await ingest('https://')).toMatchObject({
    kind: 'usage',
    message: expect.stringMatching(/is not the address of a file/),
  })
})

test('options override what is detected and what the definition says', async () => {
  const place = openWorkplace()
  const report = await place.ingest('skip;this\na|b;c\n1|2;3\n', {
    read: { delimiter: '|', header_row: 2, encoding: 'windows-1250' },
  })
  expect(report.dialect).toMatchObject({ delimiter: '|', header_rows: [2], encoding: 'windows-1250' })
  expect(place.rows()).toEqual([{ a: 1, b_c: '2;3' }])
  const unquoted = writeDefinition({ id: 'raw', domain: 'test', read: { quote: '' } })
  await place.ingest('a,b\n"x,1\n', { id: 'raw', definition: unquoted })
  expect(place.rows('raw')).toEqual([{ a: '"x', b: 1 }])
})

test('a row count far from the served one is a warning', async () => {
  const place = openWorkplace()
  await place.ingest(`a\n${'1\n'.repeat(100)}`)
  const { warnings } = await place.ingest('a\n1\n', { acceptShrink: true })
  expect(warnings).toEqual([
    'The published edition has 100 rows, and this one has 1. Check that the file is complete.',
  ])
})

test('text is kept as written, composed or not', async () => {
  const place = openWorkplace()
  await place.ingest('a\nș\ns\u0326\nş\n')
  expect(place.rows().map(({ a }) => a)).toEqual(['ș', 's\u0326', 'ş'])
})

test('on a full disk the ingest says so, keeps the served version, and leaves nothing behind', async () => {
  const disk = smallDisk(6)
  if (disk === null) {
    console.warn('no small disk can be made here (needs root on Linux): the full-disk test did not run')
    return
  }
  const dataDir = new DataDir(join(disk, 'data'))
  dataDir.create()
  const place = openWorkplace(dataDir)
  await place.ingest('a,b\n1,2\n')
  const free = dataDir.freeBytes()
  const big = `a,b\n${Array.from({ length: 400_000 }, (_, i) => `${i},${(i * 7919) % 1_000_003}\n`).join('')}`
  const { kind, message } = await refusal(place.ingest(big))
  expect(kind).toBe('failed')
  expect(message).toMatch(/the disk .*is full/)
  expect(message).toContain(disk)
  expect(place.rows()).toEqual([{ a: 1, b: 2 }])
  expect(litter(place)).toEqual([])
  expect(dataDir.freeBytes()).toBeGreaterThan(free - 100_000)
})
