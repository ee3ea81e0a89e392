/** Dates such as 1/2/2019: which number is the day, what proves it, and what is reported when nothing does. */

import { expect, test } from 'bun:test'
import { openWorkplace, writeDefinition } from '../support/ingest.ts'

const TWELVE = Array.from({ length: 12 }, (_, i) => i + 1)
const fileOf = (dates: readonly string[], name = 'data') =>
  `${name};total\n${dates.map((date, i) => `${date};${i}.5\n`).join('')}`

async function read(text: string, options: object = {}) {
  const place = openWorkplace()
  const report = await place.ingest(text, options)
  return { ...report, rows: place.rows().map(({ data }) => data) }
}

test.each([
  ['twelve months of a year, American', TWELVE.map((i) => `${i}/1/2019`), 'mdy', '2019-12-01'],
  ['twelve months of a year, European', TWELVE.map((i) => `1/${i}/2019`), 'dmy', '2019-12-01'],
  ['some days', ['1/2/2019', '3-4-2019'], 'dmy', '2019-04-03'],
  ['days with dots', ['1.2.2019', '3.4.2019'], 'dmy', '2019-04-03'],
  ['days with dashes', ['01-02-2019', '03-04-2019'], 'dmy', '2019-04-03'],
  ['twelve days with dots', TWELVE.map((i) => `${i}.1.2019`), 'dmy', '2019-01-12'],
  ['moments', ['1/2/2019 10:00', '3/4/2019 11:30'], 'dmy', '2019-04-03T11:30:00Z'],
])('%s: a warning names the option that reads them the other way', async (_, dates, order, last) => {
  const { rows, warnings } = await read(fileOf(dates))
  expect(rows.at(-1)).toBe(last)
  const other = order === 'dmy' ? 'mdy' : 'dmy'
  const turned = await read(fileOf(dates), { read: { date_order: other } })
  expect(turned.rows).not.toEqual(rows)
  expect(turned.warnings).toEqual([])
  const example = dates.find((date) => !/^(\d+)\D\1\D/.test(date))
  expect(warnings).toEqual([
    expect.stringMatching(
      new RegExp(
        `^The column data has dates such as ${example}.*--date-order ${other} reads them the other way`,
      ),
    ),
  ])
})

test('an option, a definition and columns that prove an order settle it, as a decision', async () => {
  const dates = ['1/2/2019', '3/4/2019']
  const asked = await read(fileOf(dates), { read: { date_order: 'mdy' } })
  expect(asked.rows).toEqual(['2019-01-02', '2019-03-04'])
  expect(asked.warnings).toEqual([])
  expect(asked.decisions).toContainEqual({
    kind: 'date_order',
    reason: "dates of 'data' (1/2/2019) are read with the month first, as asked",
    override: '--date-order dmy',
  })
  const definition = writeDefinition({ id: 'sample', domain: 'test', read: { date_order: 'mdy' } })
  expect((await read(fileOf(dates), { definition })).rows).toEqual(asked.rows)
  const neighbour = await read('data;alta\n1/2/2019;12/31/2019\n3/4/2019;1/2/2019\n')
  expect(neighbour.rows).toEqual(asked.rows)
  expect(neighbour.warnings).toEqual([])
  expect(neighbour.decisions).toContainEqual(
    expect.objectContaining({
      kind: 'date_order',
      reason: expect.stringContaining('as in the other columns'),
    }),
  )
})

test('columns that prove different orders settle nothing', async () => {
  const { rows, warnings } = await read('data;a;b\n1/2/2019;12/31/2019;31/12/2019\n')
  expect(rows).toEqual(['2019-02-01'])
  expect(warnings).toEqual([expect.stringContaining('--date-order')])
})

test('a declared date is as ambiguous as an inferred one', async () => {
  const definition = writeDefinition({
    id: 'sample',
    domain: 'test',
    columns: [{ name: 'data', type: 'date' }],
  })
  const { warnings } = await read(fileOf(['1/2/2019', '3/4/2019']), { definition })
  expect(warnings).toEqual([expect.stringContaining('--date-order mdy')])
})

