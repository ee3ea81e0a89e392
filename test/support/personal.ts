/** Data that look like data about people but are about nobody. */

/** A personal code without a person: of a resident born on 1 January of a year, in a former sector. */
export function cnp(number: number): string {
  const digits = `7${String(number % 100).padStart(2, '0')}010148${String(number % 1000).padStart(3, '0')}`
  const sum = [...'279146358279'].reduce((total, weight, i) => total + Number(weight) * Number(digits[i]), 0)
  return digits + (sum % 11 === 10 ? 1 : sum % 11)
}
