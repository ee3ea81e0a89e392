/** What refuses an ingest: every reason at once, in the report and in the error, with the option that answers it. */

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { CommandError } from '../../src/base/errors.ts'
import { openWorkplace, STRICT, writeDefinition } from '../support/ingest.ts'
import { runs } from '../support/property-runs.ts'

const GOOD = 'a,b\n1,x\n2,y\n'
/** Another column, rows of another width, and addresses in their own column. */
const BAD = `a,email\n${Array.from({ length: 6 }, (_, i) => `${i},nume.${i}@exemplu.ro\n`).join('')}7\n8\n9,z@exemplu.ro,1\n`
const AS_IT_IS = {
  ...STRICT,
  read: { header_row: 1, delimiter: ',', ragged: 'quarantine' },
} as const

test('all reasons are reported at once, and nothing has changed', async () => {
  const place = openWorkplace()
  await place.ingest(GOOD)
  const rowsBefore = place.rows()
  const error = await place.ingest(BAD, AS_IT_IS).then(
    () => null,
    (thrown: unknown) => thrown as CommandError,
  )
  expect(error).toBeInstanceOf(CommandError)
  expect(error?.kind).toBe('refused')
  for (const part of ["column 'email' (string) is new", '4 of 9 rows', "'email' looks like e-mail addresses"])
    expect(error?.message).toContain(part)
  for (const option of ['--accept-drift', '--max-quarantine', '--allow-personal-data', 'Nothing was changed'])
    expect(error?.message).toContain(option)
  expect(place.catalog.find('sample')?.version).toBe(1)
  expect(place.rows()).toEqual(rowsBefore)
})

test('a refused ingest and a dry run report the same, quarantined rows included', async () => {
  const place = openWorkplace()
  await place.ingest(GOOD)
  const dry = await place.ingest(BAD, { ...AS_IT_IS, dryRun: true })
  const real = await place.attempt(BAD, AS_IT_IS)
  expect(real).toMatchObject({ published: false, version: null, dry_run: false })
  expect(dry).toMatchObject({ published: false, version: null, dry_run: true })
  expect({ ...real, dry_run: true, duration_ms: 0 }).toEqual({ ...dry, duration_ms: 0 })
  expect(dry.refusals.map(({ kind, override }) => [kind, override])).toEqual([
    ['drift', '--accept-drift'],
    ['quarantine', '--max-quarantine'],
    ['personal_data', '--allow-personal-data email'],
  ])
  expect(dry.rows).toMatchObject({ read: 9, imported: 5, quarantined: 4 })
  expect(dry.quarantine_sample).toEqual([
    { line: 7, column: null, reason: 'line_break', raw: '5,n•••.•@•••••••.••' },
    { line: 8, column: null, reason: 'line_break', raw: '7' },
    { line: 9, column: null, reason: 'line_break', raw: '8' },
    { line: 10, column: null, reason: 'too_many_cells', raw: '9,z@•••••••.••,1' },
  ])
})

test('with every refusal answered, the same file is published', async () => {
  const place = openWorkplace()
  await place.ingest(GOOD)
  const answers = { acceptDrift: true, maxQuarantine: 0.5, allowPersonalData: ['email'] }
  const report = await place.ingest(BAD, { ...AS_IT_IS, ...answers })
  expect(report).toMatchObject({ published: true, version: 2, refusals: [] })
})

test('emptying a dataset is refused along with the drift that comes with it', async () => {
  const place = openWorkplace()
  await place.ingest(GOOD)
  const { refusals } = await place.attempt('c\n')
  expect(refusals.map(({ kind }) => kind)).toEqual(['drift', 'empty'])
})

test('a dry run that would be published has no refusals and changes nothing', async () => {
  const place = openWorkplace()
  const report = await place.ingest(GOOD, { dryRun: true })
  expect(report).toMatchObject({ refusals: [], published: false, rows: { imported: 2 } })
  expect(place.catalog.find('sample')).toBeUndefined()
})

