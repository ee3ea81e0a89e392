/** Browsers on the account routes of a real instance: each with its cookie, CSRF token, address and name. */

import { setAccountRole } from '../../src/accounts/people/operator.ts'
import type { User } from '../../src/accounts/people/user.ts'
import { formatTimestamp } from '../../src/base/text/timestamp.ts'
import { startTestApp, type TestApp } from './app.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { PASSWORD } from './passwords.ts'

type Answer = Awaited<ReturnType<TestApp['get']>>

interface CallOptions {
  /** Sent as JSON; a string unchanged. */
  readonly body?: unknown
  /** Besides the cookie, the CSRF token and the address; undefined removes one of these. */
  readonly headers?: Record<string, string | undefined>
}

let made = 0

/** Paths are those below `/account/api`. */
export class Browser {
  readonly ip: string
  /** As the `Cookie` header has it. */
  cookie: string | undefined
  csrf: string | undefined
  readonly #app: TestApp

  constructor(app: TestApp, ip = `198.51.${Math.floor(++made / 250)}.${made % 250}`) {
    this.#app = app
    this.ip = ip
  }

  get(path: string, options?: CallOptions): Promise<Answer> {
    return this.send('GET', path, options)
  }

  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    return this.send('POST', path, { ...options, body })
  }

  patch(path: string, body?: unknown): Promise<Answer> {
    return this.send('PATCH', path, { body })
  }

  delete(path: string, body?: unknown): Promise<Answer> {
    return this.send('DELETE', path, { body })
  }

  async send(method: string, path: string, { body, headers = {} }: CallOptions = {}): Promise<Answer> {
    const sent = {
      'user-agent': `Browser at ${this.ip}`,
      'x-forwarded-for': this.ip,
      cookie: this.cookie,
      'x-csrf-token': this.csrf,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }
    const given = Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const answer = await this.#app.get(`/account/api${path}`, {
      ...{ method, key: null, headers: Object.fromEntries(given) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    this.#keep(answer)
    return answer
  }

  #keep({ headers, body }: Answer): void {
    for (const line of headers.getSetCookie()) {
      const cookie = line.split(';')[0]
      this.cookie = /; Max-Age=0;/.test(line) ? undefined : cookie
    }
    if (typeof body?.csrf_token === 'string') this.csrf = body.csrf_token
  }
}

/** An instance with a mail server and a stopped clock. */
export interface AccountApp {
  readonly app: TestApp
  readonly mail: MailServer
  readonly logLines: Record<string, unknown>[]
  now(): Date
  /** The time on the clock, as answers write it. */
  stamp(): string
  pass(seconds: number): void
  /** All mails to an address so far, oldest first, once the queue is sent. */
  mailsTo(email: string): Promise<MailServer['mails']>
  /** A new browser, signed up. */
  signUp(email: string, password?: string): Promise<Browser>
  /** A new browser, signed up, whose account has a role; a publisher's in all domains. */
  signUpAs(role: User['role'], email: string): Promise<Browser>
  /** Another browser, signed in. */
  signIn(email: string, password?: string): Promise<Browser>
  stop(): Promise<void>
}

type Flags = NonNullable<Parameters<typeof startTestApp>[0]>['flags']

/** Stop it in `afterAll`. Each browser has its own address: the test acts as a trusted proxy. */
export async function startAccountApp(flags: Flags = {}): Promise<AccountApp> {
  const mail = await startMailServer()
  const logLines: Record<string, unknown>[] = []
  let time = new Date('2025-03-04T05:06:07Z')
  const now = () => time
  const app = await startTestApp({
    flags: { smtp_url: mail.url, trusted_proxies: '127.0.0.1', ...flags },
    ...{ now, logLines },
  })
  const open = async (path: string, status: number, body: object) => {
    const browser = new Browser(app)
    const answer = await browser.post(path, body)
    if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    return browser
  }
  const signUp = (email: string, password = PASSWORD) =>
    open('/signup', 201, { email, password, language: 'en' })
  return {
    ...{ app, mail, logLines, now },
    stamp: () => formatTimestamp(time),
    pass(seconds) {
      time = new Date(time.getTime() + seconds * 1000)
    },
    async mailsTo(email) {
      const { later, mailer } = app.app.accountService
      await later.settled()
      await mailer.sendDue()
      return mail.mails.filter((one) => one.to === email)
    },
    signUp,
    async signUpAs(role, email) {
      const browser = await signUp(email)
      const given = { role, publisher_domains: role === 'reader' ? [] : null }
      await setAccountRole(app.app.accounts, email, given, now())
      return browser
    },
    signIn: (email, password = PASSWORD) => open('/login', 200, { email, password }),
    async stop() {
      await app.stop()
      await mail.close()
    },
  }
}
