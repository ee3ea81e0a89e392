/**
 * Guesses the single-byte encoding of a file from its different words with bytes above ASCII. Each candidate reads them as
 * other letters and signs: letters that one language uses, in places where it has them, and signs where signs belong are
 * evidence for it.
 */

import {
  BALTIC_LANGUAGES,
  CONTROL,
  CYRILLIC,
  GREEK,
  HEBREW,
  hasNoText,
  LATIN_LANGUAGES,
  type Language,
  MISPLACED,
  scoreLetters,
  scorePlaces,
  TURKISH,
} from './word-score.ts'

type Encodings = Readonly<Record<string, readonly Language[]>>

/** Candidates with their languages. If two score alike, the earlier one is taken. */
const CANDIDATES: Encodings = {
  'windows-1250': LATIN_LANGUAGES,
  'iso-8859-2': LATIN_LANGUAGES,
  'iso-8859-16': LATIN_LANGUAGES,
  'windows-1252': LATIN_LANGUAGES,
  'windows-1251': [CYRILLIC],
  'windows-1253': [GREEK],
}
/** Encodings that are never taken unless requested, but mentioned when they read the words better. */
const RIVALS: Encodings = {
  'windows-1254': [TURKISH],
  'windows-1257': BALTIC_LANGUAGES,
  'windows-1255': [HEBREW],
  'koi8-r': [CYRILLIC],
  ibm866: [CYRILLIC],
  'iso-8859-5': [CYRILLIC],
  'x-mac-cyrillic': [CYRILLIC],
}

/** Below it an encoding is unproven: others read the words nearly as well. */
export const PROVEN = 0.8
/** The encoding alone never makes a reading less sure than this. */
export const LEAST_CONFIDENCE = 0.6
/** The mean lead, over the words on which two candidates differ, needed for a proof and for certainty. */
const PROVING_LEAD = 0.6
const CERTAIN_LEAD = 1.5
/** The mean score of words that are read correctly. Below it no candidate is the encoding. */
const READABLE = 0.3
/** The mean lead that a rival needs for each word, and the fewest words that it needs. */
const RIVAL_LEAD = 0.05
const RIVAL_WORDS = 5
/** Up to this share of words with bytes that an encoding lacks, these are broken words in it. */
const BROKEN_SHARE = 0.05
/** Words of another language than the file's count a little less. */
const OTHER_LANGUAGE = 0.7
/** The most words that are scored: more prove no more, and each is read in every encoding. */
const MOST_SCORED = 800

export interface EncodingDoubt {
  /** A word in the chosen encoding. */
  readonly word: string
  /** Another encoding and the word in it; null if no other one is better. */
  readonly other: { readonly encoding: string; readonly word: string } | null
}

type Rendering = ReturnType<typeof renderWords>
type Words = readonly (readonly [string, number])[]

/**
 * @param words different words, one Latin-1 character for each byte, with the number of occurrences; at least one word
 * @returns a confidence of 0.6..1, below `PROVEN` if another encoding reads the bytes differently and nearly as well;
 * `doubt` is the runner-up's reading
 */
export function guessEncoding(words: ReadonlyMap<string, number>): {
  readonly encoding: string
  readonly confidence: number
  readonly doubt: EncodingDoubt | null
} {
  const scored = pickWords(words)
  const readings = Object.entries(CANDIDATES)
    .map(([name, languages]) => renderWords(scored, name, languages))
    // ISO 8859-16 was made for Romanian and is used for little else.
    .filter(
      ({ encoding, texts }) => encoding !== 'iso-8859-16' || texts.some((text) => /[ăĂșȘțȚ]/.test(text)),
    )
  const best = pickBest(readings)
  const [next] = readings
    .filter((reading) => reading !== best && !readAlike(reading, best))
    .map((reading) => ({ reading, lead: leadOver(best, reading) }))
    .sort((a, b) => a.lead - b.lead)
  const western = readings.find(({ encoding }) => encoding === 'windows-1252')
  // Words that the most common encoding reads in the same way are no evidence for a rarer one.
  const isWestern = western?.texts.every((text, i) => text === best.texts[i]) ?? false
  const { encoding } = isWestern && western ? western : best
  const rival = findRival(scored, best)
  if (rival !== null) return { encoding, confidence: LEAST_CONFIDENCE, doubt: doubtOf(best, rival) }
  const confidence = next ? toConfidence(next.lead) : 1
  if (next && confidence < PROVEN) return { encoding, confidence, doubt: doubtOf(best, next.reading) }
  if (isReadable(best)) return { encoding, confidence, doubt: null }
  const word = best.texts[best.scores.indexOf(Math.min(...best.scores))] ?? ''
  return { encoding, confidence: LEAST_CONFIDENCE, doubt: { word, other: null } }
}

