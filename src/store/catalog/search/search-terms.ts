/** Words in the catalog's index: as they are, by their stems, and with their synonyms. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import shipped from '../../../../data/reference/synonyms.csv' with { type: 'text' }
import { readRegularText } from '../../../base/process/regular-file.ts'
import { wordsOf } from '../../../base/text/words.ts'
import { stemsOf } from './stems.ts'

/** Marks a stem in the index, so that none is taken for a word. FTS5's `ascii` allows it in a token. */
const STEM = 'ˢ'

/** One word of a search. */
export interface SearchTerm {
  /** As it was written, folded. */
  readonly word: string
  /** FTS5 expressions for the word in its forms, and for its synonyms. Texts are in quotes, so none is syntax. */
  readonly own: string
  readonly others: string | null
  /** Whether a text has the word in any of its forms, or a synonym. */
  isIn(text: string): boolean
  /** A quick test that all folded texts with the word pass: they contain its beginning. */
  readonly hint: RegExp
}

/** Texts for the index: folded words, each once, with their stems. */
export function indexedTexts(texts: Iterable<string | null>): string {
  const words = new Set<string>()
  for (const text of texts) for (const word of wordsOf(text ?? '')) words.add(word)
  return [...new Set([...words].flatMap(tokensOf))].join(' ')
}

function tokensOf(word: string): string[] {
  return [word, ...stemsOf(word).map((stem) => STEM + stem)]
}

/** Words and phrases that mean the same, looked up by single words and their stems. */
export class Synonyms {
  readonly #groups = new Map<string, readonly string[][]>()

  /** @param text one group per line, separated by commas; lines that begin with `#` are skipped */
  constructor(text: string) {
    for (const line of text.split('\n').filter((line) => !line.startsWith('#'))) {
      const group = line.split(',').map(wordsOf)
      for (const [word, ...more] of group) {
        if (word === undefined || more.length > 0) continue
        for (const token of tokensOf(word))
          this.#groups.set(token, [...(this.#groups.get(token) ?? []), ...group])
      }
    }
  }

  /** The synonyms of a folded word: words or phrases. */
  of(word: string): string[][] {
    const found = tokensOf(word).flatMap((token) => this.#groups.get(token) ?? [])
    const phrases = new Map(found.map((phrase) => [phrase.join(' '), phrase]))
    return [...phrases].flatMap(([text, phrase]) => (text === '' || text === word ? [] : [phrase]))
  }
}

/**
 * The shipped table together with the operator's own, which is read again when it changes.
 * @param folder of the operator's reference tables
 * @returns the table, and a tag that changes with it
 */
export function synonymsIn(folder: string): () => { readonly synonyms: Synonyms; readonly tag: string } {
  const path = join(folder, 'synonyms.csv')
  let known: ReturnType<ReturnType<typeof synonymsIn>> | undefined
  return () => {
    const own = statSync(path, { throwIfNoEntry: false })
    const tag = own === undefined ? '' : `${own.ino} ${own.mtimeMs} ${own.size}`
    if (tag === known?.tag) return known
    known = {
      synonyms: new Synonyms(own === undefined ? shipped : `${shipped}\n${readRegularText(path)}`),
      tag,
    }
    return known
  }
}

/** An address can hold thousands of words; if there are more than this, only the words themselves are looked up. */
const MOST_FORMS = 32

/** The words of a search, each once; the last one may be the beginning of a word. */
export function termsOf(text: string, synonyms: Synonyms): SearchTerm[] {
  const all = wordsOf(text)
  const words = [...new Set(all)]
  const hasForms = words.length <= MOST_FORMS
  return words.map((word) => {
    const isPrefix = word === all.at(-1)
    const own = [anyOf(hasForms ? tokensOf(word) : [word]), ...(isPrefix ? [`"${word}" *`] : [])].join(' OR ')
    const phrases = hasForms ? synonyms.of(word) : []
    const others = phrases
      .map((phrase) => `(${phrase.map((word) => `(${anyOf(tokensOf(word))})`).join(' AND ')})`)
      .join(' OR ')
    const starts = [[word], ...phrases].map(([first]) => first!.slice(0, 2))
    return {
      word,
      own: `(${own})`,
      others: others === '' ? null : `(${others})`,
      hint: new RegExp(`(?<![\\p{L}\\p{N}])(?:${starts.join('|')})`, 'u'),
      isIn(text) {
        const found = wordsOf(text)
        const has = (word: string) => {
          const forms = tokensOf(word)
          return found.some((other) => tokensOf(other).some((token) => forms.includes(token)))
        }
        if (isPrefix && found.some((other) => other.startsWith(word))) return true
        return [[word], ...phrases].some((phrase) => phrase.every(has))
      },
    }
  })
}

function anyOf(tokens: readonly string[]): string {
  return tokens.map((token) => `"${token}"`).join(' OR ')
}
