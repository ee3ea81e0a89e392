/**
 * Sends what is queued, beside the requests and never inside one: through the SMTP server of `IZVOR_SMTP_URL`, or,
 * without one, into the log. A failed attempt is repeated later and later until the mail's time is over; giving up is
 * an error in the log and an entry in the audit log. Several processes on one folder share the work.
 */

import { createTransport, type Transporter } from 'nodemailer'
import type { Logger } from 'pino'
import { isLoopback } from '../../base/text/ip-address.ts'
import { type AccountsDb, inTransaction } from '../../db/accounts.ts'
import { recordEvent } from '../audit/audit.ts'
import { composeMessage, type Message } from './compose.ts'
import { deriveLinkToken } from './link-token.ts'
import { claimDueMail, dropMail, isMailDue, postponeMail, type QueuedMail } from './queue.ts'
import { RESTORED } from './restored-mail.ts'

export interface MailerOptions {
  readonly db: AccountsDb
  readonly log: Logger
  /** `smtp://` or `smtps://` with user and password in it; null: messages go to the log. */
  readonly smtpUrl: string | null
  /** Send also without encryption (`smtp_insecure`). */
  readonly smtpInsecure: boolean
  /** The sender; null: no-reply at the service's host. */
  readonly from: string | null
  /** Under which the tokens of links are derived (`LINK_SECRET`). */
  readonly linkSecret: Uint8Array
  readonly now: () => Date
}

/** Interval at which the queue is checked for mail of other processes and for due attempts. In ms. */
const LOOK_MS = 15_000
const AT_ONCE = 3
/** A server that does not answer must not hold the queue for long. In ms. */
const TIMEOUTS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  dnsTimeout: 10_000,
}

/** Name of the secret under which the tokens of links are derived. */
export const LINK_SECRET = 'mail-links'

export class Mailer {
  readonly #options: MailerOptions
  readonly #transport: Transporter | undefined
  #base: string | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  #sending: Promise<void> | undefined
  #again = false
  #closed = false

  constructor(options: MailerOptions) {
    this.#options = options
    this.#transport = openTransport(options.smtpUrl, options.smtpInsecure)
  }

  /** Whether messages are sent, not only logged. */
  get sends(): boolean {
    return this.#transport !== undefined
  }

  /** Where a link is that was asked for, as half a sentence for its owner. */
  get whereabouts(): string {
    if (this.sends) return 'a mail with a link is on its way'
    return 'a link is in the log of the service, which sends no mail: ask its operator'
  }

  /** From now on mail is sent when it is queued here, with links to `base`: the public address, without a slash at the end. */
  start(base: string): void {
    this.#base = base
    this.wake()
  }

  /** Looks now and every few seconds for mail of other processes and for attempts that are due. @returns ends the looks */
  startLooks(): () => void {
    const timer = setInterval(() => this.wake(), LOOK_MS)
    timer.unref()
    this.#timer = timer
    this.wake()
    return () => clearInterval(timer)
  }

  /** Call it when a mail was queued. Returns at once; before `start` it does nothing. */
  wake(): void {
    if (this.#base === undefined || this.#closed) return
    setImmediate(() => void this.sendDue())
  }

  /** Sends all that is due and returns when every attempt has ended. Never throws. */
  async sendDue(): Promise<void> {
    this.#again = true
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
    })
    await this.#sending
  }

  /** Waits for attempts under way; what is queued stays for the next start. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#sending
    this.#transport?.close()
  }

  async #sendAll(): Promise<void> {
    while (this.#again && !this.#closed) {
      this.#again = false
      await Promise.all(Array.from({ length: AT_ONCE }, () => this.#drain()))
    }
  }

  async #drain(): Promise<void> {
    const { db, now, log } = this.#options
    try {
      while (!this.#closed && (await isMailDue(db, now()))) {
        const mail = await claimDueMail(db, now())
        if (mail) await this.#attempt(mail)
      }
    } catch (error) {
      log.error({ err: error }, 'the mail queue could not be read or written; it will be tried again')
    }
  }

  async #attempt(mail: QueuedMail): Promise<void> {
    const { db, now } = this.#options
    if (mail.giveUpAt <= now().toISOString())
      return this.#giveUp(mail, mail.giveUpAt === RESTORED ? 'it came with a backup' : 'its time is over')
    try {
      await this.#send(mail)
      await inTransaction(db, (tx) => dropMail(tx, mail.id))
      // The last trace of a deleted account's address.
      if (mail.userId === null) await db.emptyLog()
    } catch (error) {
      const reason = reasonOf(error, mail.recipient)
      const postponed =
        !isRefusedForGood(error) && (await inTransaction(db, (tx) => postponeMail(tx, mail, now())))
      if (!postponed) return this.#giveUp(mail, reason)
      const { id, kind, attempts } = mail
      this.#options.log.warn(
        { mail: { id, kind, attempts }, reason },
        'a mail could not be sent; it will be tried again',
      )
    }
  }

  async #send(mail: QueuedMail): Promise<void> {
    const { log, from, linkSecret } = this.#options
    const base = this.#base as string
    const { kind, language, queuedAt: at, recipient, tokenId, facts } = mail
    const token = tokenId === null ? null : deriveLinkToken(linkSecret, tokenId)
    const message = composeMessage({ kind, language, base, at, token, facts })
    if (this.#transport === undefined) return logMessage(log, recipient, message)
    await this.#transport.sendMail({
      ...message,
      from: from ?? `no-reply@${hostForMail(base)}`,
      to: { name: '', address: recipient },
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  }

  async #giveUp(mail: QueuedMail, reason: string): Promise<void> {
    const { db, log, now } = this.#options
    const { id, kind, attempts, userId } = mail
    await inTransaction(db, async (tx) => {
      await dropMail(tx, id)
      await recordEvent(tx, { actor: 'service', event: 'mail_given_up', userId, detail: kind }, now())
    })
    log.error({ mail: { id, kind, attempts, user_id: userId }, reason }, 'a mail was given up')
  }
}

/**
 * Connects to a mail server as for a message, without sending one: greeting, encryption, user and password.
 * @param insecure whether a connection that stays unencrypted will do
 * @throws Error as the server or the network gives it
 */
export async function tryMailServer(smtpUrl: string, insecure: boolean): Promise<void> {
  const transport = openTransport(smtpUrl, insecure)
  try {
    await transport?.verify()
  } finally {
    transport?.close()
  }
}

/** A server on another machine must offer STARTTLS (RFC 3207) or speak TLS from the start: links in mails are secrets. */
function openTransport(smtpUrl: string | null, insecure: boolean): Transporter | undefined {
  if (smtpUrl === null) return undefined
  return createTransport({
    url: smtpUrl,
    requireTLS: !insecure && !isLoopback(new URL(smtpUrl).hostname),
    ...TIMEOUTS,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object)
}

/** The message with its link: without a mail server the operator takes it from the log. */
function logMessage(log: Logger, to: string, { subject, text }: Message): void {
  log.warn({ to, subject, text }, 'no mail server is configured (IZVOR_SMTP_URL); this message was not sent')
}

/** The recipient's own server says that there is no such mailbox: trying again cannot help. */
function isRefusedForGood(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  return code === 'EENVELOPE' && responseCode >= 500 && responseCode < 600
}

/** For logs, which hold no addresses: servers like to repeat them. */
function reasonOf(error: unknown, recipient: string): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replaceAll(recipient, '(recipient)').slice(0, 300)
}

/** A bare address is not a domain for mail. */
function hostForMail(base: string): string {
  const { hostname } = new URL(base)
  return /^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname
}
