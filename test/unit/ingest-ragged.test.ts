/** Records of another width than the header's: mended where there is one way only, else quarantined; never lost. */

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { openWorkplace, writeDefinition } from '../support/ingest.ts'

const GOOD = 'Alba,2024-01,56\nArad,2024-02,60\nCluj,2024-03,63\n'

test('unquoted decimal commas and commas in texts are joined, in file order, and counted', async () => {
  const place = openWorkplace()
  const text = `name,month,value\nAlba,2024-01,5,7\n${GOOD}Dolj, Olt,2024-04,8\nGorj, Iasi,2024-05,9,25\n`
  const report = await place.ingest(text, { maxQuarantine: 0 })
  expect(place.rows()).toEqual([
    { name: 'Alba', month: '2024-01', value: 5.7 },
    { name: 'Alba', month: '2024-01', value: 56 },
    { name: 'Arad', month: '2024-02', value: 60 },
    { name: 'Cluj', month: '2024-03', value: 63 },
    { name: 'Dolj, Olt', month: '2024-04', value: 8 },
    { name: 'Gorj, Iasi', month: '2024-05', value: 9.25 },
  ])
  const joined = report.repairs.filter(({ kind }) => kind === 'inner_delimiter')
  expect(joined).toEqual([
    { column: 'name', kind: 'inner_delimiter', count: 2 },
    { column: 'value', kind: 'inner_delimiter', count: 2 },
  ])
  expect(report.decisions).toMatchObject([
    {
      kind: 'ragged',
      reason: expect.stringMatching(/^3 rows, the first on line 2/),
      override: '--ragged quarantine',
    },
  ])
})

test('a thousands comma beside a year belongs to the number behind it', async () => {
  const place = openWorkplace()
  const text = 'country,year,value\nMT,2019,14\nMT,2020,13\nMT,2021,15\nRO,2019,223,162\nRO,2020,1,220,487\n'
  await place.ingest(text, { maxQuarantine: 0 })
  expect(place.rows().map(({ value }) => value)).toEqual([14, 13, 15, 223_162, 1_220_487])
})

test.each([
  ['two ways', 'a,b,c\n1,2,x\n3,4,y\n5,6,z\n7,8,9,w\n'],
  ['no way', 'a,b,c\nx,1,2\ny,3,4\nz,5,6\nw,7,q,8\n'],
  ['nothing but texts', 'a,b\nx,y\nz,w\nu,v\nk,l,m\n'],
  [
    'a decimal comma beside decimal points',
    'a,b,c\n2024-01,1.5,2\n2024-02,2.5,3\n2024-03,3.5,4\n2024-04,1,2,3\n',
  ],
  ['a quoted cell', 'a,b\nx,1\ny,2\nz,3\n"w","4",5\n'],
  ['too few rows to learn from', 'a,b\nx,1\ny,2,5\n'],
])('a record that can be joined in %s is quarantined', async (_, text) => {
  const report = await openWorkplace().ingest(text, { maxQuarantine: 1 })
  expect(report.quarantine).toMatchObject([{ reason: 'too_many_cells', count: 1 }])
  expect(report.rows.read).toBe(report.rows.imported + 1)
})

test('rows that lack the last columns throughout get nulls, counted per column', async () => {
  const place = openWorkplace()
  const short = 'Iasi,1\nOlt,2\nDolj,3\n'
  const report = await place.ingest(
    `judet,total,cod,nota\n${short}Alba,5,RO1,a\nArad,6,RO2,b\nCluj,7,RO3,c\n`,
    {
      maxQuarantine: 0,
    },
  )
  expect(place.rows()[0]).toEqual({ judet: 'Iasi', total: 1, cod: null, nota: null })
  expect(report.repairs).toEqual([
    { column: 'cod', kind: 'missing_cells', count: 3 },
    { column: 'nota', kind: 'missing_cells', count: 3 },
  ])
  expect(report.decisions).toMatchObject([{ kind: 'ragged', reason: expect.stringContaining('3 rows') }])
})

test('short rows whose cells do not fit, and a single one, are quarantined', async () => {
  const place = openWorkplace()
  const good = 'Alba,m,5,x\nArad,f,6,y\nCluj,m,7,z\n'
  const shifted = await place.ingest(`judet,sex,total,nota\n${good}Iasi,1,a\nOlt,2,b\nDolj,3,c\n`, {
    maxQuarantine: 1,
  })
  expect(shifted.quarantine).toEqual([{ reason: 'too_few_cells', count: 3, first_line: 5 }])
  const one = await place.ingest(`judet,sex,total,nota\n${good}Iasi,m,1\n`, { maxQuarantine: 1 })
  expect(one.quarantine).toMatchObject([{ reason: 'too_few_cells', count: 1 }])
})

test('rows of any width are filled up where rows end with their last value throughout', async () => {
  const place = openWorkplace()
  const text = 'judet,total,cod,nota\nAlba,5,RO1,a\nArad,6,,b\nCluj,7,RO3,c\nIasi,1\nOlt,2,RO9\nDolj,3\n'
  const report = await place.ingest(text, { maxQuarantine: 0 })
  expect(place.rows()[4]).toEqual({ judet: 'Olt', total: 2, cod: 'RO9', nota: null })
  expect(report.repairs).toMatchObject([
    { column: 'cod', count: 2 },
    { column: 'nota', count: 3 },
  ])
  const other = await place.ingest(`${text}Gorj,4,,\n`, { maxQuarantine: 1 })
  expect(other.quarantine).toMatchObject([{ reason: 'too_few_cells', count: 3 }])
})

