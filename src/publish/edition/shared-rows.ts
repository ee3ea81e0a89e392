/** Which served rows have the values of a file's row in some columns. Exact: texts are compared, not their hashes. */

import type { EncodedRecords } from '../../read/cells/encoded-records.ts'
import { INVALID, type TypedColumn } from '../../read/values/conversion.ts'
import { IdPairs, type LoadedColumn, type Verdict } from '../../read/values/validation.ts'
import type { VersionFile } from '../../store/files/open-version.ts'
import { codeBlocks, readDictionary, type StoredDictionary } from '../../store/files/stored-column.ts'

/** A file's rows, checked. */
export interface CheckedRows {
  readonly columns: readonly LoadedColumn[]
  readonly records: EncodedRecords
  readonly verdict: Verdict
}

/** Numbers of values: 0 stands for one that the file lacks, 1 for null. */
const NULL_NUMBER = 1

/**
 * Takes four bytes for each row of either side, and what the file's own values take.
 * @param names columns that both have; a null is like a null
 * @returns 1 for each served row that has what an accepted row of the file has there
 * @throws DamagedFileError
 */
export function markShared(file: VersionFile, rows: CheckedRows, names: readonly string[]): Uint8Array {
  const { records, verdict } = rows
  const ofFile = new Uint32Array(records.rows)
  const ofServed = new Uint32Array(file.rows)
  for (const [place, name] of names.entries()) {
    const { typed, lane } = rows.columns.find(({ plan }) => plan.name === name) as LoadedColumn
    const { ofCell, byText } = numberValues(typed, records.tables[lane]?.count ?? 0)
    const pairs = place === 0 ? null : new IdPairs()
    let row = 0
    for (const ids of records.idsOf(lane)) {
      for (const cell of ids) {
        const number = ofCell[cell] as number
        ofFile[row] = pairs === null ? number : pairs.idOf(ofFile[row] as number, number)
        row++
      }
    }
    numberServed(file, name, byText, pairs, ofServed)
  }
  const wanted = new Uint8Array(ofFile.reduce((most, id) => Math.max(most, id), 0) + 1)
  const { refused } = verdict
  for (let row = 0; row < ofFile.length; row++)
    if (refused === null || refused[row] === 0) wanted[ofFile[row] as number] = 1
  return Uint8Array.from(ofServed, (id) => (id === 0 ? 0 : (wanted[id] as number)))
}

/** A number per cell id, and per text; cells of one value have one number. */
function numberValues({ values, valueIds }: TypedColumn, cells: number) {
  const { heap, offsets } = values
  const byText = new Map<string, number>()
  const ofCell = new Uint32Array(cells + 1).fill(NULL_NUMBER)
  for (let cell = 1; cell <= cells; cell++) {
    const value = valueIds === null ? cell : (valueIds[cell] as number)
    if (value === 0 || value === INVALID) continue
    const text = decodeBytes(heap, offsets, value)
    const number = byText.get(text) ?? byText.size + NULL_NUMBER + 1
    byText.set(text, number)
    ofCell[cell] = number
  }
  return { ofCell, byText }
}

function numberServed(
  file: VersionFile,
  name: string,
  byText: ReadonlyMap<string, number>,
  pairs: IdPairs | null,
  ofServed: Uint32Array,
): void {
  const position = file.columns.findIndex((column) => column.name === name)
  const ofCode = numberCodes(readDictionary(file, position), byText)
  let row = 0
  for (const codes of codeBlocks(file, position)) {
    for (const code of codes) {
      const number = ofCode[code] as number
      const before = ofServed[row] as number
      if (pairs === null) ofServed[row] = number
      else ofServed[row] = before === 0 || number === 0 ? 0 : pairs.knownId(before, number)
      row++
    }
  }
}

function numberCodes(
  { column, heap, offsets }: StoredDictionary,
  byText: ReadonlyMap<string, number>,
): Uint32Array {
  const ofCode = new Uint32Array(column.distinct + 1)
  ofCode[0] = NULL_NUMBER
  for (let code = 1; code < ofCode.length; code++)
    ofCode[code] = byText.get(decodeBytes(heap, offsets, code)) ?? 0
  return ofCode
}

/** Value k, from 1, as a key of a map: one character per byte. */
function decodeBytes(heap: Uint8Array, offsets: Uint32Array, value: number): string {
  const from = offsets[value - 1] as number
  const end = offsets[value] as number
  return Buffer.from(heap.buffer, heap.byteOffset + from, end - from).toString('latin1')
}
