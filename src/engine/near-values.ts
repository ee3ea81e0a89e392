/**
 * What a text that no row holds may have meant: the same text with other diacritics, or the nearest value or word. A
 * dictionary may have millions of values, so only a bounded part of it is searched: values that begin alike.
 */

import { fold } from '../base/text/fold.ts'
import { suggest } from '../base/text/suggest.ts'
import { foldLetters, wordsOf } from '../base/text/words.ts'
import type { Value } from './columns/column.ts'
import { findShownCodes } from './filter/code-counts.ts'
import { entryText, findEqual, findPrefix } from './filter/entry-search.ts'
import { textColumns } from './filter/plan.ts'
import { findEntriesWithWord } from './filter/word-search.ts'
import { maskWords, type OpenDataset } from './memory/open-dataset.ts'
import { Scratch } from './memory/scratch.ts'
import { OPERATOR_TABLE } from './operators.ts'
import type { ColumnFilter } from './row-query.ts'
import type { Work } from './turns.ts'

/** The most look-ups in a dictionary. */
const MOST_STEPS = 400
/** The most texts that are compared, and how many between two yields. */
const MOST_COMPARED = 4000
const COMPARED_AT_ONCE = 250
/** The most texts of one column that are searched for words, the most characters of each, and texts between two yields. */
const MOST_TEXTS = 1000
const MOST_CHARACTERS = 1000
const TEXTS_AT_ONCE = 50
/** The most entries that the kernel searches for words that begin alike, and how many letters of a long word must be alike. */
const MOST_SEARCHED = 2 ** 17
const SURE_LETTERS = 4

const MOST_PARTS = 3

type Range = readonly [low: number, high: number]

interface Beginnings {
  readonly ranges: readonly (readonly Range[])[]
  /** Entries that differ from the text in diacritics alone. */
  readonly same: readonly number[]
}

/**
 * Values of a text column that differ from `text` in diacritics alone (`iasi`, `Iași`), in the column's order.
 * @throws DamagedFileError when the dictionary does not load
 */
export function* findRespellings(dataset: OpenDataset, column: number, text: string): Work<string[]> {
  const { same } = yield* findBeginnings(dataset, column, text)
  return yield* shownTexts(dataset, column, codesBut(dataset, column, same, text))
}

/**
 * Values of a text column that `text` may have meant: with other diacritics, else the nearest three, nearest first.
 * @throws DamagedFileError when the dictionary does not load
 */
export function* findNearValues(dataset: OpenDataset, column: number, text: string): Work<string[]> {
  const { same, ranges } = yield* findBeginnings(dataset, column, text)
  const respelt = codesBut(dataset, column, same, text)
  if (respelt.length > 0) return yield* shownTexts(dataset, column, respelt)
  // The fewer letters must be alike, the more typing errors are found.
  const sizeOf = (level: readonly Range[]) => level.reduce((sum, [low, high]) => sum + high - low + 1, 0)
  const compared = ranges.find((level) => sizeOf(level) <= MOST_COMPARED) ?? []
  const near = new Nearest<number>(foldLetters(text))
  for (const [low, high] of compared) {
    for (let from = low; from <= high; from += COMPARED_AT_ONCE) {
      const to = Math.min(from + COMPARED_AT_ONCE - 1, high)
      for (let code = from; code <= to; code++) {
        near.add(foldLetters(entryText(dataset, column, code)), code)
      }
      near.settle()
      yield
    }
  }
  return yield* shownTexts(dataset, column, near.found)
}

/**
 * Values of a column of numbers or dates with which a condition that matches no row would match some: for an equality the
 * nearest below and above, for a bound the nearest that lets one more value in.
 * @throws DamagedFileError when the dictionary does not load
 */
export function findNearNumbers(
  dataset: OpenDataset,
  { column, operator }: Pick<ColumnFilter, 'column' | 'operator'>,
  value: Value,
): string[] {
  const [low, high] = findEqual(dataset, column, value)
  const { distinct } = dataset.columns[column]!
  return (OPERATOR_TABLE[operator].nearCodes?.(low, high) ?? [])
    .filter((code) => code >= 1 && code <= distinct)
    .map((code) => entryText(dataset, column, code))
}

/**
 * Parts of values of a text column that are `text` with other diacritics: for `starts_with` their beginnings, for `contains`
 * any part. In large dictionaries `contains` finds only the first values with a word that begins as `text` does.
 * @returns the parts as they are written, at most three
 * @throws DamagedFileError when the dictionary does not load
 */
export function* findRespelledParts(
  dataset: OpenDataset,
  column: number,
  text: string,
  operator: 'contains' | 'starts_with',
): Work<string[]> {
  const own = fold(text)
  const wanted = foldLetters(text)
  const parts = new Map<string, string>()
  for (const [index, code] of (yield* valuesAbout(dataset, column, text, operator)).entries()) {
    const part = partLike(entryText(dataset, column, code), wanted)
    if (part !== undefined && fold(part) !== own && !parts.has(fold(part))) parts.set(fold(part), part)
    if (parts.size === MOST_PARTS) break
    if (index % TEXTS_AT_ONCE === 0) yield
  }
  return [...parts.values()]
}

function* valuesAbout(
  dataset: OpenDataset,
  column: number,
  text: string,
  operator: 'contains' | 'starts_with',
): Work<readonly number[]> {
  if (operator === 'starts_with') {
    const { ranges } = yield* findBeginnings(dataset, column, text)
    const isWhole = ranges.length === [...foldLetters(text)].length + 1
    return isWhole ? ranges.at(-1)!.map(([low]) => low) : []
  }
  const [word] = wordsOf(text)
  return yield* allOrBegunWith(dataset, column, word)
}

