/**
 * Brings PostgreSQL's tables to the schema that this program knows. Its number is the row `schema` of `numbers`. Nodes
 * that start at the same time wait on an advisory lock for the one that migrates.
 */

import { CommandError } from '../../base/errors.ts'
import { latest, missingFiles, requireKnown, type Schema } from '../migrate.ts'
import type { Asking } from './connection.ts'
import { hidePassword } from './database-away.ts'
import first from './migrations/0006_first.sql' with { type: 'text' }
import referenceTables from './migrations/0007_reference_tables.sql' with { type: 'text' }
import takenDown from './migrations/0008_taken_down.sql' with { type: 'text' }
import search from './migrations/0009_search.sql' with { type: 'text' }
import operators from './migrations/0010_operators.sql' with { type: 'text' }
import type { PostgresPool } from './pool.ts'

/**
 * A file's number is that of the schema after it. Its first line says whether running programs from before it can keep
 * running; if not, `izvor upgrade` names the nodes to stop.
 */
export const POSTGRES_SCHEMA: Schema = {
  first: 6,
  files: [first, referenceTables, takenDown, search, operators],
}

/** "izvor" in ASCII, as the key of the lock. */
const LOCK = 0x697a766f72
/** For one migration, or the wait for another node's. */
const MIGRATION_MS = 60_000

/**
 * Runs all missing files or none.
 * @param url for messages
 * @throws CommandError `failed` when the database was made by another version of the program or the server is too old;
 *   DatabaseAway
 */
export async function migratePostgres(pool: PostgresPool, url: string, schema: Schema): Promise<void> {
  await requireServer(pool, url)
  if ((await schemaOf(pool, url, schema)) === latest(schema)) return
  await pool.use(async (connection) => {
    const ask = (text: string) => connection.ask(text, [], MIGRATION_MS)
    try {
      await ask('BEGIN')
      await ask(`SET LOCAL statement_timeout = ${MIGRATION_MS}`)
      await ask(`SELECT pg_advisory_xact_lock(${LOCK})`)
      await ask('CREATE TABLE IF NOT EXISTS numbers (name text COLLATE "C" PRIMARY KEY, n bigint NOT NULL)')
      const found = await schemaOf(connection, url, schema)
      const missing = missingFiles(schema, found)
      if (found > 0 && !missing.every(bearsOlderPrograms)) await refuseLiveNodes(connection, url)
      for (const sql of missing) await ask(sql)
      await ask(
        `INSERT INTO numbers (name, n) VALUES ('schema', ${latest(schema)}) ` +
          'ON CONFLICT (name) DO UPDATE SET n = excluded.n',
      )
      await ask('COMMIT')
    } catch (error) {
      connection.drop()
      throw error
    }
  })
}

/** Whether programs from before a migration can keep running. */
function bearsOlderPrograms(migration: string): boolean {
  return migration.startsWith('-- Programs from before it go on beside it')
}

/** Running nodes may be older: their tables must not change under them. */
async function refuseLiveNodes(asking: Asking, url: string): Promise<void> {
  const names = await liveNodes(asking)
  if (names.length === 0) return
  throw new CommandError(
    'failed',
    `the tables of ${hidePassword(url)} have to change in a way that running programs cannot work with: stop ` +
      `${names.join(', ')}, then run "izvor upgrade" or start one node. Nothing was changed`,
  )
}

/** Nodes with a beat within the last 5 seconds. */
async function liveNodes(asking: Asking): Promise<string[]> {
  const { rows } = await asking.ask(
    `SELECT DISTINCT name FROM nodes
     WHERE beat_at > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 5000 ORDER BY name`,
  )
  return rows.map(([name]) => String(name))
}

/** What `migratePostgres` would do; writes nothing. @throws as `migratePostgres` */
export async function readSharedSchema(pool: PostgresPool, url: string, schema: Schema) {
  await requireServer(pool, url)
  const found = await schemaOf(pool, url, schema)
  const missing = missingFiles(schema, found)
  const mustStop = found > 0 && !missing.every(bearsOlderPrograms)
  return {
    /** The number of the database's schema (0: empty), and the latest that this program knows. */
    schema: found,
    known: latest(schema),
    /** Files to run, and running nodes that have to be stopped first. */
    missing: missing.length,
    stops: mustStop ? await liveNodes(pool) : [],
  }
}

async function schemaOf(asking: Asking, url: string, schema: Schema): Promise<number> {
  const there = await asking.ask(`SELECT to_regclass('numbers') IS NOT NULL`)
  if (there.rows[0]?.[0] !== 1) return 0
  const { rows } = await asking.ask(`SELECT n FROM numbers WHERE name = 'schema'`)
  const found = Number(rows[0]?.[0] ?? 0)
  requireKnown(`the database ${hidePassword(url)}`, found, schema)
  return found
}

async function requireServer(asking: Asking, url: string): Promise<void> {
  const { rows } = await asking.ask(
    `SELECT current_setting('server_version_num'), current_setting('server_version')`,
  )
  const [number, version] = rows[0] ?? []
  // The oldest server that the tables were tested on, as the server writes its version.
  if (Number(number) >= 150_000) return
  throw new CommandError(
    'failed',
    `the database ${hidePassword(url)} is PostgreSQL ${String(version)}; Izvor needs 15 or later`,
  )
}
