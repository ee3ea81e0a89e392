/**
 * Detects an `accounts.db` that is missing, or older than `usage.db`. With it, numbers of keys and accounts would be
 * given out a second time, and a new owner would get the request log and the drafts of the old one.
 */

import { existsSync, statSync } from 'node:fs'
import { closing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { openDatabase } from '../../db/open.ts'

/** The highest numbers of keys, accounts and entries of the audit log, which every change of accounts writes. */
const NOTHING = { key: 0, account: 0, change: 0 }

type Files = Readonly<Record<'accountsDb' | 'usageDb', string>>

/** The row of `monthly_usage` that holds the number of the last audit entry seen. */
const SEEN = ['accounts', 'changes'] as const

const GIVEN_OUT = `
  SELECT max(CASE name WHEN 'api_keys' THEN seq ELSE 0 END) AS key, max(CASE name WHEN 'users' THEN seq ELSE 0 END) AS account,
    max(CASE name WHEN 'audit' THEN seq ELSE 0 END) AS change
  FROM sqlite_sequence`
const KNOWN = `
  SELECT (SELECT coalesce(max(key_id), 0) FROM key_use) AS key,
    (SELECT coalesce(max(CAST(substr(owner, 9) AS INTEGER)), 0) FROM monthly_usage WHERE owner LIKE 'account:%') AS account,
    (SELECT coalesce(max(requests), 0) FROM monthly_usage WHERE owner = ? AND month = ?) AS change`

/**
 * Call it before `accounts.db` is opened, which would create it. Nothing is written.
 * @throws CommandError `damaged` when it is missing, empty, or older than `usage.db`
 */
export function refuseLostAccounts({ accountsDb, usageDb }: Files): void {
  if (sizeOf(usageDb) === 0) return
  // Accounts are made before usage.
  if (sizeOf(accountsDb) === 0) throw lost(accountsDb, usageDb, 'is missing or empty')
  const [known, given] = [read(usageDb, KNOWN, SEEN), read(accountsDb, GIVEN_OUT)]
  if (known.key > given.key) throw lost(accountsDb, usageDb, `is too old: it never gave out key ${known.key}`)
  if (known.account > given.account)
    throw lost(accountsDb, usageDb, `is too old: it never had account ${known.account}`)
  const change = `its last change is number ${given.change}, not ${known.change}`
  if (known.change > given.change) throw lost(accountsDb, usageDb, `is too old: ${change}`)
}

/** Notes the last change of `accounts.db` in `usage.db`. If that fails, the next call does it. */
export function noteAccounts({ accountsDb, usageDb }: Files): void {
  if (sizeOf(accountsDb) === 0 || sizeOf(usageDb) === 0) return
  try {
    const { change } = read(accountsDb, GIVEN_OUT)
    using usage = closing(openDatabase(usageDb, { durability: 'normal' }))
    usage
      .prepare<[string, string, number]>(
        `INSERT INTO monthly_usage (owner, month, requests) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET requests = excluded.requests WHERE excluded.requests > requests`,
      )
      .run(...SEEN, change)
  } catch {}
}

/** @returns `NOTHING` for a file whose tables do not exist yet */
function read(path: string, query: string, parameters: readonly string[] = []): typeof NOTHING {
  using database = closing(openDatabase(path, { readonly: true }))
  if (database.pragma('user_version', { simple: true }) === 0) return NOTHING
  return database.prepare<string[], typeof NOTHING>(query).get(...parameters) ?? NOTHING
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0
}

function lost(accountsDb: string, usageDb: string, state: string): CommandError {
  return new CommandError(
    'damaged',
    `${accountsDb} ${state}, but ${usageDb} holds what keys and accounts have used. Nothing was changed. Put the latest ` +
      'accounts.db back, or restore a backup of this folder; to go on with the accounts that are here, move usage.db, ' +
      'with its counts and request logs, elsewhere',
  )
}
