/** Texts that people wrote, without what isn't a character. */

const NO_CHARACTER = /[\p{Cc}--[\t\n\r]]|\p{Noncharacter_Code_Point}/gv

/**
 * Control characters, noncharacters and halves of surrogate pairs can be written in JSON and in file names, but XML and
 * addresses cannot hold them (XML 1.0, 2.2), and a terminal obeys them.
 * @returns the text with a space in the place of each, and U+FFFD for a half of a pair
 */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll(NO_CHARACTER, ' ')
}

/**
 * A header or a title of a file on one line, composed (NFC), its blanks single: what people read in its place.
 * @param longest UTF-16 units that it may have; a longer one is cut
 * @returns null when nothing of it can be seen
 */
export function titleOf(header: string, longest: number): string | null {
  const line = plainText(header).normalize('NFC').replace(/\s+/g, ' ').trim()
  return line.slice(0, longest).toWellFormed().trim() || null
}

export function plainTextOrNull(text: string | null | undefined): string | null {
  return text == null ? null : plainText(text)
}
