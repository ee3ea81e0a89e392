/** Telling notes and totals, which printed tables have around their rows, from rows. */

import { isNumeric, plainText } from './cell-kinds.ts'

const NOTE_WORD =
  /^(?:sursa|sursele|source|sources|quelle|quellen|fuente|fuentes|fonte|fonti|forras|nota|note|notes|anmerkung|anmerkungen|hinweis|megjegyzes|remarque|remarques|observatie|observatii|precizare|precizari|mentiune|mentiuni|legenda|legend|disclaimer|copyright|nb|n\.b\.|p\.s\.)(?:\s*\d*\s*[:.)–-]|\s*$)/
const NOTE_MARK =
  /^(?:[#*†‡•¹²³⁴⁵]+\)?|[-–—]{1,2}\s|[([]?\d{1,2}[)\]]|[([][a-z][)\]]|[a-z]\))\s*[-–—=:.]?\s*\p{L}/u
const SENTENCE_WORDS = 4
const SENTENCE_CHARACTERS = 25

/** `Sursa: INS`, `Note 1: …`, `Disclaimer`: a text that says of itself that it is a note. */
export function isNamedNote(text: string): boolean {
  return NOTE_WORD.test(plainText(text))
}

/** `* …`, `1) …`, `(a) …`: a text that begins with the mark of a note. */
export function isMarkedNote(text: string): boolean {
  return NOTE_MARK.test(text)
}

/** `2 Population figures are …`: a number that was raised where the note was printed. */
function isNumberedNote(text: string): boolean {
  return /^\d{1,2}\s+\p{L}/u.test(text)
}

const SIGNATURE =
  /^(?:intocmit|verificat|aprobat|avizat|vizat|elaborat|redactat|semnatura|stampila|l\. ?s|director|primar|primarul|secretar|secretarul|contabil|presedinte|presedintele|sef (?:serviciu|birou|compartiment|departament)|(?:pagina|page) \d+|data (?:tiparirii|listarii|intocmirii)|prepared by|checked by|approved by|signature|printed on)(?=[\s,.:/]|$)/

/** `Întocmit`, `Director, …`, `Pagina 1`: what stands below a printed table for those who answer for it. */
export function isSignature(text: string): boolean {
  return SIGNATURE.test(plainText(text))
}

/** `Източник: НСИ`: a text that says what it is in front, in whichever language. */
function isLabelled(text: string): boolean {
  return /^\p{L}[\p{L}\p{M} .]{1,30}:\s*\S/u.test(text)
}

/** A text with letters that begins with a sign. */
function beginsWithSign(text: string): boolean {
  return /^[^\p{L}\p{N}\s"'„“”«»+-]/u.test(text) && /\p{L}/u.test(text)
}

/** What may tell a text that stands alone below a table from a row, where no row's first text has it. */
export type NoteSign = (text: string) => boolean

export const NOTE_SIGNS: readonly NoteSign[] = [
  isNamedNote,
  isMarkedNote,
  isSentence,
  isLabelled,
  beginsWithSign,
  isNumberedNote,
  isSignature,
]

/** A text as long as a sentence. */
export function isSentence(text: string): boolean {
  return text.length >= SENTENCE_CHARACTERS && text.split(/\s+/).length >= SENTENCE_WORDS
}

/** In Romanian, English, German, French, Spanish, Italian, Hungarian and their neighbours, without diacritics. */
const TOTAL =
  /^(?:(?:grand |sub)?totals?|total general|totale?|totaux|totaal|totalul|suma|summe|gesamt|gesamtsumme|insgesamt|ensemble|osszesen|mindosszesen|celkem|spolu|razem|ogolem|ukupno|skupaj|общо|всего|итого|сума|разом)(?=[\s:.,(]|$)/
/** The same at a glance, for texts as they stand. */
const MAYBE_TOTAL =
  /^\s*(?:grand|sub|tot|sum|ges|ins|ens|[oö]|mind|celk|spolu|raz|uk|sk|общо|всего|итого|сума|разом)/i
const TOTAL_WORDS = 5
/** A label for totals stands in one of the first cells. */
export const LABEL_CELLS = 3

/** Whether a record is one of totals: it begins with a label for them, and has a number. @param cells trimmed */
export function isTotal(cells: readonly string[]): boolean {
  const label = cells.findIndex((cell) => cell !== '')
  if (label < 0 || label >= LABEL_CELLS) return false
  return isTotalLabel(cells[label] as string) && cells.slice(label + 1).some(isNumeric)
}

/** `Total`, `TOTAL ROMÂNIA`, `Summe:`, `Összesen`. */
export function isTotalLabel(text: string): boolean {
  if (!MAYBE_TOTAL.test(text)) return false
  const plain = plainText(text)
  return TOTAL.test(plain) && plain.split(' ').length <= TOTAL_WORDS
}
