/**
 * Sends queued mail outside of requests: through the SMTP server of `IZVOR_SMTP_URL` or, without one, into the log. A
 * failed attempt is repeated after longer and longer pauses until the mail expires; giving up is an error in the log and
 * an entry in the audit log. Several processes on one folder share the work.
 */

import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { Config } from '../../base/config/config.ts'
import { isLoopback } from '../../base/text/ip-address.ts'
import { type AccountsDb, inTransaction } from '../../db/accounts.ts'
import { recordEvent } from '../audit/audit.ts'
import { composeMessage, deriveLinkToken } from './compose.ts'
import { claimDueMail, dropMail, isMailDue, postponeMail, type QueuedMail, RESTORED } from './queue.ts'

interface MailerOptions {
  readonly db: AccountsDb
  readonly log: Logger
  readonly config: Pick<Config, 'smtp_url' | 'smtp_insecure' | 'mail_from'>
  readonly linkSecret: Uint8Array
  readonly now: () => Date
}

/** How often the queue is checked for mail of other processes and for attempts that are due. */
const LOOK_MS = 15_000
const AT_ONCE = 3

export class Mailer {
  readonly #options: MailerOptions
  /** With the server that the settings named at that time. */
  #opened: { readonly url: string | null; readonly transport: ReturnType<typeof openTransport> } | undefined
  #base: string | undefined
  #sending: Promise<void> | undefined
  #again = false
  #closed = false

  constructor(options: MailerOptions) {
    this.#options = options
  }

  get #transport() {
    const { config } = this.#options
    if (this.#opened?.url !== config.smtp_url) {
      this.#opened?.transport?.close()
      this.#opened = { url: config.smtp_url, transport: openTransport(config) }
    }
    return this.#opened.transport
  }

  /** Whether messages are sent, not only logged. */
  get sends(): boolean {
    return this.#options.config.smtp_url !== null
  }

  /** Half a sentence that says where the requested link is. */
  get whereabouts(): string {
    if (this.sends) return 'a mail with a link is on its way'
    return 'a link is in the log of the service, which sends no mail: ask its operator'
  }

  /** From now on sends mail once it is queued here, with links to `base`: the public address, no slash at the end. */
  start(base: string): void {
    this.#base = base
    this.wake()
  }

  /** Checks the queue now and every few seconds. @returns a function that ends this */
  startLooks(): () => void {
    const timer = setInterval(() => this.wake(), LOOK_MS)
    timer.unref()
    this.wake()
    return () => clearInterval(timer)
  }

  /** Call it after queueing a mail. Returns at once; before `start` it does nothing. */
  wake(): void {
    if (this.#base === undefined || this.#closed) return
    setImmediate(() => void this.sendDue())
  }

  /** Sends all mail that is due and resolves when every attempt has ended. Never throws. */
  async sendDue(): Promise<void> {
    this.#again = true
    const sendAll = async () => {
      while (this.#again && !this.#closed) {
        this.#again = false
        await Promise.all(Array.from({ length: AT_ONCE }, () => this.#drain()))
      }
    }
    this.#sending ??= sendAll().finally(() => {
      this.#sending = undefined
    })
    await this.#sending
  }

  /** Waits for attempts under way; queued mail stays for the next start. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#sending
    this.#opened?.transport?.close()
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
      // The mail held the last trace of a deleted account's address.
      if (mail.userId === null) await db.emptyLog()
    } catch (error) {
      const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
      const message = error instanceof Error ? error.message : String(error)
      // Logs hold no addresses, but servers like to repeat them.
      const reason = message.replaceAll(mail.recipient, '(recipient)').slice(0, 300)
      // The recipient's own server says that there is no such mailbox; another attempt cannot help.
      const isRefusedForGood = code === 'EENVELOPE' && responseCode >= 500 && responseCode < 600
      const postponed = !isRefusedForGood && (await inTransaction(db, (tx) => postponeMail(tx, mail, now())))
      if (!postponed) return this.#giveUp(mail, reason)
      const { id, kind, attempts } = mail
      this.#options.log.warn(
        { mail: { id, kind, attempts }, reason },
        'a mail could not be sent; it will be tried again',
      )
    }
  }

  async #send(mail: QueuedMail): Promise<void> {
    const { log, config, linkSecret } = this.#options
    const base = this.#base as string
    const { kind, language, queuedAt: at, recipient, tokenId, facts } = mail
    const token = tokenId === null ? null : deriveLinkToken(linkSecret, tokenId)
    const message = composeMessage({ kind, language, base, at, token, facts })
    const transport = this.#transport
    if (transport === undefined) {
      // With its link: the operator takes it from the log.
      const { subject, text } = message
      const why = 'no mail server is configured (IZVOR_SMTP_URL); this message was not sent'
      return log.warn({ to: recipient, subject, text }, why)
    }
    await transport.sendMail({ ...message, ...envelopeOf(config.mail_from, base, recipient) })
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

/** Sender and recipient. Without a sender, no-reply at the host of the public address. */
function envelopeOf(from: string | null, base: string, to: string) {
  const { hostname } = new URL(base)
  // An IP address is not a mail domain.
  const host = /^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname
  return {
    from: from ?? `no-reply@${host}`,
    to: { name: '', address: to },
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/**
 * Sends a message at once, without the queue.
 * @throws Error as the server or the network gives it
 */
export async function sendNow(
  config: Pick<Config, 'smtp_url' | 'smtp_insecure' | 'mail_from' | 'base_url'>,
  { to, ...message }: { readonly to: string; readonly subject: string; readonly text: string },
): Promise<void> {
  const transport = openTransport(config)
  try {
    const envelope = envelopeOf(config.mail_from, config.base_url ?? 'http://localhost', to)
    await transport?.sendMail({ ...message, ...envelope })
  } finally {
    transport?.close()
  }
}

/**
 * Connects to a mail server as for a message, without sending one: greeting, encryption, user and password.
 * @throws Error as the server or the network gives it
 */
export async function tryMailServer(config: Parameters<typeof openTransport>[0]): Promise<void> {
  const transport = openTransport(config)
  try {
    await transport?.verify()
  } finally {
    transport?.close()
  }
}

/** A server on another machine must offer STARTTLS (RFC 3207) or speak TLS at once: links in mails are secrets. */
function openTransport({ smtp_url: url, smtp_insecure }: Pick<Config, 'smtp_url' | 'smtp_insecure'>) {
  if (url === null) return undefined
  return createTransport({
    url,
    requireTLS: !smtp_insecure && !isLoopback(new URL(url).hostname),
    // A server that does not answer must not hold the queue for long. In ms.
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    dnsTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object)
}
