import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { fold } from '../../src/base/text/fold.ts'
import { compareText, orderKey } from '../../src/base/text/order.ts'
import { runs } from '../support/property-runs.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.string({ unit: fc.constantFrom(...'aăâàbAĂiîsșşStțţT0119٣_- \u0301\u0306жйЙ😀'), maxLength: 6 }),
)

function sorted(...texts: string[]): string[] {
  return texts.toSorted((a, b) => compareText(fold(a), fold(b)))
}

describe('fold', () => {
  test('ignores case, composition and the cedilla, and nothing else', () => {
    expect(fold('ŞTEFĂNEŢI')).toBe('ștefăneți')
    expect(fold('Iasi')).not.toBe(fold('Iași'))
    expect(fold('e\u0301')).toBe('é')
    expect(fold('S\u0326')).toBe('ș')
    expect(fold('STRASSE')).not.toBe(fold('straße'))
  })

  test('lowers each code point separately: İ becomes i, and Σ becomes σ even at the end of a word', () => {
    expect(fold('İSTANBUL')).toBe('istanbul')
    expect(fold('ΟΔΟΣ')).toBe('οδοσ')
  })

  test('distinguishes texts that only look alike', () => {
    expect(new Set(['ă', 'ǎ', 'â', 'ã', 'ä', 'а'].map(fold)).size).toBe(6)
  })
})

describe('text order', () => {
  test('puts accented letters after their base letter and before the next one', () => {
    expect(sorted('b', 'â', 'az', 'ă', 'a', 'ză', 'z', 'ț', 't', 'u', 'ș', 's', 'î', 'i', 'j')).toEqual(
      'a az ă â b i î j s ș t ț u z ză'.split(' '),
    )
  })

  test('puts other characters before digits and digits before letters', () => {
    expect(sorted('a', '0', '_', '٣', '😀', '9', ' ', 'ж', 'z')).toEqual([
      ...[' ', '_', '😀', '0', '9', '٣', 'a', 'z', 'ж'],
    ])
  })

  test('every character has its own key, and no key is a prefix of another', () => {
    const keys: string[] = []
    const folds = new Set<string>()
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const character = fold(String.fromCodePoint(code))
      if ([...character].length === 1) folds.add(character)
    }
    for (const character of folds) keys.push(orderKey(character))
    keys.sort((a, b) => (a < b ? -1 : 1))
    const clashes = keys.filter((key, i) => i > 0 && key.startsWith(keys[i - 1]!))
    expect(folds.size).toBeGreaterThan(1_100_000)
    expect(clashes).toEqual([])
  })

  test('is a total order in which only identical texts are equal', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (a, b, c) => {
        expect(compareText(a, b) === 0).toBe(a === b)
        expect(Math.sign(compareText(a, b))).toBe(-Math.sign(compareText(b, a)) + 0)
        const [low, middle, high] = [a, b, c].toSorted(compareText)
        expect(compareText(low!, middle!)).toBeLessThanOrEqual(0)
        expect(compareText(low!, high!)).toBeLessThanOrEqual(0)
      }),
      { numRuns: runs(2000) },
    )
  })

  test('keeps texts with a common prefix together', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 3, maxLength: 40 }), anyText, (texts, prefix) => {
        const marks = [...texts, prefix + texts[0], prefix]
          .toSorted(compareText)
          .map((text) => (text.startsWith(prefix) ? 'y' : 'n'))
        expect(marks.join('')).toMatch(/^n*y+n*$/)
        expect(orderKey(prefix + texts[0]).startsWith(orderKey(prefix))).toBe(true)
      }),
      { numRuns: runs(1000) },
    )
  })
})