/** Picks evenly spread words, and every word with a byte that no earlier one has: rare bytes distinguish encodings. */
function pickWords(words: ReadonlyMap<string, number>): Words {
  const step = Math.max(1, words.size / MOST_SCORED)
  const seen = new Set<string>()
  let next = 0
  return [...words].filter(([word], at) => {
    const isNext = at >= next
    if (isNext) next += step
    const before = seen.size
    for (const byte of word) if (byte >= '\u0080') seen.add(byte)
    return isNext || seen.size > before
  })
}

function findRival(words: Words, best: Rendering): Rendering | null {
  if (words.length < RIVAL_WORDS) return null
  const rival = pickBest(
    Object.entries(RIVALS).map(([name, languages]) => renderWords(words, name, languages)),
  )
  const isBetter = rival.total > best.total + RIVAL_LEAD * words.length
  return isBetter && isReadable(rival) && !readAlike(rival, best) ? rival : null
}

function pickBest(readings: readonly Rendering[]): Rendering {
  return readings.reduce((a, b) => (b.total > a.total ? b : a))
}

function isReadable({ texts, scores, hasBroken }: Rendering): boolean {
  const whole = scores.filter((_, i) => !hasBroken || !hasNoText(texts[i] as string))
  return whole.reduce((sum, score) => sum + score, 0) >= READABLE * whole.length
}

function toConfidence(lead: number): number {
  const share =
    lead < PROVING_LEAD
      ? LEAST_CONFIDENCE + ((PROVEN - LEAST_CONFIDENCE) * Math.max(0, lead)) / PROVING_LEAD - 0.01
      : PROVEN +
        ((1 - PROVEN) * Math.min(lead - PROVING_LEAD, CERTAIN_LEAD - PROVING_LEAD)) /
          (CERTAIN_LEAD - PROVING_LEAD)
  return Math.round(100 * Math.max(LEAST_CONFIDENCE, share)) / 100
}

/** The mean lead of one reading over another, for the words on which they differ. */
function leadOver(best: Rendering, other: Rendering): number {
  let words = 0
  let lead = 0
  for (const [i, text] of best.plain.entries()) {
    if (text === other.plain[i]) continue
    words++
    lead += (best.scores[i] as number) - (other.scores[i] as number)
  }
  return lead / Math.max(1, words)
}

function doubtOf(best: Rendering, other: Rendering): EncodingDoubt {
  const at = best.plain.findIndex((text, i) => text !== other.plain[i])
  return {
    word: best.texts[at] as string,
    other: { encoding: other.encoding, word: other.texts[at] as string },
  }
}

function readAlike(a: Rendering, b: Rendering): boolean {
  return a.plain.every((text, i) => text === b.plain[i])
}

/** Cedilla or comma below: two spellings of one Romanian letter. */
const SPELLINGS: Record<string, string> = { ş: 'ș', ţ: 'ț', Ş: 'Ș', Ţ: 'Ț' }

/** The words in an encoding, and how well each reads: mostly in the language that fits all of them best. */
function renderWords(words: Words, encoding: string, languages: readonly Language[]) {
  const bytes = Uint8Array.from({ length: 128 }, (_, i) => 128 + i)
  const upper = [...new TextDecoder(encoding as Bun.Encoding).decode(bytes)]
  const texts = words.map(([word]) =>
    word.replace(/[\u0080-\u00ff]/g, (byte) => upper[byte.charCodeAt(0) - 0x80] as string),
  )
  const plain = texts.map((text) => text.replace(/[şţŞŢ]/g, (letter) => SPELLINGS[letter] as string))
  let all = 0
  let broken = 0
  for (const [i, [, count]] of words.entries()) {
    all += count
    if (hasNoText(texts[i] as string)) broken += count
  }
  // So few words with bytes that the encoding lacks are no evidence against it.
  const hasBroken = broken <= BROKEN_SHARE * all
  const control = hasBroken ? MISPLACED : CONTROL
  const fits = texts.map((text) => {
    const places = scorePlaces(text, control)
    return languages.map((language) => places + scoreLetters(text, language))
  })
  const totals = languages.map((_, i) => fits.reduce((sum, fit) => sum + (fit[i] as number), 0))
  const main = totals.indexOf(Math.max(...totals))
  const scores = fits.map((fit) => Math.max(fit[main] as number, Math.max(...fit) - OTHER_LANGUAGE))
  const total = scores.reduce((sum, score) => sum + score, 0)
  return { encoding, texts, plain, scores, total, hasBroken }
}
