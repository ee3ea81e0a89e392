/** The bound on the memory of distinct cells. */

import { expect, test } from 'bun:test'
import { CellTable, cellMemory, refuseTooMuchText } from '../../src/read/cells/cell-table.ts'
import { READ_AHEAD } from '../../src/read/source/block-reader.ts'

function tableOf(text: string): CellTable {
  const bytes = Buffer.from(text)
  const view = new DataView(new Uint8Array([...bytes, ...new Uint8Array(READ_AHEAD)]).buffer)
  const table = new CellTable(1)
  const block = { view, starts: Uint32Array.of(0), ends: Uint32Array.of(bytes.length), width: 1, rows: 1 }
  table.encode(block, 0, new Uint32Array(1))
  return table
}

test('a file whose values need more memory than allowed is refused, with advice that helps', () => {
  const tables = [tableOf('a'.repeat(5000)), tableOf('b')]
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
  expect(() => refuseTooMuchText(tables, 0, bytes)).not.toThrow()
  expect(() => refuseTooMuchText(tables, 0, bytes - 1)).toThrow(
    /Split the file.*half of this machine's memory/,
  )
  expect(() => refuseTooMuchText(tables, 1, bytes)).toThrow(/half of this machine's memory/)
})

test('a sealed table keeps its texts, and releases the memory that found them', () => {
  const table = tableOf('cell')
  const before = table.bytes
  table.seal()
  expect(table.bytes).toBeLessThan(before)
  const { heap, offsets } = table.entries()
  expect(Buffer.from(heap).toString()).toBe('cell')
  expect([...offsets]).toEqual([0, 4])
})

test('the bound is a share of the machine', () => {
  expect(cellMemory()).toBeGreaterThan(2 ** 20)
})
