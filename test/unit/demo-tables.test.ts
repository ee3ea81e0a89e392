import { expect, test } from 'bun:test'
import { createRandom } from '../../src/commands/demo/sample-table.ts'
import { SAMPLE_TABLES } from '../../src/commands/demo/tables.ts'
import { findDefinition } from '../../src/publish/edition/identity.ts'

/** What a row of a trade table is about. */
const NATURAL_KEY = ['year', 'month', 'flow_code', 'cn8_code', 'partner_country_code']
const TRADE = SAMPLE_TABLES.filter(({ id }) => id.startsWith('comert_'))

test.each(TRADE.map((table) => [table.id, table] as const))(
  'no two generated rows of %s are about the same thing',
  (_, table) => {
    const at = NATURAL_KEY.map((name) => table.columns.indexOf(name))
    const keys = new Set<string>()
    for (const row of table.generate(createRandom(table.seed), table.rows))
      keys.add(at.map((column) => row[column]).join())
    expect(keys.size).toBe(table.rows)
  },
)

test.each(SAMPLE_TABLES.map((table) => [table.id, table] as const))(
  'no two columns of %s share a title, and every title is written for people',
  (_, { id, domain, columns, more = [] }) => {
    const defined = [...(findDefinition(domain, id)?.columns ?? []), ...more]
    const titles = columns.map((name) => defined.find((column) => column.name === name)?.title)
    expect(titles.filter((title) => title === undefined || /_|^[A-Z]+$/.test(title))).toEqual([])
    expect(new Set(titles).size).toBe(titles.length)
  },
)
