import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ColumnType, Value } from '../../src/engine/columns/column.ts'
import { parseNumber } from '../../src/engine/columns/entry-keys.ts'
import { exportParquet } from '../../src/engine/export/parquet/parquet.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import type { Filter, SortField } from '../../src/engine/row-query.ts'
import { indexedSource, memorySource } from '../support/memory-source.ts'
import { matchingRows, sortedRows } from '../support/oracle.ts'
import { runs } from '../support/property-runs.ts'
import { fieldsFor, filtersFor, type PlainTable, sortsFor, tables } from '../support/random-table.ts'
import { type ParquetValue, readParquet } from '../support/read-parquet.ts'

interface Asked {
  readonly filters?: readonly Filter[]
  readonly sort?: readonly SortField[]
  readonly fields?: readonly number[]
}

async function fileOf(dataset: OpenDataset, { filters = [], sort = [], fields }: Asked = {}) {
  const query = {
    ...{ filters, sort, fields: fields ?? [...dataset.columns.keys()] },
    ...{ createdBy: 'a test', metadata: { 'izvor.dataset': 'țara' } },
  }
  const chunks: Uint8Array[] = []
  let rows = 0
  for await (const chunk of exportParquet(dataset, query, (more) => (rows += more)))
    chunks.push(chunk.slice())
  const read = await readParquet(Buffer.concat(chunks))
  expect(rows).toBe(read.rows.length)
  return read
}

/** An instant in so many parts of a second. */
function instantOf(text: string, digits: number): bigint {
  const [seconds, fraction = ''] = text.slice(0, -1).split('.')
  const whole = BigInt(Date.parse(`${seconds}Z`) / 1000) * 10n ** BigInt(digits)
  return whole + BigInt(fraction.padEnd(digits, '0').slice(0, digits))
}

/** What a value of a list is in the file. @param digits of the fractions in its column */
function stored(type: ColumnType, value: Value | null, digits: number): ParquetValue {
  if (value === null) return null
  if (type === 'integer') return BigInt(value)
  if (type === 'date') return Date.parse(`${value}T00:00:00Z`) / 86_400_000
  if (type !== 'datetime' || digits > 9) return value
  return instantOf(String(value), digits > 6 ? 9 : 6)
}

function expectedRows(table: PlainTable, rows: readonly number[], fields: readonly number[]) {
  const digits = table.columns.map((_, column) => {
    const texts = table.rows.map((row) => String(row[column] ?? ''))
    return Math.max(0, ...texts.map((text) => /\.(\d+)Z$/.exec(text)?.[1]?.length ?? 0))
  })
  return rows.map((row) => {
    const value = (column: number) =>
      stored(table.columns[column]!.type, table.rows[row]![column]!, digits[column]!)
    return Object.fromEntries(fields.map((column) => [table.columns[column]!.name, value(column)]))
  })
}

