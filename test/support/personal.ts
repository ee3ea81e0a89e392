/** Data that look like data about people, of nobody. */

/** A personal code without a person: born 1 January of a year, in county 99, which does not exist. */
export function cnp(number: number): string {
  const digits = `1${String(number % 100).padStart(2, '0')}010199${String(number % 1000).padStart(3, '0')}`
  const sum = [...'279146358279'].reduce((total, weight, i) => total + Number(weight) * Number(digits[i]), 0)
  return digits + (sum % 11 === 10 ? 1 : sum % 11)
}
