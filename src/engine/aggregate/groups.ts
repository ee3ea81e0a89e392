/** Groups with their measures, as the choice and the order of results need them. */

/** One result of every group. */
export interface ResultColumn {
  /** Writes a number for each of the listed groups in the results' order; NaN for null. */
  readonly readPlaces: (groups: Uint32Array, places: Float64Array) => void
  /**
   * Whether groups of the same place show the same value. Else places are only near the values: where two are nearly the same,
   * the texts of the values decide.
   */
  readonly isExact: boolean
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
