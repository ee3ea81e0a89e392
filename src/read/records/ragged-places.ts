/** Where the records of another width stand: some thirty bytes each, in file order. */

/** Why nothing is asked about a record, if so: it belongs to the layout, or a quote broke it. */
export const OPEN = 0
export const LAYOUT = 1
export const BROKEN = 2

export class RaggedPlaces {
  size = 0
  lines = new Uint32Array(64)
  offsets = new Float64Array(64)
  lengths = new Uint32Array(64)
  cells = new Uint32Array(64)
  /** Rows of the right width before each. */
  rowsBefore = new Uint32Array(64)
  /** Whether and why nothing is asked about a record. It stands between its neighbours all the same. */
  settled = new Uint8Array(64)

  add(line: number, offset: number, length: number, cells: number, rowsBefore: number, settled: number) {
    const at = this.size++
    if (at === this.lines.length) this.#grow()
    this.lines[at] = line
    this.offsets[at] = offset
    this.lengths[at] = length
    this.cells[at] = cells
    this.rowsBefore[at] = rowsBefore
    this.settled[at] = settled
  }

  #grow(): void {
    const enlarge = <T extends Uint8Array | Uint32Array | Float64Array>(old: T, grown: T): T => {
      grown.set(old)
      return grown
    }
    const room = 2 * this.lines.length
    this.lines = enlarge(this.lines, new Uint32Array(room))
    this.offsets = enlarge(this.offsets, new Float64Array(room))
    this.lengths = enlarge(this.lengths, new Uint32Array(room))
    this.cells = enlarge(this.cells, new Uint32Array(room))
    this.rowsBefore = enlarge(this.rowsBefore, new Uint32Array(room))
    this.settled = enlarge(this.settled, new Uint8Array(room))
  }
}
