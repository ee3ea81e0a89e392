/** What the verbs on accounts work with, opened and closed as one. */

import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type AccountsDb, emptyLog } from '../db/accounts.ts'
import { readSecret } from '../db/secrets.ts'
import { finishDeletions, type UsageEraser } from '../keys/tombstones.ts'
import { LINK_SECRET, Mailer } from '../mail/mailer.ts'
import { AfterAnswer } from './after-answer.ts'
import { type AccountLimits, createAccountLimits } from './limits.ts'
import { PasswordHasher } from './password-hash.ts'
import { clearExpired } from './retention.ts'

export interface AccountService {
  readonly db: AccountsDb
  readonly passwords: PasswordHasher
  readonly limits: AccountLimits
  readonly mailer: Mailer
  readonly later: AfterAnswer
  readonly usage: UsageEraser
  readonly log: Logger
  readonly now: () => Date
  /** Binds the CSRF token to its session. */
  readonly csrfSecret: Uint8Array
  /** Derives the tokens of mailed links. */
  readonly linkSecret: Uint8Array
  /** Addresses being signed up in this process: hashing takes a while, and only one may get the address. */
  readonly reservedEmails: Set<string>
  /** Seconds that the sign-in history goes back. */
  readonly signInRetention: number
  /** Begins what goes on by itself: mail with links to `base`, unfinished deletions, clearing of what has expired. */
  start(base: string): void
  /** Waits for mail and work under way. The database stays open; it is the caller's. */
  close(): Promise<void>
}

export interface AccountServiceOptions {
  readonly db: AccountsDb
  readonly log: Logger
  readonly config: Pick<Config, 'smtp_url' | 'mail_from' | 'sign_in_retention'>
  readonly usage: UsageEraser
  readonly now: () => Date
}

const CLEARING_MS = 3_600_000

export function openAccountService({ db, log, config, usage, now }: AccountServiceOptions): AccountService {
  const linkSecret = readSecret(db, LINK_SECRET)
  const { smtp_url: smtpUrl, mail_from: from, sign_in_retention: signInRetention } = config
  let timer: ReturnType<typeof setInterval> | undefined
  const service: AccountService = {
    ...{ db, log, usage, now, linkSecret, signInRetention },
    passwords: new PasswordHasher(),
    limits: createAccountLimits(),
    mailer: new Mailer({ db, log, smtpUrl, from, linkSecret, now }),
    later: new AfterAnswer(log),
    csrfSecret: readSecret(db, 'csrf'),
    reservedEmails: new Set(),
    start(base) {
      service.mailer.start(base)
      const clear = () => service.later.add(() => clearUp(service))
      timer = setInterval(clear, CLEARING_MS)
      timer.unref()
      clear()
    },
    async close() {
      clearInterval(timer)
      await service.later.settled()
      await service.mailer.close()
    },
  }
  return service
}

async function clearUp(service: AccountService): Promise<void> {
  finishDeletions(service.db, service.usage)
  await clearExpired(service.db, service.signInRetention, service.now())
  emptyLog(service.db)
}
