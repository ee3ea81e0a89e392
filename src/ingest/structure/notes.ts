/** Telling notes and totals, which printed tables have around their rows, from rows. */

import { plainText } from './cell-kinds.ts'

const NOTE_WORD =
  /^(?:sursa|sursele|source|sources|quelle|quellen|fuente|fuentes|fonte|fonti|forras|nota|note|notes|anmerkung|anmerkungen|hinweis|megjegyzes|remarque|remarques|observatie|observatii|precizare|precizari|mentiune|mentiuni|legenda|legend|nb|n\.b\.|p\.s\.)(?:\s*\d*\s*[:.)–-]|\s*$)/
const NOTE_MARK = /^(?:#+|\*+\)?|[([]?\d{1,2}[)\]]|[¹²³⁴⁵†‡•]+)\s*\p{L}/u
const SENTENCE_WORDS = 4
const SENTENCE_CHARACTERS = 25

/** `Sursa: INS`, `Note 1: …`: a text that says of itself that it is a note. */
export function isNamedNote(text: string): boolean {
  return NOTE_WORD.test(plainText(text))
}

/** What may tell a text that stands alone below a table from a row: it is a note by name, has a mark, is a sentence. */
export type NoteSign = (text: string) => boolean

export const NOTE_SIGNS: readonly NoteSign[] = [isNamedNote, (text) => NOTE_MARK.test(text), isSentence]

function isSentence(text: string): boolean {
  return text.length >= SENTENCE_CHARACTERS && text.split(/\s+/).length >= SENTENCE_WORDS
}

/** In Romanian, English, German, French, Spanish, Italian, Hungarian and their neighbours, without diacritics. */
const TOTAL =
  /^(?:(?:grand |sub)?totals?|total general|totale?|totaux|totaal|totalul|suma|summe|gesamt|gesamtsumme|insgesamt|ensemble|osszesen|mindosszesen|celkem|spolu|razem|ogolem|ukupno|skupaj|общо|всего|итого|сума|разом)(?=[\s:.,(]|$)/
const TOTAL_WORDS = 5

/** `Total`, `TOTAL ROMÂNIA`, `Summe:`, `Összesen`. */
export function isTotalLabel(text: string): boolean {
  const plain = plainText(text)
  return TOTAL.test(plain) && plain.split(' ').length <= TOTAL_WORDS
}
