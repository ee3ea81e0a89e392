/**
 * Base 62: digits, then upper-case, then lower-case letters (the ASCII order). A double click selects such a text, and
 * it is safe in an address, a header and a shell without quotes.
 */

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Writes a whole number, most significant digit first, padded with zeros to `width` digits.
 * @throws RangeError when the number is negative, not whole, or does not fit
 */
export function encodeBase62(value: number, width: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not a natural number`)
  let digits = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) digits = BASE62[rest % 62] + digits
  if (digits.length > width) throw new RangeError(`${value} needs more than ${width} base62 digits`)
  return digits.padStart(width, '0')
}
