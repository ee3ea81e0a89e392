/**
 * What counts as the same text in the query language (contract 3): spellings that differ in case, in Unicode composition
 * or in the cedilla that old Romanian fonts drew for the comma are one text; other diacritics are kept apart.
 */

/** İ would become two code points and Σ a form that depends on its neighbours, so both get their simple mapping. */
const NOT_SIMPLE = /[\u0130\u03a3]/g
const CEDILLA = /[\u015f\u0163]/g

/** Whether NFC certainly keeps the text: no code point below U+0300 composes with the one before it. */
function isComposed(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x300) return false
  return true
}

/**
 * The folded text: NFC, then the simple lower case of each code point, then ş -> ș and ţ -> ț. Two texts are equal
 * for filters and sorts exactly when their folds are identical.
 */
export function fold(text: string): string {
  const composed = isComposed(text) ? text : text.normalize('NFC')
  return composed
    .replace(NOT_SIMPLE, (letter) => (letter === '\u0130' ? 'i' : '\u03c3'))
    .toLowerCase()
    .replace(CEDILLA, (letter) => (letter === '\u015f' ? '\u0219' : '\u021b'))
}