describe('the sample of the quarantine', () => {
  test('has at most 20 rows, in file order, of every reason', async () => {
    const columns = [{ name: 'a', type: 'integer' }, { name: 'b' }]
    const definition = writeDefinition({ id: 'sample', domain: 'test', columns })
    const wrong = Array.from({ length: 500 }, (_, i) => `x${i},y\n`).join('')
    const text = `a,b\n1,y\n${wrong}2\n3,y,z\n`
    const report = await openWorkplace().ingest(text, {
      ...{ definition, maxQuarantine: 1, headerRow: 1, delimiter: ',', ragged: 'quarantine' },
    })
    const sample = report.quarantine_sample
    expect(sample).toHaveLength(20)
    expect(new Set(sample.map(({ reason }) => reason))).toEqual(
      new Set(['invalid_integer', 'too_few_cells', 'too_many_cells']),
    )
    const lines = sample.map(({ line }) => line)
    expect(lines).toEqual(lines.toSorted((a, b) => a - b))
    expect(sample[0]).toEqual({ line: 3, column: 'a', reason: 'invalid_integer', raw: 'x0,y' })
  })

  test('cuts long rows and prints nothing that moves the cursor', async () => {
    const text = `a,b\n1,2\n${'ă'.repeat(100_000)}\n\u001b[2Jx\n`
    const report = await openWorkplace().ingest(text, {
      ...{ maxQuarantine: 1, read: { footnotes: 'quarantine' } },
    })
    const [long, moving] = report.quarantine_sample
    expect([...(long?.raw ?? '')]).toHaveLength(120)
    expect(long?.raw).toEndWith('ă…')
    expect(moving?.raw).toBe(' [2Jx')
  })
})

test('rows read equal rows imported plus rows quarantined, for any refusals', async () => {
  const cell = fc.constantFrom('1', '2', 'x', '', 'ș', '"', '12,5')
  const record = fc.array(cell, { minLength: 1, maxLength: 4 }).map((cells) => cells.join(';'))
  const place = openWorkplace()
  await place.ingest(GOOD)
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 12 }), async (records) => {
      const report = await place
        .attempt(`a;b\n${records.join('\n')}\n`, { read: { header_row: 1, delimiter: ';' }, dryRun: true })
        .catch((error: unknown) => {
          // A quote that never ends is a refusal by itself, before there are rows.
          expect((error as CommandError).kind).toBe('refused')
          return null
        })
      if (report === null) return
      const { read, imported, quarantined } = report.rows
      expect(imported + quarantined).toBe(read)
      expect(report.quarantine.reduce((sum, { count }) => sum + count, 0)).toBe(quarantined)
    }),
    { numRuns: runs(60) },
  )
})

describe('a file that would leave few of the served rows', () => {
  const table = (count: number, month = 1) =>
    `luna;oras\n${Array.from({ length: count }, (_, i) => `${month};oras ${i}\n`).join('')}`

  test('is refused below half of 20 rows or more, and says what accepts it', async () => {
    const place = openWorkplace()
    await place.ingest(table(3000))
    const report = await place.attempt(table(2))
    expect(report.refusals).toMatchObject([{ kind: 'too_few_rows', override: '--accept-shrink' }])
    expect(report.warning_codes).toEqual([])
    expect(place.catalog.find('sample')?.rows).toBe(3000)
    expect((await place.ingest(table(2), { acceptShrink: true })).warning_codes).toMatchObject([
      { code: 'row_count' },
    ])
    // Nineteen rows may become one.
    await place.ingest(table(19), { dryRun: false })
    expect((await place.attempt(table(1))).refusals).toEqual([])
  })

  test('is published at half, with a warning below three quarters', async () => {
    for (const [rows, codes] of [
      [50, ['row_count']],
      [74, ['row_count']],
      [75, []],
    ] as const) {
      const place = openWorkplace()
      await place.ingest(table(100))
      const report = await place.ingest(table(rows))
      expect(report.warning_codes.map(({ code }) => code)).toEqual([...codes])
    }
  })

  test('is judged by what an append leaves', async () => {
    const place = openWorkplace()
    const replaceWhere = (keys: readonly string[]) =>
      writeDefinition({ id: 'sample', domain: 'test', mode: 'append', replace_where: keys })
    await place.ingest(`${table(30)}${table(10, 2).slice('luna;oras\n'.length)}`)
    const definition = replaceWhere(['luna'])
    expect((await place.attempt(table(2, 1), { definition })).refusals).toMatchObject([
      { kind: 'too_few_rows' },
    ])
    const report = await place.ingest(table(2, 2), { definition })
    expect([report.append?.replaced, place.catalog.find('sample')?.rows]).toEqual([10, 32])
  })
})