test('a layout that changes far into a file is found by reading it once more', async () => {
  const place = openWorkplace()
  const rows = Array.from({ length: 20_000 }, (_, i) => `name ${i},${i},more text\n`).join('')
  const report = await place.ingest(`a,b,c\n${rows}${'x,7\n'.repeat(500)}`, { maxQuarantine: 0 })
  expect(report.rows).toMatchObject({ read: 20_500, imported: 20_500 })
  expect(place.rows().at(-1)).toEqual({ a: 'x', b: 7, c: null })
})

test('delimiters behind the last column are dropped, on every row or on some', async () => {
  const place = openWorkplace()
  const every = await place.ingest('a,b\n1,x,\n2,y,\n3,z,\n', { maxQuarantine: 0 })
  expect(every.columns.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(every.decisions).toMatchObject([{ kind: 'blank_columns' }])
  const some = await place.ingest('a,b\n1,x,,\n2,y\n3,z\n4,w,\n', { maxQuarantine: 0 })
  expect(some.rows).toMatchObject({ imported: 4 })
  expect(some.decisions).toMatchObject([{ kind: 'ragged', reason: expect.stringContaining('2 rows') }])
  const header = await place.ingest('a,b,,\n1,x\n2,y\n3,z\n', { maxQuarantine: 0 })
  expect(header.columns).toHaveLength(2)
})

test('nothing is mended when that is what an option or the definition says', async () => {
  const place = openWorkplace()
  const text = `name,month,value\n${GOOD}Alba,2024-01,5,7\n`
  const byOption = await place.ingest(text, { ragged: 'quarantine', maxQuarantine: 1 })
  expect(byOption.quarantine).toMatchObject([{ reason: 'too_many_cells', count: 1 }])
  const definition = writeDefinition({ id: 'sample', domain: 'test', read: { ragged: 'quarantine' } })
  const byDefinition = await place.ingest(text, { definition, maxQuarantine: 1 })
  expect(byDefinition.quarantine).toMatchObject([{ reason: 'too_many_cells', count: 1 }])
})

test('mending keeps cells with doubled quotes, blocks and lines in their places', async () => {
  const place = openWorkplace()
  const good = Array.from({ length: 9000 }, (_, i) => `"row ""${i}""",2024-01,${i}\n`)
  const mixed = good.map((row, i) => (i % 7 === 3 ? `"q ""${i}""\nx",2024-02,${i},5\n` : row))
  const report = await place.ingest(`name,month,value\n${mixed.join('')}`, { maxQuarantine: 0 })
  expect(report.rows.imported).toBe(9000)
  const rows = place.rows()
  for (const [i, row] of rows.entries()) {
    const isMended = i % 7 === 3
    expect(row.name).toBe(isMended ? `q "${i}"\nx` : `row "${i}"`)
    expect(row.value).toBe(isMended ? Number(`${i}.5`) : i)
  }
})

const word = fc
  .stringMatching(/^[A-Z][a-z]{2,8}$/)
  .filter((text) => !/^(Tot|Sum|Not|Sur|Gesamt|Null|None|Nan)/.test(text))
const cell = fc.oneof(
  word,
  fc.integer({ min: 0, max: 9999 }).map(String),
  fc.constantFrom('', ' x', '5', '2024-01'),
)
const record = fc.array(cell, { minLength: 1, maxLength: 7 })

test('mending changes no good row and loses none, whatever else is in the file', async () => {
  const place = openWorkplace()
  const good = fc.tuple(word, fc.integer({ min: 10, max: 99_999 }), word)
  await fc.assert(
    fc.asyncProperty(
      fc.array(good, { minLength: 4, maxLength: 10 }),
      fc.array(fc.tuple(fc.nat(9), record), { maxLength: 8 }),
      async (rows, others) => {
        const lines = rows.map((row) => row.join(','))
        for (const [at, cells] of others) lines.splice(Math.min(at, lines.length), 0, cells.join(','))
        const filled = lines.filter((line) => /[^\s,]/.test(line)).length
        const columns = ['a', 'b', 'c'].map((name) => ({ name, type: 'string' }))
        const report = await place.ingest(`a,b,c\n${lines.join('\n')}\n`, {
          definition: writeDefinition({ id: 'sample', domain: 'test', columns }),
          delimiter: ',',
          headerRow: 1,
          maxQuarantine: 1,
          acceptDrift: true,
        })
        const { read, imported, quarantined } = report.rows
        expect([read, imported + quarantined, place.quarantine().length]).toEqual([
          filled,
          filled,
          quarantined,
        ])
        const served = place.rows().map(({ a, b, c }) => `${a},${b},${c}`)
        expect(served).toHaveLength(imported)
        const expected = rows.map((row) => row.join(','))
        // The good rows are served, in their order.
        let at = 0
        for (const row of served) if (row === expected[at]) at++
        expect(at).toBe(expected.length)
      },
    ),
    { numRuns: 60 },
  )
})