describe('Parquet', () => {
  test('holds the values, nulls and order of the list, for any table, filter, sort and fields', async () => {
    const cases = tables().chain((table) =>
      fc.tuple(
        fc.constant(table),
        filtersFor(table),
        fc.oneof(fc.constant([]), sortsFor(table)),
        fieldsFor(table),
      ),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ([table, filters, sort, fields]) => {
        const { rows } = await fileOf(new OpenDataset(memorySource(table)), { filters, sort, fields })
        const matching = matchingRows(table, filters)
        const order = sort.length === 0 ? matching : sortedRows(table, matching, sort, [])
        expect(rows).toEqual(expectedRows(table, order, fields))
      }),
      { numRuns: runs(200), interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true },
    )
  })

  test('many rows form row groups of bounded size, with dictionaries where they pay and correct bounds', async () => {
    const ROWS = 300_000
    const text = (row: number) => `text ${row % 700}`
    const columns = [
      {
        name: 'few',
        type: 'string' as const,
        texts: Array.from({ length: 700 }, (_, n) => `text ${n}`),
        indexOf: (row: number) => row % 700,
      },
      {
        name: 'own',
        type: 'integer' as const,
        texts: Array.from({ length: ROWS }, (_, n) => String(n * 7 - 900_000)),
        indexOf: (row: number) => row,
      },
      {
        name: 'half',
        type: 'decimal' as const,
        texts: Array.from({ length: 1000 }, (_, n) => String(n / 8 - 50)),
        indexOf: (row: number) => (row % 3 === 0 ? -1 : (row * 13) % 1000),
      },
      {
        name: 'long',
        type: 'string' as const,
        texts: Array.from({ length: ROWS }, (_, n) => `${n} `.repeat(20)),
        indexOf: (row: number) => row,
      },
      { name: 'none', type: 'date' as const, texts: [], indexOf: () => -1 },
      {
        name: 'yes',
        type: 'boolean' as const,
        texts: ['true', 'false'],
        indexOf: (row: number) => (row % 5 === 0 ? 0 : 1),
      },
    ]
    const { metadata, rows } = await fileOf(new OpenDataset(indexedSource(ROWS, columns)))
    expect(rows.length).toBe(ROWS)
    for (let row = 0; row < ROWS; row += 997) {
      expect(rows[row]).toEqual({
        ...{ few: text(row), own: BigInt(row * 7 - 900_000) },
        ...{ half: row % 3 === 0 ? null : ((row * 13) % 1000) / 8 - 50, long: `${row} `.repeat(20) },
        ...{ none: null, yes: row % 5 === 0 },
      })
    }
    expect(metadata.row_groups.length).toBe(3)
    expect(metadata.key_value_metadata).toEqual([{ key: 'izvor.dataset', value: 'țara' }])
    for (const [number, group] of metadata.row_groups.entries()) {
      const [few, own, half, long, none, yes] = group.columns.map((column) => column.meta_data!)
      expect([few, own, half, long].map((facts) => facts!.encodings.includes('RLE_DICTIONARY'))).toEqual([
        true,
        false,
        true,
        false,
      ])
      expect(few!.statistics).toMatchObject({ min_value: 'text 0', max_value: 'text 99', null_count: 0n })
      const first = number * 131_072
      const last = Math.min(ROWS, first + 131_072) - 1
      expect(own!.statistics).toMatchObject({
        min_value: BigInt(first * 7 - 900_000),
        max_value: BigInt(last * 7 - 900_000),
      })
      expect(half!.statistics).toMatchObject({ min_value: -50, max_value: 74.875 })
      expect(none!.statistics).toEqual({ null_count: group.num_rows })
      expect(yes!.statistics).toMatchObject({ min_value: false, max_value: true })
    }
  })

  test('instants are microseconds, nanoseconds where the source has them, and texts where neither fits', async () => {
    const typeOf = async (...texts: string[]) => {
      const table: PlainTable = {
        columns: [{ name: 'at', type: 'datetime' }],
        rows: texts.map((text) => [text]),
      }
      const { metadata, rows } = await fileOf(new OpenDataset(memorySource(table)))
      const type = metadata.schema[1]!.logical_type as {
        type: string
        unit?: string
        isAdjustedToUTC?: boolean
      }
      return [type.type, type.unit, type.isAdjustedToUTC, rows.map((row) => row.at)]
    }
    const odd = '1969-12-31T23:59:59.5Z'
    expect(await typeOf(odd, '9999-12-31T23:59:59.999999Z', '0001-01-01T00:00:00Z')).toEqual([
      'TIMESTAMP',
      'MICROS',
      true,
      [-500_000n, 253_402_300_799_999_999n, -62_135_596_800_000_000n],
    ])
    expect(await typeOf(odd, '2024-02-29T12:00:00.123456789Z')).toEqual([
      'TIMESTAMP',
      'NANOS',
      true,
      [-500_000_000n, 1_709_208_000_123_456_789n],
    ])
    const early = '1600-01-01T00:00:00.1234567Z'
    expect(await typeOf(early)).toEqual(['STRING', undefined, undefined, [early]])
  })

  test('numbers are read as JavaScript reads them', () => {
    const numbers = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.maxSafeInteger(),
      fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 1000),
    )
    fc.assert(
      fc.property(numbers, (value) => {
        const bytes = Buffer.from(`x${value}y`)
        expect(parseNumber(bytes, 1, bytes.length - 1)).toBe(value + 0)
      }),
      { numRuns: runs(2000) },
    )
  })
})
