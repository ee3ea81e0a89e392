/** Texts among the numbers of a sheet that could be two numbers: `486.498` may be 486498, and its column has to tell. */

export interface TextNumbers {
  readonly cell: number
  /** One of the texts. */
  readonly example: string
  /** The column has whole numbers of five digits or more: years in headers have four. */
  readonly hasWhole: boolean
  /** A number of the column with a fraction; null: it has none. */
  readonly fraction: string | null
}

const WHOLE_DIGITS = 5
/** A separator of thousands, or a decimal mark before three digits. */
const GROUPED_OR_DECIMAL = /^-?[1-9]\d{0,2}[.,]\d{3}$/
const LONGEST_GROUPED = 8

/** Whether a text could be two numbers. */
export function mayBeGrouped(text: string): boolean {
  return text.length <= LONGEST_GROUPED && GROUPED_OR_DECIMAL.test(text)
}

/** What each column of a sheet has, by cell. */
export class NumberWatch {
  private readonly examples: string[] = []
  private readonly wholes: boolean[] = []
  private readonly fractions: string[] = []

  /** @returns the text */
  text(cell: number, text: string): string {
    if (this.examples[cell] === undefined && mayBeGrouped(text)) this.examples[cell] = text
    return text
  }

  /** @param text as `formatNumber` writes it @returns the same */
  number(cell: number, text: string): string {
    if (text.includes('.')) this.fractions[cell] ??= text
    else if (text.length >= WHOLE_DIGITS) this.wholes[cell] = true
    return text
  }

  found(): TextNumbers[] {
    return this.examples.flatMap((example, cell) => {
      const [hasWhole = false, fraction = null] = [this.wholes[cell], this.fractions[cell]]
      return [{ cell, example, hasWhole, fraction }]
    })
  }
}
