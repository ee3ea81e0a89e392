/** Rows of totals among the rows: reported with their lines, kept unless asked otherwise, and never found by chance. */

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { openWorkplace } from '../support/ingest.ts'

const GROUPS = [
  [12, 7, 30],
  [41, 5],
  [9, 18, 27, 3],
]

/** Rows of groups with the sum of each, above or below its rows. */
function withSums(label: (group: number) => string, isAbove: boolean): string[] {
  return GROUPS.flatMap((members, group) => {
    const rows = members.map((count, at) => `Sat ${group}${at},rural,${count},${count * 3 + at}`)
    const columns = [members, members.map((count, at) => count * 3 + at)]
    const sums = columns.map((numbers) => numbers.reduce((sum, number) => sum + number, 0))
    const total = `${label(group)},,${sums.join(',')}`
    return isAbove ? [total, ...rows] : [...rows, total]
  })
}

const HEADER = 'localitate,mediu,populatie,suprafata'

test.each([
  ['above the rows, by their sums alone', (group: number) => `JUDET ${group}`, true, '2, 6, 9'],
  ['below the rows, by their sums alone', (group: number) => `Judet ${group}`, false, '5, 8, 13'],
  ['below the rows, with a word', () => 'Subtotal', false, '5, 8, 13'],
])('totals of groups are reported with their lines: %s', async (_, label, isAbove, lines) => {
  const text = [HEADER, ...withSums(label, isAbove)].join('\n')
  const { rows, warning_codes } = await openWorkplace().ingest(text)
  expect(rows.imported).toBe(12)
  expect(warning_codes).toEqual([{ code: 'subtotals', values: { count: 3, sums: 3, lines } }])
})

test('totals of groups are quarantined on request, with the grand total', async () => {
  const text = [HEADER, ...withSums((group) => `Judet ${group}`, true), 'TOTAL,,152,461'].join('\n')
  const place = openWorkplace()
  const { decisions } = await place.ingest(text, { read: { totals: 'quarantine' } })
  expect(place.rows()).toHaveLength(9)
  expect(place.rows().every(({ localitate }) => String(localitate).startsWith('Sat'))).toBe(true)
  expect(place.quarantine().map(({ line, reason }) => `${line} ${reason}`)).toEqual([
    ...['2 total_row', '6 total_row', '9 total_row', '14 total_row'],
  ])
  expect(decisions.filter(({ kind }) => kind === 'totals')).not.toEqual([])
})

test('of regions, counties and towns, each the sum of those below, all but the towns are totals', async () => {
  const counties = GROUPS.map((members, county) => {
    const sum = members.reduce((total, number) => total + number, 0)
    return {
      sum,
      rows: [`Judet ${county},${sum},${sum * 2}`, ...members.map((n, at) => `Oras ${at},${n},${n * 2}`)],
    }
  })
  const all = counties.reduce((sum, county) => sum + county.sum, 0)
  const rows = [`Regiune,${all},${all * 2}`, ...counties.flatMap((county) => county.rows)]
  const { warning_codes } = await openWorkplace().ingest(['nume,total,urban', ...rows].join('\n'))
  expect(warning_codes).toMatchObject([{ code: 'subtotals', values: { count: 4, sums: 4 } }])
})

test('rows of flags and of small numbers are not totals', async () => {
  const table = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(1, 3, 20)).chain(([width, most]) =>
    fc.array(fc.array(fc.integer({ min: 0, max: most }), { minLength: width, maxLength: width }), {
      minLength: 12,
      maxLength: 80,
    }),
  )
  const place = openWorkplace()
  const property = fc.asyncProperty(table, async (numbers) => {
    const names = numbers[0]?.map((_, at) => `v${at}`) ?? []
    const rows = numbers.map((cells, at) => [`n${at}`, ...cells].join(','))
    const text = [['nume', ...names].join(','), ...rows].join('\n')
    const { warning_codes } = await place.attempt(text, { dryRun: true })
    expect(warning_codes.map(({ code }) => code)).not.toContain('subtotals')
  })
  await fc.assert(property, { numRuns: 100 })
})
