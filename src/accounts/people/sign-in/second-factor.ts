/**
 * The second factor of an account: an authenticator app, and ten recovery codes in case the app is lost. It is on once
 * the first code was entered; turning it off takes the password and a code.
 *
 * Threat: guessing codes (10 wrong ones an hour, counted before comparing), a code that was seen by others (each works
 * once), and a stolen session that turns it off. Each change ends other sessions, is audited, and sends a mail.
 */

import { timingSafeEqual } from 'node:crypto'
import { and, eq, isNotNull, isNull, lt, or } from 'drizzle-orm'
import { generateRandomString } from 'oslo/crypto'
import { base32 } from 'oslo/encoding'
import { createTOTPKeyURI, generateHOTP } from 'oslo/otp'
import { sha256 } from '../../../base/crypto/sha256.ts'
import { ApiError } from '../../../base/errors.ts'
import { formatTimestamp } from '../../../base/text/timestamp.ts'
import { inTransaction, type Transaction } from '../../../db/accounts.ts'
import { recoveryCodes, users } from '../../../db/schema/accounts-schema.ts'
import { type Actor, type Operator, recordEvent } from '../../audit/audit.ts'
import { give, requireRoom } from '../../limits/limits.ts'
import { queueNotice } from '../../mail/queue.ts'
import type { AccountService } from '../account-service.ts'
import { confirmPassword, refuseChanged } from '../passwords/passwords.ts'
import { requireUser, type UserRow } from '../user.ts'
import { endSessions, type FoundSession } from './sessions.ts'

/** RFC 4226, 4: 160 bits. */
const SECRET_BYTES = 20
const STEP_MS = 30_000
/** One step either way: clocks differ, and people type slowly (RFC 6238, 5.2). */
const STEPS_AROUND = [-1, 0, 1]
const RECOVERY_CODES = 10
/** 31 characters, without those that look alike. */
const RECOVERY_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const RECOVERY_LENGTH = 24
const RECOVERY_SHAPE = new RegExp(`^[${RECOVERY_ALPHABET}]{${RECOVERY_LENGTH}}$`)

/** A code that was right when it was compared; `spendCode` uses it up. */
export type ProvenCode = { readonly step: number } | { readonly recoveryHash: Buffer }

/**
 * Makes the secret of an authenticator app. Sign-in needs no code until `confirmSecondFactor`; another call replaces it.
 * @param issuer what the app shows beside the address
 * @throws ApiError `second_factor_required` when there is a second factor already, and those of `confirmPassword`
 */
export async function beginSecondFactor(
  service: AccountService,
  { userId }: FoundSession,
  { password }: { readonly password: string },
  issuer: string,
  now: Date,
): Promise<{ secret: string; uri: string }> {
  const proven = await confirmPassword(service, userId, password, 'body.password', now)
  const secret = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  await inTransaction(service.db, async (tx) => {
    await refuseChanged(tx, proven, 'body.password')
    const { secondFactorSince } = await requireUser(tx, userId)
    if (secondFactorSince !== null)
      throw new ApiError('second_factor_required', 'There is a second factor already: remove it first.')
    await tx
      .update(users)
      .set({ secondFactorSecret: Buffer.from(secret), secondFactorStep: null })
      .where(eq(users.id, userId))
  })
  // As people type it (RFC 4648), and the address that a QR code holds.
  return {
    secret: base32.encode(secret, { includePadding: false }),
    uri: createTOTPKeyURI(issuer, proven.email, secret),
  }
}

/**
 * Turns the second factor on with a first code of the app, and ends the account's other sessions.
 * @returns the recovery codes, which are shown only now
 * @throws ApiError `invalid_credentials` (also when nothing was begun), `rate_limited`
 */
export async function confirmSecondFactor(
  service: AccountService,
  { userId, sessionId }: FoundSession,
  { code }: { readonly code: string },
  now: Date,
): Promise<{ recovery_codes: string[] }> {
  const user = await requireUser(service.db, userId)
  const isPending = user.secondFactorSince === null
  const proof = await proveCode(service, user, code, `session ${userId}`, now, isPending)
  const codes = newRecoveryCodes()
  await inTransaction(service.db, async (tx) => {
    if (!isPending || !(await spendCode(tx, user, proof, now))) throw wrongCode()
    await tx
      .update(users)
      .set({ secondFactorSince: formatTimestamp(now) })
      .where(eq(users.id, userId))
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
    await tx
      .insert(recoveryCodes)
      .values(codes.map((one) => ({ userId, codeHash: hashRecoveryCode(one) as Buffer })))
    await endSessions(tx, userId, sessionId)
    await recordEvent(tx, { actor: 'account', event: 'second_factor_on', userId }, now)
    await queueNotice(tx, userId, 'second_factor_on', now)
  })
  service.mailer.wake()
  return { recovery_codes: codes }
}

/**
 * Turns the second factor off, and ends the account's other sessions.
 * @throws ApiError `invalid_credentials` (password or code), `rate_limited`, `service_unavailable`
 */
export async function removeSecondFactor(
  service: AccountService,
  { userId, sessionId }: FoundSession,
  { password, code }: { readonly password: string; readonly code: string },
  now: Date,
): Promise<void> {
  const proven = await confirmPassword(service, userId, password, 'body.password', now)
  const proof = await proveCode(service, proven, code, `session ${userId}`, now)
  await inTransaction(service.db, async (tx) => {
    await refuseChanged(tx, proven, 'body.password')
    if (!(await spendCode(tx, proven, proof, now))) throw wrongCode()
    await dropSecondFactor(tx, userId, 'account', now)
    await endSessions(tx, userId, sessionId)
  })
  service.mailer.wake()
}

