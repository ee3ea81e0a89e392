import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { generateKey, isWellFormedKey, keyHint } from '../../src/accounts/keys/key-format.ts'
import { BASE62 } from '../../src/base/crypto/base62.ts'

test('a generated key has the published shape and is well formed', () => {
  for (let i = 0; i < 200; i++) {
    const key = generateKey()
    expect(key).toMatch(/^rok_[0-9A-Za-z]{38}$/)
    expect(isWellFormedKey(key)).toBe(true)
  }
})

test('the checksum is the CRC-32 of what precedes it', () => {
  const body = `rok_${'0'.repeat(32)}`
  const crc = crc32(body)
  let digits = ''
  for (let rest = crc, i = 0; i < 6; i++, rest = Math.floor(rest / 62)) digits = BASE62[rest % 62] + digits
  expect(isWellFormedKey(body + digits)).toBe(true)
})

test('changing any one character of a key makes it malformed', () => {
  fc.assert(
    fc.property(fc.nat(41), fc.constantFrom(...BASE62, ' ', 'ș', '\0', '-'), (at, letter) => {
      const key = generateKey()
      fc.pre(key[at] !== letter)
      expect(isWellFormedKey(key.slice(0, at) + letter + key.slice(at + 1))).toBe(false)
    }),
  )
})

test('no other text is a key', () => {
  const key = generateKey()
  for (const text of [
    '',
    'rok_',
    ` ${key}`,
    `${key} `,
    `${key}\n`,
    key.toUpperCase(),
    key.slice(1),
    `${key}0`,
  ]) {
    expect(isWellFormedKey(text)).toBe(false)
  }
  fc.assert(fc.property(fc.string(), (text) => !isWellFormedKey(text)))
})

test('every base62 character is equally likely at every position', () => {
  const keys = 3100
  const counts = Array.from({ length: 32 }, () => new Map<string, number>())
  for (let i = 0; i < keys; i++) {
    const random = generateKey().slice(4, 36)
    counts.forEach((count, place) => {
      count.set(random[place] ?? '', (count.get(random[place] ?? '') ?? 0) + 1)
    })
  }
  const expected = keys / 62
  for (const count of counts) {
    // Chi-squared with 61 degrees of freedom; 132 is exceeded once in about four million.
    const deviation = [...BASE62].reduce(
      (sum, letter) => sum + ((count.get(letter) ?? 0) - expected) ** 2 / expected,
      0,
    )
    expect(deviation).toBeLessThan(132)
  }
})

test('the hint shows the last four characters and nothing else of the key', () => {
  expect(keyHint(`rok_${'x'.repeat(34)}Ab3Z`)).toBe('rok_…Ab3Z')
})

/** Bit by bit, as in ISO 3309. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
