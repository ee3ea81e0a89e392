/** Values as numbers, read from the bytes of their texts. */

/** Days since 1970-01-01 of a date in the proleptic Gregorian calendar (Hinnant, days_from_civil). */
export function dayNumber(bytes: Uint8Array, at: number): number {
  const month = twoDigits(bytes, at + 5)
  const year = twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2) - (month <= 2 ? 1 : 0)
  const era = Math.floor(year / 400)
  const yearOfEra = year - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + twoDigits(bytes, at + 8) - 1
  return (
    era * 146_097 + yearOfEra * 365 + (yearOfEra >> 2) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  )
}

/** Seconds of the time in a datetime that begins at `at`. */
export function secondOfDay(bytes: Uint8Array, at: number): number {
  return twoDigits(bytes, at + 11) * 3600 + twoDigits(bytes, at + 14) * 60 + twoDigits(bytes, at + 17)
}

const ZERO = 0x30
const POINT = 0x2e
const MINUS = 0x2d

function twoDigits(bytes: Uint8Array, at: number): number {
  return (bytes[at]! - ZERO) * 10 + bytes[at + 1]! - ZERO
}

/** Powers of ten that a double holds exactly, as far as they are needed. */
const POWERS = Array.from({ length: 16 }, (_, power) => 10 ** power)
/** So many digits make a number that a double holds exactly. */
const MOST_DIGITS = 15

/**
 * A number from its shortest text. Few digits are divided by a power of ten: both are exact, so the quotient is rounded
 * once (Clinger 1990, the fast path).
 */
export function parseNumber(bytes: Uint8Array, from: number, to: number): number {
  const start = bytes[from] === MINUS ? from + 1 : from
  if (to - start > MOST_DIGITS) return Number(latin1(bytes, from, to))
  let digits = 0
  let power = 0
  for (let at = start; at < to; at++) {
    const byte = bytes[at]!
    if (byte === POINT) power = to - at - 1
    else if (byte < ZERO || byte > ZERO + 9) return Number(latin1(bytes, from, to))
    else digits = digits * 10 + byte - ZERO
  }
  const value = power === 0 ? digits : digits / POWERS[power]!
  return start === from ? value : -value
}

/** A piece of ASCII as a string. */
export function latin1(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')
}
