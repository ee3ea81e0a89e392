/** Everything that the verbs on accounts work with, opened and closed together. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { inArray, lt } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Config } from '../../base/config/config.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { type AccountsDb, inTransaction, type Transaction } from '../../db/accounts.ts'
import type { WindowStore } from '../../db/counts/blocks.ts'
import { sessions, signIns, tokens } from '../../db/schema/accounts-schema.ts'
import { readSecret } from '../../db/secrets.ts'
import { SlidingWindows } from '../../db/sliding-windows.ts'
import { remindOfExpiry } from '../keys/expiry.ts'
import { finishDeletions, type UsageEraser } from '../keys/tombstones.ts'
import { LINK_SECRET } from '../mail/compose.ts'
import { Mailer } from '../mail/mailer.ts'
import { type PasswordCost, PasswordHasher } from './passwords/password-hash.ts'

/** Beyond it new work is dropped; the client can ask again. Each network is limited before that. */
const MOST_WAITING = 10_000

/** Work that begins after the answer, so that the answer's time does not depend on the work's result. */
class AfterAnswer {
  readonly #log: Logger
  readonly #waiting = new Set<Promise<void>>()
  readonly #delayed = new Set<() => void>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** Runs the work in a later turn of the event loop, `delayMs` from now at the earliest. A failure is logged. */
  add(work: () => void | Promise<void>, delayMs = 0): void {
    if (this.#waiting.size >= MOST_WAITING) {
      this.#log.warn('too much work is waiting; some was dropped')
      return
    }
    const done = this.#turn(delayMs)
      .then(work)
      .catch((error: unknown) => this.#log.error({ err: error }, 'work on accounts failed'))
      .finally(() => this.#waiting.delete(done))
    this.#waiting.add(done)
  }

  /** Resolves when all added work has run; delayed work begins at once. */
  async settled(): Promise<void> {
    while (this.#waiting.size > 0) {
      for (const begin of this.#delayed) begin()
      await Promise.all(this.#waiting)
    }
  }

  #turn(delayMs: number): Promise<void> {
    if (delayMs === 0) return nextTurn()
    const { promise, resolve } = Promise.withResolvers<void>()
    const begin = () => {
      clearTimeout(timer)
      this.#delayed.delete(begin)
      resolve()
    }
    const timer = setTimeout(begin, delayMs)
    this.#delayed.add(begin)
    return promise
  }
}

interface AccountServiceOptions {
  readonly db: AccountsDb
  readonly log: Logger
  readonly config: Pick<Config, 'smtp_url' | 'smtp_insecure' | 'mail_from' | 'sign_in_retention'>
  readonly usage: UsageEraser
  readonly now: () => Date
  /** Counts for `limits/limits.ts`; left out: the service's own. */
  readonly limits?: WindowStore
  /** The cost of hashing a password; left out: OWASP's recommendation. */
  readonly passwordCost?: PasswordCost | undefined
}

export type AccountService = Awaited<ReturnType<typeof openAccountService>>

const CLEARING_MS = 3_600_000

export async function openAccountService(options: AccountServiceOptions) {
  const { db, config, usage, now, passwordCost, limits = new SlidingWindows() } = options
  const linkSecret = await readSecret(db, LINK_SECRET)
  const passwords = new PasswordHasher(passwordCost)
  const mailer = new Mailer({ ...options, linkSecret })
  const later = new AfterAnswer(options.log)
  let timer: ReturnType<typeof setInterval> | undefined
  async function clearUp(): Promise<void> {
    await finishDeletions(db, usage)
    await clearExpired(db, config.sign_in_retention, now())
    await remindOfExpiry(db, now())
    mailer.wake()
    await db.emptyLog()
  }
  return {
    ...options,
    limits,
    passwords,
    mailer,
    later,
    /** Derives the tokens of mailed links. */
    linkSecret,
    /** Binds the CSRF token to its session. */
    csrfSecret: await readSecret(db, 'csrf'),
    /** Addresses with a sign-up under way in this process: only the first gets to the slow hashing. */
    reservedEmails: new Set<string>(),
    /** Starts mail with links to `base`. */
    start(base: string): void {
      passwords.start()
      mailer.start(base)
    },
    /**
     * Starts the work that one process does for all on the database: mail that others queued or that is tried again,
     * unfinished deletions and, every hour, reminders of keys and the deletion of expired rows.
     * @returns a function that ends it
     */
    startUpkeep(): () => void {
      const clear = () => later.add(clearUp)
      timer = setInterval(clear, CLEARING_MS)
      timer.unref()
      clear()
      const endLooks = mailer.startLooks()
      return () => {
        clearInterval(timer)
        endLooks()
      }
    },
    /** Waits for running mail and work. The caller closes the database. */
    async close(): Promise<void> {
      clearInterval(timer)
      await later.settled()
      passwords.close()
      await mailer.close()
    },
  }
}

/** Rows per transaction: a few milliseconds, then other requests get a turn. */
const BATCH = 500

/** Deletes expired sessions and links, and sign-ins older than the setting, in seconds. */
export async function clearExpired(db: AccountsDb, signInRetention: number, now: Date): Promise<void> {
  const time = formatTimestamp(now)
  await inTransaction(db, async (tx) => {
    await tx.delete(sessions).where(lt(sessions.expiresAt, time))
    await tx.delete(tokens).where(lt(tokens.expiresAt, time))
  })

  const oldest = formatTimestamp(new Date(now.getTime() - signInRetention * 1000))
  const deleteBatch = async (tx: Transaction) => {
    const old = tx
      .select({ id: signIns.id })
      .from(signIns)
      .where(lt(signIns.attemptedAt, oldest))
      .limit(BATCH)
    return (await tx.delete(signIns).where(inArray(signIns.id, old)).returning({ id: signIns.id })).length
  }
  while ((await inTransaction(db, deleteBatch)) === BATCH) await nextTurn()
}
