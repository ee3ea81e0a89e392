/** Accounts opened as another process opens them: by the path of a file, or the address of a database. */

import Database from 'better-sqlite3'
import postgres from 'postgres'
import { type KeyLookup, openFileKeys, openSharedKeys } from '../../src/accounts/keys/key-lookup.ts'
import type { App } from '../../src/app.ts'
import { type AccountsDb, accountsIn, openAccounts } from '../../src/db/accounts.ts'
import { Postgres } from '../../src/db/postgres/open.ts'

export interface TestAccounts {
  readonly db: AccountsDb
  readonly place: string
  openLookup(): KeyLookup
  close(): void
}

export async function openPlace(place: string): Promise<TestAccounts> {
  if (!isAddress(place)) {
    const db = openAccounts(place)
    return { db, place, openLookup: () => openFileKeys(place), close: () => db.close() }
  }
  const opened = await Postgres.open(place)
  return {
    db: accountsIn(opened),
    place,
    openLookup: () => openSharedKeys(opened),
    close: () => opened.close(),
  }
}

export function placeOf({ config, dataDir }: App): string {
  return config.database_url ?? dataDir.accountsDb
}

/** SQL behind the program's back. */
export async function runSql(place: string, text: string): Promise<void> {
  if (!isAddress(place)) {
    const file = new Database(place)
    file.exec(text)
    file.close()
    return
  }
  const sql = postgres(place, { max: 1, fetch_types: false })
  await sql.unsafe(text)
  await sql.end()
}

function isAddress(place: string): boolean {
  return place.startsWith('postgres:')
}
