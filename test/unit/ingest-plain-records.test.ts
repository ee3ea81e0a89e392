/** Faster code cuts plain records: only the time may differ. */

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { RecordSplitter } from '../../src/read/records/record-splitter.ts'
import type { Separators } from '../../src/read/records/separators.ts'
import { blockRoom } from '../../src/read/source/block-reader.ts'
import { runs } from '../support/property-runs.ts'

const NEVER = Number.POSITIVE_INFINITY

interface Case {
  readonly text: string
  readonly separators: Separators
  readonly width: number
  /** Bytes that arrive with each block. */
  readonly step: number
}

/** Everything a splitter reports for a text that arrives in blocks. */
function splitAll({ text, separators, width, step }: Case, cutFrom: number): unknown[] {
  const all = new TextEncoder().encode(text)
  const splitter = new RecordSplitter(separators, width, { cutFrom })
  const told: unknown[] = []
  let from = 0
  for (let to = step; ; to += step) {
    const final = to >= all.length
    const length = Math.min(to, all.length) - from
    const bytes = new Uint8Array(blockRoom(length))
    bytes.set(all.subarray(from, from + length))
    const used = splitter.split(bytes, length, final)
    const { rows, starts, ends, lines, rowStarts, rowEnds } = splitter
    const cells = Array.from({ length: rows * width }, (_, cell) => {
      return Buffer.from(bytes.subarray(starts[cell], ends[cell])).toString('latin1')
    })
    const { ragged, records, blank, strayQuotes, openQuote, line, usedBytes } = splitter
    told.push({
      ...{ used, rows, cells, ragged, records, blank, openQuote, line, usedBytes },
      starts: [...starts.subarray(0, rows * width)],
      ends: [...ends.subarray(0, rows * width)],
      lines: [...lines.subarray(0, rows)],
      rowStarts: [...rowStarts.subarray(0, rows)],
      rowEnds: [...rowEnds.subarray(0, rows)],
      strayQuotes: [...strayQuotes],
    })
    from += used
    if (final) return told
  }
}

const separators = fc.record({
  delimiter: fc.constantFrom(0x2c, 0x3b, 0x09, 0x20, 0x7c),
  quote: fc.constantFrom(0x22, 0x22, 0x27, -1),
})

/** Any mix of characters that mean something and some that do not. */
function soups({ delimiter, quote }: Separators): fc.Arbitrary<string> {
  const sign = String.fromCharCode(delimiter)
  const around = quote < 0 ? '"' : String.fromCharCode(quote)
  return fc
    .array(fc.constantFrom(sign, sign, around, around, '\n', '\r', '\r\n', 'a', 'ă', ' ', '\u0001', '12,5'), {
      maxLength: 120,
    })
    .map((parts) => parts.join(''))
}

/** Records as programs write them, with an occasional malformed one. */
function tables({ delimiter, quote }: Separators, width: number): fc.Arbitrary<string> {
  const sign = String.fromCharCode(delimiter)
  const around = quote < 0 ? '' : String.fromCharCode(quote)
  const plain = fc.constantFrom('', ' ', 'x', '1234567890', 'Bistrița-Năsăud', 'a'.repeat(40), "it's")
  const cell = fc.oneof(
    { weight: 6, arbitrary: plain },
    { weight: 3, arbitrary: plain.map((text) => `${around}${text}${sign}${around}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        `${around}a${around}${around}b${around}`,
        `${around}a\nb${around}`,
        `${around}a${around}b`,
      ),
    },
  )
  const record = fc.oneof(
    { weight: 9, arbitrary: fc.array(cell, { minLength: width, maxLength: width }) },
    { weight: 1, arbitrary: fc.array(cell, { maxLength: width + 2 }) },
  )
  return fc
    .tuple(fc.array(record, { maxLength: 60 }), fc.constantFrom('\n', '\r\n', '\r'))
    .map(([records, end]) => records.map((cells) => cells.join(sign)).join(end))
}

function cases(texts: (separators: Separators, width: number) => fc.Arbitrary<string>): fc.Arbitrary<Case> {
  return fc
    .tuple(separators, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 600 }))
    .chain(([chosen, width, step]) =>
      texts(chosen, width).map((text) => ({ text, separators: chosen, width, step })),
    )
}

describe('the fast path for plain records', () => {
  test('agrees on any characters in any order', () => {
    fc.assert(
      fc.property(cases(soups), (each) => expect(splitAll(each, 0)).toEqual(splitAll(each, NEVER))),
      { numRuns: runs(3000) },
    )
  })

  test('agrees on tables with odd records in them', () => {
    fc.assert(
      fc.property(cases(tables), (each) => expect(splitAll(each, 0)).toEqual(splitAll(each, NEVER))),
      { numRuns: runs(1500) },
    )
  })

  test('agrees over many calls and every width', () => {
    for (const width of [1, 2, 15, 16, 17, 1000, 4096]) {
      const record = Array.from({ length: width }, (_, cell) =>
        cell % 3 === 0 ? `"a,${cell}"` : `${cell}`,
      ).join(',')
      const text = `${record}\r\n`.repeat(Math.ceil(60_000 / width))
      const each = { text, separators: { delimiter: 0x2c, quote: 0x22 }, width, step: 1 << 17 }
      expect(splitAll(each, 0)).toEqual(splitAll(each, NEVER))
    }
  })
})