/** The first part of a text, in whole characters, that folds to `wanted`. */
function partLike(text: string, wanted: string): string | undefined {
  const characters = [...text.slice(0, MOST_CHARACTERS).normalize('NFC')]
  const folded = characters.map(foldLetters)
  const at = folded.join('').indexOf(wanted)
  if (wanted === '' || at < 0) return undefined
  let from = 0
  let passed = 0
  while (passed + folded[from]!.length <= at) passed += folded[from++]!.length
  let to = from
  while (passed < at + wanted.length) passed += folded[to++]!.length
  return characters.slice(from, to).join('')
}

function codesBut(dataset: OpenDataset, column: number, codes: readonly number[], text: string): number[] {
  const own = fold(text)
  return codes.filter((code) => fold(entryText(dataset, column, code)) !== own)
}

/** The texts of codes, spelt as groups and facets show them. */
function* shownTexts(dataset: OpenDataset, column: number, codes: readonly number[]): Work<string[]> {
  const shown = codes.length > 0 ? yield* findShownCodes(dataset, column) : null
  const ranks = dataset.segment(column, 'ranks') / 4
  return codes.map((code) =>
    entryText(dataset, column, shown ? shown[dataset.regions.words[ranks + code]!]! : code),
  )
}

/** Searches letter by letter: in a column's order, after equal beginnings, the accented forms of a letter are neighbours. */
function* findBeginnings(dataset: OpenDataset, column: number, text: string): Work<Beginnings> {
  const letters = [...foldLetters(text)]
  const ranges: Range[][] = [[[1, dataset.columns[column]!.distinct]]]
  const same: number[] = []
  let level = [{ prefix: '', low: 1, high: dataset.columns[column]!.distinct }]
  let steps = 0
  for (const [depth, letter] of letters.entries()) {
    const next: typeof level = []
    for (const { prefix, high } of level) {
      let at = findPrefix(dataset, column, prefix + letter)[0]
      while (at <= high && steps < MOST_STEPS) {
        const found = [...fold(entryText(dataset, column, at))].slice(0, depth + 1)
        if (found.length <= depth || foldLetters(found[depth]!) !== letter) break
        const longer = found.join('')
        if (!longer.startsWith(prefix)) break
        const end = findPrefix(dataset, column, longer)[1]
        next.push({ prefix: longer, low: at, high: end })
        at = end + 1
        steps++
        yield
      }
    }
    ranges.push(next.map(({ low, high }) => [low, high]))
    level = next
  }
  // A text comes before all others that begin with it, in each of its spellings.
  for (const { prefix, low, high } of level) {
    if (low <= high && fold(entryText(dataset, column, low)) === prefix) same.push(low)
  }
  return { ranges: ranges.filter((found) => found.length > 0), same }
}

/**
 * At most three words of text columns (all unless given) that `word`, folded, may have meant, as they are written, nearest
 * first. In large dictionaries only words that begin alike are found.
 * @throws DamagedFileError when a dictionary does not load
 */
export function* findNearWords(
  dataset: OpenDataset,
  word: string,
  columns: Iterable<number> = textColumns(dataset),
): Work<string[]> {
  const near = new Nearest<string>(word)
  const letters = [...word]
  const beginning = letters.slice(0, Math.min(SURE_LETTERS, Math.ceil(letters.length / 2))).join('')
  for (const column of columns) {
    const codes = yield* allOrBegunWith(dataset, column, beginning)
    for (const [index, code] of codes.entries()) {
      const text = entryText(dataset, column, code).slice(0, MOST_CHARACTERS)
      for (const written of text.match(WRITTEN_WORDS) ?? [])
        for (const folded of wordsOf(written)) near.add(folded, written)
      if (index % TEXTS_AT_ONCE !== 0) continue
      near.settle()
      yield
    }
    near.settle()
  }
  return near.found
}

/** Words as they are written. */
export const WRITTEN_WORDS = /[\p{L}\p{N}\p{M}]+/gu

/** All entries of a small dictionary; of a large one the first entries with a word that begins with `beginning`. */
function* allOrBegunWith(
  dataset: OpenDataset,
  column: number,
  beginning: string | undefined,
): Work<readonly number[]> {
  const { kernel, regions } = dataset
  const { distinct } = dataset.columns[column]!
  if (distinct <= MOST_TEXTS) return Array.from({ length: distinct }, (_, index) => index + 1)
  if (beginning === undefined) return []
  using scratch = new Scratch(dataset)
  const table = scratch.cleared(maskWords(distinct + 1) * 8)
  yield* findEntriesWithWord(dataset, column, beginning, table, Math.min(distinct, MOST_SEARCHED))
  const rows = scratch.allocate(MOST_TEXTS * 4)
  const count = kernel.collect(table, 0, maskWords(distinct + 1), rows, MOST_TEXTS)
  return Array.from(regions.words.subarray(rows / 4, rows / 4 + count))
}

/** Keeps the folded texts nearest to one, and what each of them means. */
class Nearest<T> {
  readonly #wanted: string
  readonly #added = new Map<string, T>()
  #nearest: string[] = []
  #waiting: string[] = []

  constructor(wanted: string) {
    this.#wanted = wanted
  }

  add(folded: string, meant: T): void {
    if (folded === '' || this.#added.has(folded)) return
    this.#added.set(folded, meant)
    this.#waiting.push(folded)
  }

  /** Compares what was added since the last time. */
  settle(): void {
    this.#nearest = suggest(this.#wanted, [...this.#nearest, ...this.#waiting])
    this.#waiting = []
  }

  get found(): T[] {
    return this.#nearest.map((folded) => this.#added.get(folded)!)
  }
}
