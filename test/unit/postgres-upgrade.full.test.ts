/** The tables of several nodes are changed only if running nodes can keep running. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { latest } from '../../src/db/migrate.ts'
import { migratePostgres, POSTGRES_SCHEMA, readSharedSchema } from '../../src/db/postgres/migrate.ts'
import { Postgres } from '../../src/db/postgres/open.ts'
import { PostgresPool } from '../../src/db/postgres/pool.ts'
import { nodeTable } from '../../src/db/postgres/shared-catalog.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'

let server: TestPostgres
beforeAll(async () => {
  if (hasPostgres) server = await startPostgres()
})
afterAll(() => server?.stop())

const BORNE = '-- Programs from before it go on beside it.\nCREATE TABLE more (a bigint)'
const NOT_BORNE = 'ALTER TABLE plans RENAME TO kinds_of_plans'

describe.skipIf(!hasPostgres)('a newer program', () => {
  test('changes tables if running nodes can keep running, names those that cannot, and keeps older programs out', async () => {
    const url = await server.createDatabase()
    const postgres = await Postgres.open(url)
    const pool = new PostgresPool(url)
    try {
      const nodes = nodeTable(postgres)
      await nodes.beat({ id: 'x', name: 'machine-a', program: '0.1.0', revision: 0, waitsFor: {} })
      const borne = { ...POSTGRES_SCHEMA, files: [...POSTGRES_SCHEMA.files, BORNE] }
      expect(await readSharedSchema(pool, url, borne)).toMatchObject({ missing: 1, stops: [] })
      await migratePostgres(pool, url, borne)
      const all = { ...borne, files: [...borne.files, NOT_BORNE] }
      expect(await readSharedSchema(pool, url, all)).toMatchObject({
        schema: latest(borne),
        stops: ['machine-a'],
      })
      await expect(migratePostgres(pool, url, all)).rejects.toThrow('stop machine-a, then run')
      expect(await readSharedSchema(pool, url, all)).toMatchObject({ schema: latest(borne) })
      await nodes.leave('x')
      await migratePostgres(pool, url, all)
      await expect(Postgres.open(url)).rejects.toThrow('made by a newer version of Izvor')
    } finally {
      postgres.close()
      pool.close()
    }
  })
})
