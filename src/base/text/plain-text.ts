/** Texts that people wrote, without code points that are not characters. */

const NO_CHARACTER = /[\p{Cc}--[\t\n\r]]|\p{Noncharacter_Code_Point}/gv

/**
 * Control characters, noncharacters and halves of surrogate pairs can be written in JSON and in file names, but XML and
 * addresses cannot hold them (XML 1.0, 2.2), and a terminal obeys them.
 * @returns the text with a space in place of each, and U+FFFD for half of a pair
 */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll(NO_CHARACTER, ' ')
}

/**
 * A file's header or title as people read it: on one line, composed (NFC), with single blanks.
 * @param longest UTF-16 units; a longer text is cut
 * @returns null when nothing visible is left
 */
export function titleOf(header: string, longest: number): string | null {
  const line = plainText(header).normalize('NFC').replace(/\s+/g, ' ').trim()
  return line.slice(0, longest).toWellFormed().trim() || null
}

export function plainTextOrNull(text: string | null | undefined): string | null {
  return text == null ? null : plainText(text)
}
