import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ApiError } from '../../src/base/errors.ts'
import { type CursorBinding, openCursor, sealCursor } from '../../src/query/list/list-page.ts'

const secret = new Uint8Array(32).fill(7)
const binding: CursorBinding = {
  id: 'towns',
  version: 3,
  sha256: 'ab'.repeat(32),
  filters: [{ column: 1, operator: 'eq', operands: [['Cluj']] }],
}

function codeOf(open: () => unknown): string {
  try {
    open()
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
  return 'taken'
}

describe('cursors', () => {
  test('a sealed row comes back, up to the largest', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), (row) => {
        expect(openCursor(secret, binding, sealCursor(secret, binding, row))).toBe(row)
      }),
    )
    expect(openCursor(secret, binding, sealCursor(secret, binding, 2 ** 40))).toBe(2 ** 40)
  })

  test('changing any character is noticed', () => {
    const cursor = sealCursor(secret, binding, 123)
    for (let at = 0; at < cursor.length; at++) {
      for (const other of 'Aa9_-') {
        if (cursor[at] === other) continue
        const changed = cursor.slice(0, at) + other + cursor.slice(at + 1)
        expect(codeOf(() => openCursor(secret, binding, changed))).toBe('invalid_cursor')
      }
    }
  })

  test('texts that are not cursors are invalid', () => {
    const cursor = sealCursor(secret, binding, 1)
    for (const text of [
      '',
      'x',
      '0',
      `${cursor}=`,
      cursor.slice(1),
      `${cursor}A`,
      cursor.toLowerCase(),
      'ș'.repeat(63),
    ]) {
      expect(codeOf(() => openCursor(secret, binding, text))).toBe('invalid_cursor')
    }
  })

  test('another version makes a cursor expired; another dataset, filter or folder makes it invalid', () => {
    const cursor = sealCursor(secret, binding, 1)
    expect(codeOf(() => openCursor(secret, { ...binding, version: 4 }, cursor))).toBe('cursor_expired')
    expect(codeOf(() => openCursor(secret, { ...binding, sha256: 'cd'.repeat(32) }, cursor))).toBe(
      'cursor_expired',
    )
    expect(codeOf(() => openCursor(secret, { ...binding, id: 'other' }, cursor))).toBe('invalid_cursor')
    expect(codeOf(() => openCursor(secret, { ...binding, filters: [] }, cursor))).toBe('invalid_cursor')
    expect(codeOf(() => openCursor(new Uint8Array(32), binding, cursor))).toBe('invalid_cursor')
  })

  test('a cursor reveals neither names nor row numbers of its filters in plain text', () => {
    const decoded = Buffer.from(sealCursor(secret, binding, 1), 'base64url').toString('latin1')
    expect(decoded).not.toContain('towns')
    expect(decoded).not.toContain('Cluj')
  })
})
