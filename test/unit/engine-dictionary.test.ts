import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { fold } from '../../src/base/text/fold.ts'
import { compareText } from '../../src/base/text/order.ts'
import type { ColumnType, SegmentKind } from '../../src/engine/columns/column.ts'
import {
  dictionaryText,
  type EncodedDictionary,
  encodeDictionary,
} from '../../src/engine/columns/dictionary.ts'
import { segmentBytes } from '../support/memory-source.ts'
import { compareValues } from '../support/oracle.ts'
import { runs } from '../support/property-runs.ts'
import { valuesOf } from '../support/random-table.ts'

function encode(type: ColumnType, texts: readonly string[]): EncodedDictionary {
  const parts = texts.map((text) => Buffer.from(text))
  const offsets = new Uint32Array(texts.length + 1)
  for (const [i, part] of parts.entries()) offsets[i + 1] = offsets[i]! + part.length
  return encodeDictionary(type, { heap: new Uint8Array(Buffer.concat(parts)), offsets })
}

function endsOf(texts: readonly string[]): Uint32Array {
  const offsets = new Uint32Array(texts.length + 1)
  for (const [i, text] of texts.entries()) offsets[i + 1] = offsets[i]! + Buffer.byteLength(text)
  return offsets
}

function textsOf(dictionary: EncodedDictionary): string[] {
  return Array.from({ length: dictionary.distinct }, (_, i) => dictionaryText(dictionary, i + 1))
}

function words(dictionary: EncodedDictionary, kind: SegmentKind): number[] {
  const bytes = segmentBytes(dictionary.segments.get(kind)!)
  return [...new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)]
}