/** Turns the second factor of an account off, in the caller's transaction. Its owner gets a mail. */
export async function dropSecondFactor(tx: Transaction, userId: number, actor: Actor | Operator, now: Date) {
  await tx
    .update(users)
    .set({ secondFactorSecret: null, secondFactorSince: null, secondFactorStep: null })
    .where(eq(users.id, userId))
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await recordEvent(tx, { actor, event: 'second_factor_off', userId }, now)
  await queueNotice(tx, userId, 'second_factor_off', now)
}

/**
 * The second step of a sign-in whose password was right.
 * @param who what wrong codes are counted by
 * @returns null for an account without a second factor
 * @throws ApiError `second_factor_required` without a code, `invalid_credentials`, `rate_limited`
 */
export async function proveSecondFactor(
  service: AccountService,
  user: UserRow,
  code: string | undefined,
  who: string | number,
  now: Date,
): Promise<ProvenCode | null> {
  if (user.secondFactorSince === null) return null
  if (code === undefined || code.trim() === '')
    throw new ApiError(
      'second_factor_required',
      'This account has a second factor: send `code` as well, from the authenticator app or a recovery code.',
    )
  return proveCode(service, user, code, who, now)
}

/** Uses a code up. @returns false when it or a later one was used meanwhile, or the second factor was replaced */
export async function spendCode(
  tx: Transaction,
  { id, secondFactorSecret }: UserRow,
  proof: ProvenCode,
  now: Date,
): Promise<boolean> {
  if ('step' in proof) {
    const unused = or(isNull(users.secondFactorStep), lt(users.secondFactorStep, proof.step))
    const same = eq(users.secondFactorSecret, secondFactorSecret as Buffer)
    const spent = await tx
      .update(users)
      .set({ secondFactorStep: proof.step })
      .where(and(eq(users.id, id), isNotNull(users.secondFactorSecret), same, unused))
      .returning({ id: users.id })
    return spent.length === 1
  }
  const spent = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, id), eq(recoveryCodes.codeHash, proof.recoveryHash)))
    .returning({ userId: recoveryCodes.userId })
  if (spent.length === 0) return false
  await recordEvent(tx, { actor: 'account', event: 'recovery_code_used', userId: id }, now)
  await queueNotice(tx, id, 'recovery_code_used', now)
  return true
}

/** The refusal of a code that is wrong or was used already. */
export function wrongCode(): ApiError {
  const message = 'The code is wrong, too old, or was used already.'
  return new ApiError('invalid_credentials', message, [{ location: 'body.code', message }])
}

/** The attempt is counted before the code is compared; a right one is given back. */
async function proveCode(
  { limits, db }: AccountService,
  user: UserRow,
  code: string,
  who: string | number,
  now: Date,
  appOnly = false,
): Promise<ProvenCode> {
  await requireRoom(limits, 'second_factor', who, 1, now)
  const { secondFactorSecret: secret } = user
  if (secret === null) throw wrongCode()
  const step = await stepOfCode(secret, code, now)
  const recoveryHash = appOnly ? undefined : hashRecoveryCode(code)
  if (step === undefined) {
    if (recoveryHash === undefined) throw wrongCode()
    const same = and(eq(recoveryCodes.userId, user.id), eq(recoveryCodes.codeHash, recoveryHash))
    const found = await db.select({ userId: recoveryCodes.userId }).from(recoveryCodes).where(same)
    if (found.length !== 1) throw wrongCode()
  }
  await give(limits, 'second_factor', who, 1)
  return step === undefined ? { recoveryHash: recoveryHash! } : { step }
}

// One-time codes: TOTP (RFC 6238: SHA-1, six digits, 30 seconds, as authenticator apps expect), and recovery codes.
// Threat: a copy of the database. Only the SHA-256 of recovery codes is stored, which 118 random bits allow (OWASP ASVS
// 5.0, 6.5.2). The codes of the app are computed from its secret, which is stored in plain; the password is still
// needed. oslo's `TOTPController` checks only one step and takes the time from the machine.

/** The step around now whose code this is; undefined for any other text. Blanks in the code do not matter. */
export async function stepOfCode(secret: Uint8Array, text: string, now: Date): Promise<number | undefined> {
  const code = text.replace(/\s/g, '')
  if (!/^\d{6}$/.test(code)) return undefined
  const current = Math.floor(now.getTime() / STEP_MS)
  const steps = STEPS_AROUND.map((around) => current + around)
  const codes = await Promise.all(steps.map((step) => generateHOTP(new Uint8Array(secret), step)))
  const same = codes.map((expected) => timingSafeEqual(Buffer.from(expected), Buffer.from(code)))
  return steps[same.indexOf(true)]
}

/** Ten new recovery codes, such as `k7mw-2hfp-x9qa-b3td-w6rn-c8sj`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    generateRandomString(RECOVERY_LENGTH, RECOVERY_ALPHABET).replace(/(.{4})(?=.)/g, '$1-'),
  )
}

/** What is stored of a recovery code; undefined for a text of another shape. Case, blanks and hyphens do not matter. */
export function hashRecoveryCode(text: string): Buffer | undefined {
  const code = text.replace(/[\s-]/g, '').toLowerCase()
  return RECOVERY_SHAPE.test(code) ? Buffer.from(sha256(code)) : undefined
}
