/**
 * Passwords that leaked often (OWASP ASVS 5.0, 6.2.4 and 6.2.12): the 112,130 of ten characters or more among the million
 * most frequent ones of `build/leaked-passwords.ts`, compared without regard to case.
 *
 * They are held as a Bloom filter of 256 KiB: each password sets 13 of its bits. One that leaked is always found, and one
 * in 8,000 others is taken for leaked, whose owner then chooses another.
 */

import { readFileSync } from 'node:fs'
import { sha256 } from '../../../base/crypto/sha256.ts'
import tableFile from './leaked-passwords.bin' with { type: 'file' }

/** The rules of passwords refuse what is shorter (`password-policy.ts`). */
export const SHORTEST_LEAKED = 10
export const TABLE_BYTES = 1 << 18
const PLACES = 13

let table: Uint8Array | undefined

/** Whether a password, in any capitalisation, is one that leaked. */
export function isLeaked(password: string): boolean {
  table ??= readFileSync(tableFile)
  const bits = table
  return placesOf(leakedForm(password)).every((place) => (bits[place >>> 3]! & (1 << (place & 7))) !== 0)
}

/** A password as it is compared. */
export function leakedForm(password: string): string {
  return password.normalize('NFC').toLowerCase()
}

/** The bits of a password: two numbers of its hash, combined (Kirsch and Mitzenmacher 2006). */
export function placesOf(compared: string): number[] {
  const hash = new DataView(sha256(compared).buffer)
  const [first, step] = [hash.getUint32(0), hash.getUint32(4) | 1]
  return Array.from({ length: PLACES }, (_, n) => ((first + n * step) >>> 0) % (8 * TABLE_BYTES))
}
