/** CSV in another style than RFC 4180's: another delimiter, or with formula-like texts made harmless. */

import { ENTRY_FLAGS } from '../columns/column.ts'
import type { OpenDataset } from '../memory/open-dataset.ts'
import type { CsvForm } from '../query.ts'
import { type CsvStyle, rendererOf } from '../render.ts'
import type { Work } from '../turns.ts'

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA_SIGNS: ReadonlySet<number> = new Set(Buffer.from('=+-@'))

/** Entries looked at between two yields, and what a byte of them costs. */
const BLOCK_ENTRIES = 2 ** 16
const ENTRY_COST = 4
const BYTE_COST = 1

/**
 * Prepares the columns for a style. Which texts stand between quotes is known for commas only, so texts are looked
 * through for the delimiter; what is found is kept until `release`.
 * @returns undefined for plain CSV
 * @throws DamagedFileError when a segment does not load
 */
export function* openCsvStyle(
  dataset: OpenDataset,
  fields: readonly number[],
  form: CsvForm,
): Work<OpenCsvStyle | undefined> {
  if (form.delimiter === ',' && !form.safe) return undefined
  const style = new OpenCsvStyle(dataset, form)
  try {
    for (const column of new Set(fields)) yield* style.add(column)
    return style
  } catch (error) {
    style.release()
    throw error
  }
}

export class OpenCsvStyle implements CsvStyle {
  readonly delimiter: number
  readonly columns = new Map<number, number>()
  readonly #dataset: OpenDataset
  readonly #safe: boolean
  readonly #regions: number[] = []

  constructor(dataset: OpenDataset, { delimiter, safe }: CsvForm) {
    this.#dataset = dataset
    this.delimiter = delimiter.charCodeAt(0)
    this.#safe = safe
  }

  release(): void {
    for (const region of this.#regions) this.#dataset.regions.release(region)
    this.#regions.length = 0
  }

  /** Makes flags of a column of texts. Those of other types hold no delimiter, and are no texts. */
  *add(column: number): Work<void> {
    const { columns, regions } = this.#dataset
    const { type, distinct } = columns[column]!
    if (type !== 'string') return
    const flags = regions.allocate(distinct + 1)
    this.#regions.push(flags)
    const known = this.#dataset.segment(column, 'flags')
    if (known === 0) regions.bytes.fill(0, flags, flags + distinct + 1)
    else regions.bytes.copyWithin(flags, known, known + distinct + 1)
    for (let from = 0; from < distinct; from += BLOCK_ENTRIES) {
      const to = Math.min(distinct, from + BLOCK_ENTRIES)
      yield this.#mark(column, flags, from, to)
    }
    const described = rendererOf(this.#dataset).describeWith(column, flags)
    this.#regions.push(described)
    this.columns.set(column, described)
  }

  /** Marks the entries of a block. @returns the cost */
  #mark(column: number, flags: number, from: number, to: number): number {
    const offsetsAt = this.#dataset.segment(column, 'offsets') / 4
    const heapAt = this.#dataset.segment(column, 'heap')
    const { bytes, words } = this.#dataset.regions
    const heap = Buffer.from(bytes.buffer, bytes.byteOffset + heapAt, words[offsetsAt + to]!)
    if (this.#safe) {
      for (let entry = from; entry < to; entry++) {
        const start = words[offsetsAt + entry]!
        if (start < words[offsetsAt + entry + 1]! && FORMULA_SIGNS.has(heap[start]!))
          bytes[flags + entry + 1]! |= ENTRY_FLAGS.csvGuarded
      }
    }
    const start = words[offsetsAt + from]!
    let entry = from
    for (let at = heap.indexOf(this.delimiter, start); at >= 0; ) {
      while (words[offsetsAt + entry + 1]! <= at) entry++
      bytes[flags + entry + 1]! |= ENTRY_FLAGS.csvQuoted
      at = heap.indexOf(this.delimiter, words[offsetsAt + entry + 1]!)
    }
    return (to - from) * ENTRY_COST + (heap.length - start) * BYTE_COST
  }
}