describe('encodeDictionary', () => {
  test('sorts numbers by value', () => {
    const integers = ['10', '9', '-1', '0', '-10', '9007199254740991', '-9007199254740991']
    expect(textsOf(encode('integer', integers))).toEqual([
      ...['-9007199254740991', '-10', '-1', '0', '9', '10', '9007199254740991'],
    ])
    const decimals = [
      '1e+21',
      '0.1',
      '-0.1',
      '1e-7',
      '2',
      '0',
      '1.7976931348623157e+308',
      '0.30000000000000004',
    ]
    expect(textsOf(encode('decimal', decimals))).toEqual([
      ...['-0.1', '0', '1e-7', '0.1', '0.30000000000000004', '2', '1e+21', '1.7976931348623157e+308'],
    ])
  })

  test('sorts thousands of decimals as JavaScript compares them', () => {
    const doubles = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
    const [values] = fc.sample(fc.uniqueArray(doubles, { minLength: 3000, maxLength: 3000, size: 'max' }), {
      numRuns: 1,
      seed: 7,
    })
    const sorted = textsOf(encode('decimal', values!.map(String))).map(Number)
    expect(sorted).toEqual(values!.toSorted((a, b) => a - b))
  })

  test('numbers entries in the order of their type, for input in any order', () => {
    const types: ColumnType[] = ['string', 'integer', 'decimal', 'boolean', 'date', 'datetime']
    const cases = fc
      .constantFrom(...types)
      .chain((type) => fc.tuple(fc.constant(type), fc.array(valuesOf(type), { maxLength: 60 })))
    fc.assert(
      fc.property(cases, ([type, values]) => {
        const texts = values.map(String)
        const dictionary = encode(type, texts)
        const inOrder = textsOf(dictionary)
        expect(new Set(inOrder)).toEqual(new Set(texts))
        expect(inOrder.length).toBe(new Set(texts).size)
        for (const [i, text] of texts.entries()) expect(inOrder[dictionary.codeOf[i]! - 1]).toBe(text)
        const ranks = dictionary.segments.has('ranks') ? words(dictionary, 'ranks') : undefined
        const table = { columns: [{ name: 'c', type }], rows: [] }
        const byText = new Map(values.map((value) => [String(value), value]))
        for (let i = 1; i < inOrder.length; i++) {
          const difference = compareValues(table, 0, byText.get(inOrder[i - 1]!)!, byText.get(inOrder[i]!)!)
          expect(difference).toBeLessThanOrEqual(0)
          const sharesRank = ranks !== undefined && ranks[i] === ranks[i + 1]
          expect(sharesRank).toBe(difference === 0)
        }
      }),
      { numRuns: runs(400) },
    )
  })

  test('entries with the same text share a code', () => {
    const { distinct, codeOf } = encode('integer', ['5', '3', '5', '5', '4'])
    expect(distinct).toBe(3)
    expect([...codeOf]).toEqual([3, 1, 3, 3, 2])
  })

  test('spellings of one text share a rank and are in byte order', () => {
    const dictionary = encode('string', ['iași', 'Iaşi', 'z', 'IAȘI', 'iasi'])
    expect(textsOf(dictionary)).toEqual(['iasi', 'IAȘI', 'Iaşi', 'iași', 'z'])
    expect(words(dictionary, 'ranks')).toEqual([0, 1, 2, 2, 2, 3])
  })

  test('two spellings of one instant share a rank', () => {
    const dictionary = encode('datetime', [
      ...[
        '2021-01-01T00:00:00.50Z',
        '2021-01-01T00:00:00Z',
        '2021-01-01T00:00:00.5Z',
        '2021-01-01T00:00:00.05Z',
      ],
    ])
    expect(textsOf(dictionary)).toEqual([
      ...[
        '2021-01-01T00:00:00Z',
        '2021-01-01T00:00:00.05Z',
        '2021-01-01T00:00:00.50Z',
        '2021-01-01T00:00:00.5Z',
      ],
    ])
    expect(words(dictionary, 'ranks')).toEqual([0, 1, 2, 3, 3])
  })

  test('a column of plain entries stores nothing but its texts', () => {
    expect([...encode('string', ['plain', 'text 1']).segments.keys()]).toEqual(['offsets', 'heap'])
    expect([...encode('integer', ['1', '-2']).segments.keys()]).toEqual(['offsets', 'heap'])
  })

  test('side tables hold the escaped entries and no others', () => {
    const dictionary = encode('string', ['plain', 'a "b"', 'c\nd', '', 'e,f', 'g\\'])
    const json = segmentBytes(dictionary.segments.get('json_heap')!)
    expect(words(dictionary, 'json_codes').map((code) => dictionaryText(dictionary, code))).toEqual([
      ...['a "b"', 'c\nd', 'g\\'],
    ])
    expect(Buffer.from(json).toString()).toBe('a \\"b\\"c\\ndg\\\\')
    expect(Buffer.from(segmentBytes(dictionary.segments.get('csv_heap')!)).toString()).toBe('a ""b""')
    expect([...segmentBytes(dictionary.segments.get('flags')!)]).toEqual([0, 1, 7, 3, 1, 2, 0])
  })

  test('a column without values has a dictionary without entries', () => {
    const dictionary = encode('string', [])
    expect(dictionary.distinct).toBe(0)
    expect(words(dictionary, 'offsets')).toEqual([0])
  })

  test('texts with long common prefixes are sorted without deep recursion', () => {
    const common = 'x'.repeat(200_000)
    const texts = ['c', 'a', 'b', '', 'ab'].map((end) => common + end)
    expect(textsOf(encode('string', texts)).map((text) => text.slice(common.length))).toEqual([
      ...['', 'a', 'ab', 'b', 'c'],
    ])
    const many = Array.from({ length: 40 }, (_, i) => common + String(i).padStart(2, '0'))
    expect(textsOf(encode('string', many.toReversed()))).toEqual(many)
  })

  test('texts with truncated keys are ordered and folded by all of their characters', () => {
    const common = 'Țară de piatră, '.repeat(20)
    const ends = fc.array(fc.constantFrom('a', 'B', 'b', 'ă', 'Ǆ', 'İ', '𝔸', '"', ' ', '中'), {
      maxLength: 3,
    })
    const text = fc
      .tuple(fc.integer({ min: 0, max: common.length }), ends)
      .map(([length, letters]) => common.slice(0, length) + letters.join(''))
    fc.assert(
      fc.property(fc.uniqueArray(text, { minLength: 1, maxLength: 40 }), (texts) => {
        const dictionary = encode('string', texts)
        const byOrder = (a: string, b: string) =>
          compareText(fold(a), fold(b)) || Buffer.compare(Buffer.from(a), Buffer.from(b))
        const sorted = texts.toSorted(byOrder)
        expect(textsOf(dictionary)).toEqual(sorted)
        if (sorted.every((own) => fold(own) === own)) return
        const folds = segmentBytes(dictionary.segments.get('fold_heap')!)
        expect(Buffer.from(folds).toString()).toBe(sorted.map(fold).join(''))
      }),
      { numRuns: runs(200) },
    )
  })

  test('unused entries get no code, and the rest is as if they had never existed', () => {
    const texts = ['Iași', 'b', 'IAȘI', 'iași', 'a']
    const entries = { heap: new Uint8Array(Buffer.from(texts.join(''))), offsets: endsOf(texts) }
    const dictionary = encodeDictionary('string', entries, Uint8Array.of(1, 1, 0, 1, 0))
    expect(textsOf(dictionary)).toEqual(['b', 'Iași', 'iași'])
    expect([...dictionary.codeOf]).toEqual([2, 1, 0, 3, 0])
    expect(words(dictionary, 'ranks')).toEqual([0, 1, 2, 2])
  })

  test('texts are written in place: a large column is not copied', () => {
    const texts = Array.from(
      { length: 4000 },
      (_, i) => `${String(i).padStart(5, '0')}${'Text '.repeat(1600)}`,
    )
    const entries = { heap: new Uint8Array(Buffer.from(texts.join(''))), offsets: endsOf(texts) }
    const { segments } = encodeDictionary('string', entries)
    for (const kind of ['heap', 'fold_heap'] as const) {
      const pieces = [...segments.get(kind)!].map(({ length }) => length)
      expect(Math.max(...pieces)).toBeLessThan(1 << 18)
      expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(entries.heap.length)
    }
  })
})
