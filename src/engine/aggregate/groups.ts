/** Groups with their measures, as the choice and the order of results need them. */

/** One result of every group. */
export interface ResultColumn {
  /** Writes a number for each of the listed groups in the results' order, their place; NaN for null. */
  readonly readPlaces: (groups: Uint32Array, places: Float64Array) => void
  /**
   * Ranks in the column's order; or the values themselves, as numbers; or numbers near them: where two of these are nearly
   * the same, the texts of the values decide.
   */
  readonly places: 'ranks' | 'values' | 'near'
  /** For numbers near the values: whether two groups surely have the same one, which is cheaper to see than its text. */
  readonly isSame?: (a: number, b: number) => boolean
  /** The value shown; null for null. */
  readonly textOf: (group: number) => string | null
}

export interface Groups {
  readonly count: number
  /** In the order of the query: groups first, then measures. */
  readonly results: readonly ResultColumn[]
  /** Whether they are numbered in the groups' order. */
  readonly isOrdered: boolean
  /** Gives back what the groups hold; they must not be used afterwards. */
  readonly release: () => void
}

/** `readPlaces` by a function of one group. */
export function readEachPlace(placeOf: (group: number) => number): ResultColumn['readPlaces'] {
  return (groups, places) => {
    for (let i = 0; i < groups.length; i++) places[i] = placeOf(groups[i]!)
  }
}

/**
 * Two values whose places differ by less than this share of them may be in another order, as values are rounded to 15
 * digits, and places to those of a double.
 */
export const NEAR = 1e-13

/** Whether the texts of values with these places decide. Infinite places are near any others. */
export function isNear(left: number, right: number): boolean {
  return left === right || !(Math.abs(left - right) > NEAR * Math.max(Math.abs(left), Math.abs(right)))
}