test.each([
  ['a day beyond 12 proves the order', ['1/2/2019', '13/4/2019'], '2019-02-01'],
  ['a month before a day beyond 12 proves the other', ['1/2/2019', '3/14/2019'], '2019-01-02'],
  ['the year in front leaves no doubt', ['2019-02-01', '2019/3/4'], '2019-02-01'],
  ['equal numbers read the same either way', ['1/1/2019', '2/2/2019'], '2019-01-01'],
])('%s: no warning', async (_, dates, first) => {
  const { rows, warnings } = await read(fileOf(dates))
  expect(rows[0]).toBe(first)
  expect(warnings).toEqual([])
})

test('an order that a column proves wrong is not used there, and the report says so', async () => {
  const { rows, warnings } = await read(fileOf(['13/2/2019', '1/3/2019']), { read: { date_order: 'mdy' } })
  expect(rows).toEqual(['2019-02-13', '2019-03-01'])
  expect(warnings).toEqual([
    'The dates of the column data are read with the day first, although you chose otherwise: one of them cannot be read in any other way.',
  ])
})

const LAKHS = 'stat;total\nKerala;1,42,782\nGoa;17,450\nDelhi;950\nGoa;-12,34,567\n'
const declaring = (type: string) =>
  writeDefinition({ id: 'sample', domain: 'test', columns: [{ name: 'stat' }, { name: 'total', type }] })

test('numbers grouped in lakh stay text, and following the advice of the report makes them numbers', async () => {
  const place = openWorkplace()
  const report = await place.ingest(LAKHS)
  expect(report.columns[1]).toMatchObject({
    type: 'string',
    text_because: expect.stringMatching(/'1,42,782'.* lakh .*"type": "integer" in a definition/),
  })
  const declared = await place.ingest(LAKHS, { definition: declaring('integer'), acceptDrift: true })
  expect(place.rows().map(({ total }) => total)).toEqual([142_782, 17_450, 950, -1_234_567])
  expect(declared.columns[1]?.text_because).toBeNull()
})

test('for decimals in lakh with marks for no value, the advice names both', async () => {
  const table = `${LAKHS}Bihar;2,00,000.50\nAssam;NA\n`
  const place = openWorkplace()
  const report = await place.ingest(table)
  expect(report.columns[1]?.text_because).toMatch(
    /"type": "decimal" in a definition .*, and --null-values NA /,
  )
  const read = { null_values: ['NA'] }
  await place.ingest(table, { definition: declaring('decimal'), read, acceptDrift: true })
  expect(place.rows().map(({ total }) => total)).toEqual([142_782, 17_450, 950, -1_234_567, 200_000.5, null])
})

test('lists of numbers are not numbers grouped in lakh', async () => {
  const report = await openWorkplace().ingest('a;b\n1;1,2,3\n2;10,20,30\n3;4,5\n')
  expect(report.columns[1]).toMatchObject({ type: 'string', text_because: null })
})

test('the quality report says what is unproven and how it was read, until an option settles it', async () => {
  const place = openWorkplace()
  const unproven = () => place.catalog.quality('sample')?.unproven
  const table = 'data;total\n1/2/2019;1,234\n3/4/2019;5,678\n'
  await place.ingest(table)
  expect(unproven()).toEqual([
    { kind: 'date_order', column: 'data', read_as: 'dmy' },
    { kind: 'decimal_mark', column: 'total', read_as: ',' },
  ])
  await place.ingest(table, { read: { date_order: 'mdy', decimal_mark: '.' }, acceptDrift: true })
  expect(unproven()).toEqual([])
  await place.ingest(Buffer.from('data;total\n2019-01-02;\xde\xf3r\n', 'latin1'), { acceptDrift: true })
  expect(unproven()).toEqual([{ kind: 'encoding', column: null, read_as: 'windows-1250' }])
})
