/**
 * Drizzle over PostgreSQL with the table objects of SQLite: its PostgreSQL dialect makes SQL from the names and
 * encoders of columns, and writes `default` for keys that the database makes.
 */

import { DrizzleQueryError } from 'drizzle-orm'
import { PgDialect, type PreparedQueryConfig } from 'drizzle-orm/pg-core'
import { PgRemoteDatabase } from 'drizzle-orm/pg-proxy/driver'
import { PgRemoteSession, type PreparedQuery } from 'drizzle-orm/pg-proxy/session'
import type { Asking } from './connection.ts'

type Schema = Record<string, never>

/** Rejects with the query's own error: drizzle wraps it in one that shows the parameters. */
class Session extends PgRemoteSession<Schema, Schema> {
  override prepareQuery<T extends PreparedQueryConfig>(
    ...given: Parameters<PgRemoteSession<Schema, Schema>['prepareQuery']>
  ): PreparedQuery<T> {
    const query = super.prepareQuery<T>(...given)
    const execute = query.execute.bind(query)
    query.execute = (values) =>
      execute(values).catch((error: unknown) => {
        throw error instanceof DrizzleQueryError ? error.cause : error
      })
    return query
  }
}

const dialect = new PgDialect()

/**
 * The verbs' query builders over a pool or a connection, typed as those of SQLite: awaited, they return the same rows.
 * They do not have SQLite's own methods (`get`, `all`, `run`, the number of changes).
 */
export function queriesOver<Queries>(asking: Asking): Queries {
  const session = new Session((text, params) => asking.ask(text, params), dialect, undefined)
  // The one place where a database of PostgreSQL is typed as one of SQLite: the builders' methods are the same.
  return new PgRemoteDatabase(dialect, session, undefined) as unknown as Queries
}
