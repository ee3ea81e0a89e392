/** The verbs on accounts with their database and a fixed clock, without HTTP. Use it inside a test. */

import { onTestFinished } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { KeyLookup } from '../../src/accounts/keys/key-lookup.ts'
import { type AccountService, openAccountService } from '../../src/accounts/people/account-service.ts'
import type { Client } from '../../src/accounts/people/client.ts'
import { type EmailAddress, parseEmail } from '../../src/accounts/people/email-address.ts'
import {
  type FoundSession,
  findSession,
  type OpenedSession,
} from '../../src/accounts/people/sign-in/sessions.ts'
import { signIn } from '../../src/accounts/people/sign-in/sign-in.ts'
import { signUp } from '../../src/accounts/people/sign-in/sign-up.ts'
import { ApiError } from '../../src/base/errors.ts'
import type { AccountsDb } from '../../src/db/accounts.ts'
import type { DataDir } from '../../src/store/files/data-dir.ts'
import { makeTestAccounts } from './accounts-engine.ts'
import { openPlace } from './accounts-place.ts'
import { CHEAP_PASSWORDS, PASSWORD } from './passwords.ts'
import { tempDataDir } from './temp-dir.ts'

export const HOME: Client = { ip: '192.0.2.1', userAgent: 'Firefox' }
export const ELSEWHERE: Client = { ip: '198.51.100.7', userAgent: 'curl' }
export const BASE = 'https://date.example.org'

export interface AccountDesk {
  readonly service: AccountService
  readonly db: AccountsDb
  /** The path or address by which another process opens the accounts (`openPlace`). */
  readonly place: string
  openLookup(): KeyLookup
  /** What `usage.db` would be told to forget: `key 1`, `account 1`. */
  readonly forgotten: string[]
  readonly dataDir: DataDir
  /** Lines of the log. */
  readonly log: Record<string, unknown>[]
  now(): Date
  /** Moves the clock. */
  pass(seconds: number): void
  signUp(email: string, client?: Client): Promise<SignedIn>
  signIn(email: string, password: string, client?: Client): Promise<SignedIn>
  /** Every byte of every file of the data folder. */
  bytes(): Buffer
}

interface SignedIn extends OpenedSession {
  readonly session: FoundSession
}

export interface DeskOptions {
  readonly smtpUrl?: string
  readonly smtpInsecure?: boolean
  readonly dataDir?: DataDir
  /** Of a desk whose accounts are opened a second time. */
  readonly place?: string
  /** The time on the clock at first. */
  readonly at?: Date
  /** Whether hashing costs as much as in a running service; by default next to nothing. */
  readonly realHashing?: boolean
}

export async function openAccountDesk(options: DeskOptions = {}): Promise<AccountDesk> {
  const { smtpUrl, smtpInsecure = false, dataDir = tempDataDir(), at, realHashing = false } = options
  let time = at ?? new Date('2025-03-01T10:00:00Z')
  const now = () => time
  const log: Record<string, unknown>[] = []
  const { db, place, openLookup, close } = await (options.place === undefined
    ? makeTestAccounts(dataDir.accountsDb)
    : openPlace(options.place))
  const forgotten: string[] = []
  const usage = {
    forget: (keyId: number) => void forgotten.push(`key ${keyId}`),
    forgetAccount: (userId: number) => void forgotten.push(`account ${userId}`),
  }
  const service = await openAccountService({
    ...{ db, usage, now },
    ...(!realHashing && { passwordCost: CHEAP_PASSWORDS }),
    log: pino({ level: 'trace' }, { write: (line) => void log.push(JSON.parse(line)) }),
    config: {
      smtp_url: smtpUrl ?? null,
      smtp_insecure: smtpInsecure,
      mail_from: null,
      sign_in_retention: 180 * 86_400,
    },
  })
  onTestFinished(async () => {
    await service.close()
    close()
  })
  const found = async (opened: OpenedSession): Promise<SignedIn> => ({
    ...opened,
    session: (await findSession(service, opened.token, now())) as FoundSession,
  })
  return {
    ...{ service, db, place, openLookup, forgotten, dataDir, log, now },
    pass(seconds) {
      time = new Date(time.getTime() + seconds * 1000)
    },
    signUp: async (email, client = HOME) =>
      found(
        await signUp(
          service,
          { address: addressOf(email), password: PASSWORD },
          { ...client, language: 'en' },
          now(),
        ),
      ),
    signIn: async (email, password, client = HOME) =>
      found(await signIn(service, { address: addressOf(email), password }, client, now())),
    bytes: () => Buffer.concat(readFiles(dataDir.root)),
  }
}

/** A valid e-mail address. */
export function addressOf(email: string): EmailAddress {
  const address = parseEmail(email)
  if (address === undefined) throw new Error(`${email} is not an address`)
  return address
}

/** The code with which a piece of work is refused, or `done`. */
export async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
  return 'done'
}

function readFiles(folder: string): Buffer[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
}
