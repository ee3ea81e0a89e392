/** Exact decimals: the digits as a whole number, and how many of them are after the point. */

export interface Decimal {
  readonly digits: bigint
  readonly places: number
}

/** Significant digits of a mean. */
const MEAN_DIGITS = 15

/** The number written in a text, with or without an exponent, in the forms that JavaScript prints and filters take. */
export function parseDecimal(text: string): Decimal {
  const [mantissa, exponent = '0'] = text.split('e')
  const point = mantissa!.indexOf('.')
  const digits = BigInt(point < 0 ? mantissa! : mantissa!.slice(0, point) + mantissa!.slice(point + 1))
  const places = (point < 0 ? 0 : mantissa!.length - 1 - point) - Number(exponent)
  return places >= 0 ? { digits, places } : { digits: digits * powerOfTen(-places), places: 0 }
}

/** All digits, without an exponent and without trailing zeros. */
export function decimalText({ digits, places }: Decimal): string {
  const sign = digits < 0n ? '-' : ''
  const all = (digits < 0n ? -digits : digits).toString().padStart(places + 1, '0')
  const whole = all.slice(0, all.length - places)
  const fraction = all.slice(all.length - places).replace(/0+$/, '')
  return sign + whole + (fraction === '' ? '' : `.${fraction}`)
}

/** The digits of a number written with `wanted` decimal places, no fewer than it has. */
export function digitsAt({ digits, places }: Decimal, wanted: number): bigint {
  return wanted === places ? digits : digits * powerOfTen(wanted - places)
}

/** Negative, zero or positive as `a` is less than, equal to, or greater than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const places = Math.max(a.places, b.places)
  const left = digitsAt(a, places)
  const right = digitsAt(b, places)
  return left < right ? -1 : left > right ? 1 : 0
}

/** `total / count`, rounded half to even at the fifteenth significant digit. */
export function meanOf(total: Decimal, count: number): Decimal {
  const numerator = total.digits < 0n ? -total.digits : total.digits
  if (numerator === 0n) return { digits: 0n, places: 0 }
  const denominator = BigInt(count) * powerOfTen(total.places)
  // The quotient has MEAN_DIGITS or MEAN_DIGITS + 1 digits before the point, so at most one too many.
  let places = MEAN_DIGITS + denominator.toString().length - numerator.toString().length
  let [above, below] = scaled(numerator, denominator, places)
  if (above / below >= powerOfTen(MEAN_DIGITS)) [above, below] = scaled(numerator, denominator, --places)
  const quotient = above / below
  const twice = 2n * (above - quotient * below)
  const isUp = twice > below || (twice === below && (quotient & 1n) === 1n)
  const digits = isUp ? quotient + 1n : quotient
  const signed = total.digits < 0n ? -digits : digits
  return places >= 0 ? { digits: signed, places } : { digits: signed * powerOfTen(-places), places: 0 }
}

function scaled(numerator: bigint, denominator: bigint, places: number): [bigint, bigint] {
  if (places >= 0) return [numerator * powerOfTen(places), denominator]
  return [numerator, denominator * powerOfTen(-places)]
}

const powers: bigint[] = []

function powerOfTen(exponent: number): bigint {
  powers[exponent] ??= 10n ** BigInt(exponent)
  return powers[exponent]
}
