/** Comparing cells with names as bytes, so that only the few cells that may be names are read as text. */

const SPACE = 0x20
const CAPITAL = 0x20
const NOT_ASCII = 0x80

/** Whether the bytes between two offsets are a text, in any case and without the spaces around it. */
export function readsAs(bytes: Uint8Array, from: number, to: number, text: Uint8Array): boolean {
  let start = from
  let end = to
  while (start < end && bytes[start] === SPACE) start++
  while (end > start && bytes[end - 1] === SPACE) end--
  if (end - start !== text.length) return false
  for (let i = 0; i < text.length; i++)
    if (!isSameLetter(bytes[start + i] as number, text[i] as number)) return false
  return true
}

/** Whether two bytes are a letter in any case; of letters beyond ASCII either may be any. */
function isSameLetter(a: number, b: number): boolean {
  return a === b || (a >= NOT_ASCII && b >= NOT_ASCII) || ((a ^ b) === CAPITAL && isLetter(a))
}

function isLetter(byte: number): boolean {
  const small = byte | CAPITAL
  return small >= 0x61 && small <= 0x7a
}
