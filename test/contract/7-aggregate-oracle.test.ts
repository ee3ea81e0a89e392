/** Random aggregates over HTTP, compared with the oracle to the last digit. */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type AggregateQuery, type ResultRow, resultTypes } from '../../src/engine/aggregate/group-query.ts'
import { aggregatePlainly } from '../support/aggregate-oracle.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { matchingRows } from '../support/oracle.ts'
import { runs } from '../support/property-runs.ts'
import { aggregateQueriesFor } from '../support/random-aggregate.ts'
import { type PlainTable, tables } from '../support/random-table.ts'
import { filterParameters, operandParameter } from '../support/written-query.ts'

const TABLES = runs(30)
const QUERIES_PER_TABLE = 10

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

let published = 0

async function publish(table: PlainTable): Promise<string> {
  const id = `random_${published++}`
  await app.publish({ id, domain: 'random', table })
  return `/v1/random/${id}`
}

/** Results have names that no column has. */
const nameOf = (result: number) => `result_${result}`

function toQueryString(table: PlainTable, query: AggregateQuery): string {
  const columnName = (column: number) => table.columns[column]!.name
  const groups = query.groups.map(({ column, part }) =>
    part === null ? columnName(column) : `${part}(${columnName(column)})`,
  )
  const measures = query.measures.map(({ kind, column }) =>
    column === null ? kind : `${kind}(${columnName(column)})`,
  )
  const parameters = new URLSearchParams(filterParameters(table.columns, query.filters))
  const named = (entries: readonly string[], from: number) =>
    entries.map((entry, index) => `${nameOf(from + index)}:${entry}`).join()
  if (groups.length > 0) parameters.set('group_by', named(groups, 0))
  parameters.set('measures', named(measures, groups.length))
  for (const { result, operator, operands } of query.having)
    for (const operand of operands) parameters.append(...operandParameter(nameOf(result), operator, operand))
  const sort = query.sort.map(({ result, descending }) => (descending ? '-' : '') + nameOf(result))
  if (sort.length > 0) parameters.set('sort', sort.join())
  return parameters.toString()
}

/** A result under one operator is one parameter; repeated, it means "or". */
function withoutRepeated(query: AggregateQuery): AggregateQuery {
  const filters = new Map(query.having.map((filter) => [`${filter.result} ${filter.operator}`, filter]))
  return { ...query, having: [...filters.values()] }
}

/** A row as JSON, with all digits of its numbers. */
function toJson(table: PlainTable, query: AggregateQuery, row: ResultRow): string {
  const types = resultTypes(table.columns, query)
  const members = row.map((text, result) => {
    const isBare = text === null || ['integer', 'decimal', 'boolean'].includes(types[result]!)
    return `"${nameOf(result)}":${isBare ? text : JSON.stringify(text)}`
  })
  return `{${members.join()}}`
}

async function expectAgreement(path: string, table: PlainTable, query: AggregateQuery): Promise<void> {
  const { limit, offset, count } = query
  const asked = `${path}/aggregate?${toQueryString(table, query)}`
  const address = `${asked}&limit=${limit}&offset=${offset}&count=${count}`
  const { status, text, body } = await app.get(address)
  expect([address, status, body.error]).toEqual([address, 200, undefined])
  const page = aggregatePlainly(table, query)
  const rows = page.rows.map((row) => toJson(table, query, row))
  expect([address, text.slice(0, text.lastIndexOf(',"pagination":'))]).toEqual([
    address,
    `{"data":[${rows.join()}]`,
  ])
  expect(body.pagination).toMatchObject({ total: page.total, count: rows.length, has_next: page.hasNext })

  const all = aggregatePlainly(table, { ...query, limit: Number.MAX_SAFE_INTEGER, offset: 0 })
  const file = await app.get(`${asked}&format=ndjson`)
  expect(file.text).toBe(all.rows.map((row) => `${toJson(table, query, row)}\n`).join(''))
}

/** The counts of all groups of a query add up to the total of the list with the same filters. */
async function expectSameTotal(path: string, table: PlainTable, query: AggregateQuery): Promise<void> {
  const counted = { ...query, measures: [{ kind: 'count' as const, column: null }], having: [], sort: [] }
  const { text } = await app.get(`${path}/aggregate?${toQueryString(table, counted)}&format=ndjson`)
  const counts = text
    .split('\n')
    .slice(0, -1)
    .map((line) => Number(Object.values<number>(JSON.parse(line)).at(-1)))
  const filters = new URLSearchParams(filterParameters(table.columns, query.filters))
  const list = await app.get(`${path}?${filters}&limit=1`)
  const total = counts.reduce((sum, count) => sum + count, 0)
  expect(total).toBe(list.body.pagination.total)
  expect(total).toBe(matchingRows(table, query.filters).length)
}

test('random aggregates match the oracle, and their counts add up to the total of the list', async () => {
  const cases = tables().chain((table) =>
    fc.tuple(
      fc.constant(table),
      fc.array(aggregateQueriesFor(table), { minLength: QUERIES_PER_TABLE, maxLength: QUERIES_PER_TABLE }),
    ),
  )
  await fc.assert(
    fc.asyncProperty(cases, async ([table, queries]) => {
      const path = await publish(table)
      for (const query of queries.map(withoutRepeated)) {
        await expectAgreement(path, table, query)
        await expectSameTotal(path, table, query)
      }
    }),
    { numRuns: TABLES, endOnFailure: true },
  )
}, 60_000)
