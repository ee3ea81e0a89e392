/** Groups as Parquet: values in plain encoding, since most of them occur once. */

import type { AllGroups } from '../../aggregate/aggregate.ts'
import type { ResultFacts } from '../../aggregate/group-query.ts'
import { ByteSink } from '../../columns/byte-sink.ts'
import type { OpenDataset } from '../../memory/open-dataset.ts'
import { appendPacked, appendValue, fillPage, pack, valueKindOf } from './entry-values.ts'
import {
  type ChunkFacts,
  dataHeader,
  ENCODING,
  EXACT_BYTES,
  EXACT_DIGITS,
  type FileColumn,
  Footer,
} from './metadata.ts'
import { MAGIC } from './parquet.ts'

/** Groups of a row group; each of its columns is one page in memory. */
const GROUP_ROWS = 2 ** 14

export interface GroupsFile {
  readonly results: readonly (ResultFacts & { readonly name: string })[]
  readonly createdBy: string
  readonly metadata: Readonly<Record<string, string>>
}

/**
 * All groups as a Parquet file, in chunks of bytes. Sums are decimals of 38 digits, or texts where one has more.
 * @param onRows gets the number of groups that the reader has taken
 */
export async function* parquetOfGroups(
  dataset: OpenDataset,
  groups: AllGroups,
  { results, createdBy, metadata }: GroupsFile,
  onRows: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  const pages = (await fileColumns(dataset, groups, results)).map((column) => new Page(column))
  const footer = new Footer(pages.map(({ column }) => column))
  yield MAGIC
  let at = MAGIC.length
  async function* writeGroup(): AsyncGenerator<Uint8Array> {
    const rows = pages[0]!.rows
    if (rows === 0) return
    const chunks: ChunkFacts[] = []
    for (const page of pages) {
      const { bytes, facts } = await page.finish(at)
      at += bytes.length
      chunks.push(facts)
      yield bytes
    }
    footer.addGroup(rows, chunks)
    onRows(rows)
  }
  for await (const batch of groups.batches()) {
    for (const row of batch) for (const [index, page] of pages.entries()) page.append(row[index]!)
    if (pages[0]!.rows + batch.length > GROUP_ROWS) yield* writeGroup()
  }
  yield* writeGroup()
  yield footer.finish(createdBy, metadata)
}

async function fileColumns(
  dataset: OpenDataset,
  groups: AllGroups,
  results: GroupsFile['results'],
): Promise<FileColumn[]> {
  const widths = results.some(({ isExact }) => isExact) ? await measureSums(groups, results) : []
  return Promise.all(
    results.map(async ({ name, type, column, isExact }, index): Promise<FileColumn> => {
      if (isExact) {
        const { whole, scale } = widths[index]!
        return whole + scale > EXACT_DIGITS ? { name, kind: 'text' } : { name, kind: 'exact', scale }
      }
      if (type !== 'datetime') return { name, kind: type === 'string' ? 'text' : type }
      return { name, kind: column === null ? 'text' : await dataset.turns.run(valueKindOf(dataset, column)) }
    }),
  )
}

interface Width {
  whole: number
  scale: number
}

async function measureSums(groups: AllGroups, results: GroupsFile['results']): Promise<Width[]> {
  const widths = results.map((): Width => ({ whole: 1, scale: 0 }))
  const sums = [...results.entries()].filter(([, { isExact }]) => isExact)
  for await (const batch of groups.batches()) {
    for (const row of batch) {
      for (const [index] of sums) {
        const text = row[index]
        if (text === null || text === undefined) continue
        const width = widths[index]!
        const [whole = '', places = ''] = text.replace('-', '').split('.')
        width.whole = Math.max(width.whole, whole.length)
        width.scale = Math.max(width.scale, places.length)
      }
    }
  }
  return widths
}

class Page {
  readonly column: FileColumn
  rows = 0
  readonly #values = new ByteSink(2 ** 12)
  readonly #levels = new Uint32Array(2 * GROUP_ROWS)
  readonly #bits: number[] = []
  #nulls = 0

  constructor(column: FileColumn) {
    this.column = column
  }

  append(text: string | null): void {
    const { kind, scale = 0 } = this.column
    this.#levels[this.rows++] = text === null ? 0 : 1
    if (text === null) this.#nulls++
    else if (kind === 'boolean') this.#bits.push(text === 'true' ? 1 : 0)
    else if (kind === 'exact') appendExact(this.#values, text, scale)
    else {
      const bytes = Buffer.from(text)
      appendValue(kind, this.#values, bytes, 0, bytes.length)
    }
  }

  /** The page with its header, and the footer's facts about it; then begins an empty one. @param at where in the file it begins */
  async finish(at: number): Promise<{ bytes: Uint8Array; facts: ChunkFacts }> {
    const { rows } = this
    if (this.column.kind === 'boolean')
      appendPacked(this.#values, Uint32Array.from(this.#bits), 0, this.#bits.length, 1)
    const page = new ByteSink(this.#values.length + rows)
    fillPage(page, this.#levels, rows, this.#values)
    const packed = await pack(page)
    const { sink: header } = dataHeader(rows, ENCODING.plain, page.length, packed.length)
    header.append(packed, 0, packed.length)
    const facts = {
      column: this.column,
      rows,
      nulls: this.#nulls,
      bounds: null,
      encodings: [ENCODING.plain, ENCODING.runs],
      dictionaryAt: null,
      dataAt: at,
      bytes: header.length - packed.length + page.length,
      packedBytes: header.length,
    }
    this.rows = this.#nulls = this.#values.length = this.#bits.length = 0
    return { bytes: header.take(), facts }
  }
}

function appendExact(sink: ByteSink, text: string, scale: number): void {
  const [whole = '', places = ''] = text.split('.')
  let rest = BigInt(whole + places.padEnd(scale, '0'))
  sink.reserve(EXACT_BYTES)
  for (let place = EXACT_BYTES - 1; place >= 0; place--) {
    sink.bytes[sink.length + place] = Number(rest & 0xffn)
    rest >>= 8n
  }
  sink.length += EXACT_BYTES
}
