/** The operator's own reference tables, for all nodes: the text of each file by its name. */

import { sha256Base64 } from '../../base/crypto/sha256.ts'
import type { Asking } from './connection.ts'
import type { Postgres } from './open.ts'

/** @returns the hash of each text by name @throws DatabaseAway */
export async function listReferences(asking: Asking): Promise<Map<string, string>> {
  const { rows } = await asking.ask('SELECT name, sha256 FROM reference_tables ORDER BY name')
  return new Map(rows.map(([name, sha256]) => [String(name), String(sha256)]))
}

/** @throws DatabaseAway */
export async function readReference(asking: Asking, name: string): Promise<string> {
  const { rows } = await asking.ask('SELECT contents FROM reference_tables WHERE name = $1', [name])
  return String(rows[0]?.[0] ?? '')
}

/** @param text null removes the table @throws DatabaseAway */
export async function putReference(asking: Asking, name: string, text: string | null): Promise<void> {
  await asking.ask('DELETE FROM reference_tables WHERE name = $1', [name])
  if (text === null) return
  const row = [name, text, sha256Base64(text)]
  await asking.ask('INSERT INTO reference_tables (name, contents, sha256) VALUES ($1, $2, $3)', row)
}

/** Runs `work` while nobody else changes them. @throws DatabaseAway */
export function changeReferences<T>(postgres: Postgres, work: (asking: Asking) => Promise<T>): Promise<T> {
  return postgres.writeOnce(async (asking) => {
    await asking.ask('LOCK TABLE reference_tables IN SHARE ROW EXCLUSIVE MODE')
    return await work(asking)
  })
}
