import { describe, expect, test } from 'bun:test'
import { letterFolds, wordsOf } from '../../src/base/text/words.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import { countRows } from '../../src/engine/run.ts'
import { indexedSource } from '../support/memory-source.ts'
import { plainWords } from '../support/plain-words.ts'
import { randomFrom } from '../support/random-numbers.ts'

/** One row per text. */
function datasetOf(texts: readonly string[]): OpenDataset {
  return new OpenDataset(
    indexedSource(texts.length, [{ name: 'text', type: 'string', texts, indexOf: (row) => row }]),
  )
}

function count(dataset: OpenDataset, text: string) {
  return countRows(dataset, [{ words: wordsOf(text) }])
}

const has = (text: string, word: string) => plainWords(text).some((other) => other.startsWith(word))

describe('a word', () => {
  test('is found at the beginning of a word, and never across the boundary of two entries', async () => {
    const dataset = datasetOf(['ab', 'cd', 'x cde', 'dea', 'b', '', 'x-cd', 'xcd'])
    expect(await count(dataset, 'cd')).toBe(3)
    expect(await count(dataset, 'abc')).toBe(0)
    expect(await count(dataset, 'cdx')).toBe(0)
    expect(await count(dataset, 'de')).toBe(1)
  })

  test('is found regardless of case, diacritics, strokes and ligatures', async () => {
    const dataset = datasetOf([
      'Łódź',
      'str. LODZ',
      'Lo\u0301d\u0301z',
      'Straße',
      'strasse',
      'ﬁrma',
      'æther',
      'đak',
    ])
    expect(await count(dataset, 'łódź')).toBe(3)
    expect(await count(dataset, 'stras')).toBe(2)
    expect(await count(dataset, 'STRAẞE')).toBe(2)
    expect(await count(dataset, 'fir')).toBe(1)
    expect(await count(dataset, 'aet')).toBe(1)
    expect(await count(dataset, 'dak')).toBe(1)
  })

  test('may be in another column than the next one', async () => {
    const texts = ['Cluj', 'Alba', 'Iași']
    const column = (name: string, shift: number) => ({
      ...{ name, type: 'string' as const, texts },
      indexOf: (row: number) => (row + shift) % 3,
    })
    const dataset = new OpenDataset(indexedSource(3, [column('a', 0), column('b', 1)]))
    expect(await count(dataset, 'cluj alba')).toBe(1)
    expect(await count(dataset, 'cluj iasi')).toBe(1)
    expect(await count(dataset, 'cluj alba iasi')).toBe(0)
    expect(await count(dataset, 'alba')).toBe(2)
    expect(await countRows(dataset, [{ words: [] }])).toBe(0)
  })

  test('every character folds alone as it does within a text', () => {
    const folds = letterFolds()
    for (let code = 0; code < folds.length; code++) {
      const [first, second = ''] = plainWords(`x${String.fromCharCode(code)}y`)
      const folded = folds[code]!
      if (folded === 0) expect(`${first} ${second}`).toBe('x y')
      else if (folded === 1) expect(first).toBe('xy')
      else if (folded === 2) expect(first!.length).toBeGreaterThan(3)
      else if (folded > 3) expect(first).toBe(`x${String.fromCharCode(folded)}y`)
    }
  })

  test('of any length is found anywhere in long texts', async () => {
    const random = randomFrom(5)
    const letters = [...'aAbăĂ ß-½1', 'e\u0301', 'ﬁ', '日', '😀', '\u0301']
    const letter = () => letters[Math.floor(random() * letters.length)]!
    const texts = [
      ...new Set(
        Array.from({ length: 900 }, () => Array.from({ length: 1 + random() * 70 }, letter).join('')),
      ),
    ]
    const dataset = datasetOf(texts)
    const words = [...new Set(texts.flatMap(plainWords))]
    for (let at = 0; at < 300; at++) {
      const whole = words[Math.floor(random() * words.length)]!
      const word = [...whole].slice(0, 1 + Math.floor(random() * 12)).join('')
      expect(await countRows(dataset, [{ words: [word] }])).toBe(
        texts.filter((text) => has(text, word)).length,
      )
    }
  })

  test('is searched in turns in a dictionary of many megabytes, and found everywhere', async () => {
    const texts = Array.from({ length: 400_000 }, (_, i) => `Strada ${'lorem ipsum '.repeat(4)} nr. ${i} ½`)
    const dataset = datasetOf(texts)
    const found = count(dataset, 'NR 1234')
    expect(found).toBeInstanceOf(Promise)
    expect(await found).toBe(texts.filter((text) => has(text, '1234')).length)
    expect(await count(dataset, 'trada')).toBe(0)
  })
})
