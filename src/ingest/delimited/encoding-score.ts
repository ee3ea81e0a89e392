/**
 * Which single-byte encoding a file is in, judged by all its non-ASCII bytes. Each candidate turns every byte into a
 * character; characters that public documents of this region are made of speak for it, others against.
 */

/** Where two candidates score alike, the earlier one is taken. */
const CANDIDATES = ['windows-1250', 'iso-8859-2', 'iso-8859-16', 'windows-1252'] as const

const WEIGHTS: readonly (readonly [number, string])[] = [
  [4, 'ăâîșțşţĂÂÎȘȚŞŢ'],
  [2, 'áéíóúöőüűÁÉÍÓÚÖŐÜŰäÄßçèêëàôñÇÈÊËÀÔÑ„”“’‘–—…'],
  [1, '«»€°§²³·•½\u00a0'],
  [-1, 'ŕŔĺĹªºÞþÐðµ¤¦¨¯´¸ˇ˘˛˝˙ƒˆ˜÷×¬¿¡¹¼¾¶±¥¢£\u00ad'],
]
/** C1 controls stand in no document: the byte belongs to another encoding. */
const CONTROL = -20
const OTHER_LETTER = 1
const OTHER_SIGN = 0
/** A letter right behind a digit is mostly a misread sign, as in `1º`. */
const LETTER_AFTER_DIGIT = -1

/** How often each byte 0x80..0xff occurs: at `byte` behind anything but a digit, at `256 + byte` behind a digit. */
export type ByteCounts = Float64Array

export interface EncodingGuess {
  readonly encoding: string
  /** 0..1; near 0.5 when another encoding reads the bytes differently and nearly as well. */
  readonly confidence: number
}

/** @param counts of the whole file, at least one of them not zero */
export function guessEncoding(counts: ByteCounts): EncodingGuess {
  const readings = CANDIDATES.map((encoding) => {
    const alphabet = upperHalf(encoding)
    return { encoding: encoding as string, alphabet, score: scoreOf(alphabet, counts) }
  }).filter(({ encoding, alphabet }) => encoding !== 'iso-8859-16' || hasRomanian(alphabet, counts))
  const best = readings.reduce((a, b) => (b.score > a.score ? b : a))
  const others = readings.filter((reading) => !readAlike(reading.alphabet, best.alphabet, counts, false))
  const second = Math.max(...others.map((reading) => reading.score), Number.NEGATIVE_INFINITY)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const margin = others.length === 0 ? 1 : Math.min(1, (best.score - second) / total)
  const western = readings.find(({ encoding }) => encoding === 'windows-1252')!
  // Bytes that the most widespread encoding reads the same way are no evidence for a rarer one.
  const encoding = readAlike(western.alphabet, best.alphabet, counts, true) ? western.encoding : best.encoding
  return { encoding, confidence: Math.round(50 + 50 * margin) / 100 }
}

/** Characters of bytes 0x80..0xff. */
function upperHalf(encoding: string): string[] {
  const bytes = Uint8Array.from({ length: 128 }, (_, i) => 128 + i)
  return [...new TextDecoder(encoding as Bun.Encoding).decode(bytes)]
}

function scoreOf(alphabet: readonly string[], counts: ByteCounts): number {
  let score = 0
  for (let i = 0; i < 128; i++) {
    const character = alphabet[i] as string
    const letter = /\p{L}/u.test(character)
    const weight = weightOf(character, letter)
    score += weight * (counts[128 + i] as number)
    score += (letter ? Math.min(weight, LETTER_AFTER_DIGIT) : weight) * (counts[256 + 128 + i] as number)
  }
  return score
}

/** ISO-8859-16 was made for Romanian and used for little else. */
function hasRomanian(alphabet: readonly string[], counts: ByteCounts): boolean {
  return alphabet.some((character, i) => 'ăĂșȘțȚ'.includes(character) && (counts[128 + i] as number) > 0)
}

function weightOf(character: string, letter: boolean): number {
  if (character >= '\u0080' && character <= '\u009f') return CONTROL
  for (const [weight, characters] of WEIGHTS) if (characters.includes(character)) return weight
  return letter ? OTHER_LETTER : OTHER_SIGN
}

/** Cedilla or comma below: one Romanian letter in two spellings. */
const SPELLINGS: Record<string, string> = { ş: 'ș', ţ: 'ț', Ş: 'Ș', Ţ: 'Ț' }

/** Whether two encodings read all bytes that occur as the same letters. */
function readAlike(
  a: readonly string[],
  b: readonly string[],
  counts: ByteCounts,
  spelling: boolean,
): boolean {
  const letter = (character = '') => (spelling ? character : (SPELLINGS[character] ?? character))
  for (let i = 0; i < 128; i++) {
    const occurs = (counts[128 + i] as number) + (counts[256 + 128 + i] as number) > 0
    if (occurs && letter(a[i]) !== letter(b[i])) return false
  }
  return true
}
