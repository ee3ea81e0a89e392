/** What is left of a deleted key in the use of datasets: its calls, without it. */

import type Database from 'better-sqlite3'
import { DELETED_KEY } from './dataset-use.ts'

/** Call it inside a transaction, or alone. Again it does nothing. */
export function separateKey(database: Database.Database, keyId: number): void {
  database
    .prepare(`
      INSERT INTO dataset_usage (day, dataset_id, key_id, format, calls, rows, bytes)
      SELECT day, dataset_id, ${DELETED_KEY}, format, calls, rows, bytes FROM dataset_usage WHERE key_id = ?
      ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, rows = rows + excluded.rows, bytes = bytes + excluded.bytes
    `)
    .run(keyId)
  database.prepare('DELETE FROM dataset_usage WHERE key_id = ?').run(keyId)
}
