/** Names for columns and datasets out of whatever a publisher wrote. */

/** Longest name of a column, dataset or domain (contract 3). */
export const LONGEST_NAME = 64

/** Letters that Unicode does not decompose into a base letter and an accent. */
const BASE_LETTERS: Record<string, string> = {
  ł: 'l',
  đ: 'd',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** Latin text in lower case without diacritics: `Județ` -> `judet`. Other scripts stay as they are. */
export function stripDiacritics(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[łđøßæœðþı]/g, (letter) => BASE_LETTERS[letter] ?? letter)
}

/**
 * snake_case in ASCII, at most 64 characters: `Rata şomajului (%)` -> `rata_somajului`. Empty when nothing of the text
 * has an ASCII form.
 */
export function snakeCase(text: string): string {
  return stripDiacritics(text)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, LONGEST_NAME)
    .replace(/_+$/, '')
}
