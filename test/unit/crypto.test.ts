import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { BASE62, encodeBase62 } from '../../src/base/crypto/base62.ts'
import { sha256, sha256Base64, sha256File } from '../../src/base/crypto/sha256.ts'
import { tempDir } from '../support/temp-dir.ts'

test('base62 writes every natural number so that it reads back, in numeric order', () => {
  const read = (text: string) => [...text].reduce((value, digit) => value * 62 + BASE62.indexOf(digit), 0)
  fc.assert(
    fc.property(fc.nat(0xffffffff), fc.nat(0xffffffff), (a, b) => {
      expect(read(encodeBase62(a, 6))).toBe(a)
      expect(encodeBase62(a, 6) < encodeBase62(b, 6)).toBe(a < b)
    }),
  )
  expect(encodeBase62(0xffffffff, 6)).toBe('4gfFC3')
})

test('base62 refuses what it cannot write', () => {
  for (const value of [-1, 1.5, Number.NaN, 62]) expect(() => encodeBase62(value, 1)).toThrow(RangeError)
})

test('SHA-256 matches FIPS 180-4 for text, bytes and files', () => {
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(Buffer.from(sha256('abc')).toString('hex')).toBe(abc)
  expect(Buffer.from(sha256Base64('abc'), 'base64').toString('hex')).toBe(abc)
  expect(sha256('ș')).toEqual(sha256(new TextEncoder().encode('ș')))
  const path = join(tempDir(), 'a')
  writeFileSync(path, 'a'.repeat(1_000_000))
  expect(sha256File(path)).toEqual({
    sha256: 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
    bytes: 1_000_000,
  })
})
