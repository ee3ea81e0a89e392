/** The beginning of a file, split into records to judge by before the width is known. */

import { MOST_COLUMNS } from '../report/limits.ts'
import { refuse } from '../report/reasons.ts'
import { blockRoom } from '../source/block-reader.ts'
import { readHead } from '../source/source.ts'
import { type RaggedRecord, type RecordCells, readAlone } from './record-mender.ts'
import { RecordSplitter } from './record-splitter.ts'
import type { Separators } from './separators.ts'

/** The beginning of a file in UTF-8. */
export interface Sample {
  readonly bytes: Uint8Array
  /** The sample is the whole file. */
  readonly whole: boolean
}

const SAMPLE_BYTES = 1 << 18
const LARGEST_SAMPLE = 1 << 24
const DOUBLE_QUOTE = 0x22

/**
 * The beginning of a text from an offset on, longer if its first records are very long. If they seem endless, only a stray
 * quote joins them, and the beginning shows as much.
 */
export function takeSample(path: string, from: number): Sample {
  for (let length = SAMPLE_BYTES; length <= LARGEST_SAMPLE; length *= 4) {
    const bytes = readHead(path, from, length)
    const sample = { bytes, whole: bytes.length < length }
    // A sample that ends within its first cells does not have enough complete records to judge by.
    const { records } = splitSample(sample, { delimiter: 0, quote: DOUBLE_QUOTE })
    if (sample.whole || records.length > 2) return sample
  }
  return { bytes: readHead(path, from, SAMPLE_BYTES), whole: false }
}

/**
 * Splits the sample without expecting a width: returns every record that is not blank, with its bounds.
 * @param openIsText see `RecordSplitter`
 */
export function splitSample({ bytes, whole }: Sample, separators: Separators, openIsText = false) {
  const block = new Uint8Array(blockRoom(bytes.length))
  block.set(bytes)
  const splitter = new RecordSplitter(separators, 0, { openIsText })
  splitter.split(block, bytes.length, whole)
  return { records: splitter.ragged, splitter }
}

const NO_CELLS: RecordCells = { texts: [], quoted: [], strays: [], hasStray: false }

/**
 * The cells of one record; none for a broken one, whose cells mean little.
 * @param bytes the block that the record's offsets refer to
 * @throws CommandError `refused` when there are more cells than a dataset may have columns
 */
export function readCells(bytes: Uint8Array, separators: Separators, record: RaggedRecord): RecordCells {
  const { line, start, end, cells, broken } = record
  if (cells > MOST_COLUMNS) throw refuse('too_many_columns', { line, cells, most: MOST_COLUMNS })
  return broken ? NO_CELLS : readAlone(bytes.subarray(start, end), separators, cells)
}

/** The width that most records have (the larger of two equally frequent ones), and their share. */
export function commonWidth(records: readonly { readonly cells: number }[]) {
  const counts = new Map<number, number>()
  for (const { cells } of records) counts.set(cells, (counts.get(cells) ?? 0) + 1)
  let width = 1
  let most = 0
  for (const [cells, count] of counts) {
    if (count > most || (count === most && cells > width)) {
      width = cells
      most = count
    }
  }
  return { width, share: most / Math.max(1, records.length) }
}
