import { describe, expect, test } from 'bun:test'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import type { Operator } from '../../src/engine/operators.ts'
import { countRows } from '../../src/engine/run.ts'
import { indexedSource } from '../support/memory-source.ts'
import { randomFrom } from '../support/random-numbers.ts'

/** One row per text. */
function datasetOf(texts: readonly string[]): OpenDataset {
  return new OpenDataset(
    indexedSource(texts.length, [{ name: 'text', type: 'string', texts, indexOf: (row) => row }]),
  )
}

function count(dataset: OpenDataset, operator: Operator, ...alternatives: string[]) {
  return countRows(dataset, [{ column: 0, operator, operands: alternatives.map((text) => [text]) }])
}

describe('contains', () => {
  test('never matches across the boundary of two entries', async () => {
    const dataset = datasetOf(['ab', 'cd', 'cde', 'dea', 'b', ''])
    expect(await count(dataset, 'contains', 'bc')).toBe(0)
    expect(await count(dataset, 'contains', 'bcd')).toBe(0)
    expect(await count(dataset, 'contains', 'dc')).toBe(0)
    expect(await count(dataset, 'contains', 'cd')).toBe(2)
    expect(await count(dataset, 'contains', 'dea')).toBe(1)
  })

  test('a match right after a block boundary is found', async () => {
    // 'aab' is in the second entry only; the first occurrence of its bytes starts in the first.
    expect(await count(datasetOf(['xa', 'xaab']), 'contains', 'aab')).toBe(1)
    expect(await count(datasetOf(['aa', 'aaaa', 'aaa']), 'contains', 'aaa')).toBe(2)
  })

  test('ignores case and composition on both sides', async () => {
    const dataset = datasetOf(['București', 'BUCUREŞTI', 'Bucures\u0326ti', 'Bucuresti'])
    expect(await count(dataset, 'contains', 'UREȘ')).toBe(3)
    expect(await count(dataset, 'contains', 'ures\u0326')).toBe(3)
    expect(await count(dataset, 'contains', 'ures')).toBe(1)
  })

  test('takes wildcards of other languages literally', async () => {
    const dataset = datasetOf(['50%', 'a_b', 'a.b', 'axb', '\\d', '*'])
    for (const text of ['%', '_', '.', '\\d', '*']) expect(await count(dataset, 'contains', text)).toBe(1)
  })

  test('alternatives are joined', async () => {
    expect(await count(datasetOf(['north', 'south', 'east']), 'contains', 'ort', 'eas', 'zzz')).toBe(2)
  })

  test('a text longer than any entry matches nothing', async () => {
    expect(await count(datasetOf(['short', 'x']), 'contains', 'short x')).toBe(0)
    expect(await count(datasetOf(['short', 'x']), 'contains', 'y'.repeat(15_000))).toBe(0)
    expect(await count(datasetOf([]), 'contains', 'y')).toBe(0)
  })

  test('finds texts of every length at every position, as includes() does', async () => {
    const random = randomFrom(3)
    const letters = () => 'ab'[Math.floor(random() * 2)]!
    const entries = new Set<string>()
    while (entries.size < 600)
      entries.add(Array.from({ length: Math.floor(random() * 90) }, letters).join(''))
    const texts = [...entries]
    const dataset = datasetOf(texts)
    for (let length = 1; length <= 40; length++) {
      const source = texts.find((text) => text.length > length + 3)!
      const needle = source.slice(3, 3 + length)
      expect(await count(dataset, 'contains', needle)).toBe(
        texts.filter((text) => text.includes(needle)).length,
      )
    }
  })

  test('a dictionary of many megabytes is searched in turns, and completely', async () => {
    const texts = Array.from({ length: 700_000 }, (_, i) => `${i} ${'lorem ipsum dolor sit amet '.repeat(3)}`)
    const dataset = datasetOf(texts)
    const found = count(dataset, 'contains', '99 LOREM')
    expect(found).toBeInstanceOf(Promise)
    expect(await found).toBe(texts.filter((text) => text.includes('99 lorem')).length)
    expect(await count(dataset, 'contains', 'amet 6')).toBe(0)
  })
})

describe('starts_with', () => {
  test('is a prefix of the folded text', async () => {
    const dataset = datasetOf(['Șos. Nordului', 'ŞOS. Sudului', 'Sos', 'șo', 'a șos', 'e\u0301tage', 'etage'])
    expect(await count(dataset, 'starts_with', 'șos')).toBe(2)
    expect(await count(dataset, 'starts_with', 'S')).toBe(1)
    expect(await count(dataset, 'starts_with', 'e')).toBe(1)
    expect(await count(dataset, 'starts_with', 'É')).toBe(1)
  })
})
