/** Mail that waited when a backup was made. The service of then has sent it; a copy must not send it again. */

import type Database from 'better-sqlite3'

/** In place of the moment until which a mail is tried: it came with a backup. Before every moment in the order of texts. */
export const RESTORED = '0000-restored'

/**
 * Marks all waiting mail so that the service that starts next gives it up, with an entry in the audit log for each.
 * @param accounts `accounts.db`, migrated @returns how many mails there are
 */
export function giveUpRestored(accounts: Database.Database): number {
  const mark = accounts.prepare<[string]>('UPDATE mail_queue SET give_up_at = ?, next_attempt_at = queued_at')
  return mark.run(RESTORED).changes
}
