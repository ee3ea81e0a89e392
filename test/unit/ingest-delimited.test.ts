import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { CellTable } from '../../src/read/cells/cell-table.ts'
import { RecordSplitter } from '../../src/read/records/record-splitter.ts'
import { blockRoom } from '../../src/read/source/block-reader.ts'
import { runs } from '../support/property-runs.ts'

interface Split {
  readonly rows: string[][]
  readonly lines: number[]
  readonly ragged: { line: number; cells: number; raw: string; broken?: true }[]
  readonly blank: number
  readonly strayQuotes: number[]
  readonly openQuote: { line: number; column: number } | null
}

/** Splits a text as the ingest does, in blocks of `blockBytes`. */
function split(text: string, width: number, blockBytes = 1 << 20, quote = '"'): Split {
  const source = new TextEncoder().encode(text)
  const splitter = new RecordSplitter(
    { delimiter: 44, quote: quote === '' ? -1 : quote.charCodeAt(0) },
    width,
  )
  const found: Split = { rows: [], lines: [], ragged: [], blank: 0, strayQuotes: [], openQuote: null }
  const decoder = new TextDecoder()
  let capacity = blockBytes
  for (let offset = 0; offset < source.length; ) {
    const piece = source.subarray(offset, offset + capacity)
    const block = new Uint8Array(blockRoom(piece.length))
    block.set(piece)
    const used = splitter.split(block, piece.length, offset + piece.length === source.length)
    for (let row = 0; row < splitter.rows; row++) {
      const cell = (column: number) => {
        const at = row * width + column
        return decoder.decode(block.subarray(splitter.starts[at], splitter.ends[at]))
      }
      found.rows.push(Array.from({ length: width }, (_, column) => cell(column)))
      found.lines.push(splitter.lines[row] as number)
    }
    for (const { line, cells, start, end, broken } of splitter.ragged) {
      const raw = decoder.decode(source.subarray(offset + start, offset + end))
      found.ragged.push({ line, cells, raw, ...(broken && { broken }) })
    }
    if (splitter.openQuote) return { ...found, openQuote: splitter.openQuote }
    capacity = used === 0 ? capacity * 2 : blockBytes
    offset += used
  }
  return { ...found, blank: splitter.blank, strayQuotes: [...splitter.strayQuotes] }
}

test('CRLF, LF and CR each end a record, also mixed and without one at the end', () => {
  const { rows, lines } = split('a,b\r\nc,d\ne,f\rg,h', 2)
  expect(rows).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['e', 'f'],
    ['g', 'h'],
  ])
  expect(lines).toEqual([1, 2, 3, 4])
})

test('quoted cells keep delimiters, line ends and doubled quotes', () => {
  const { rows, lines } = split('"a,1","b\r\n2"\n"say ""hi""","""x"""\nlast,""', 2)
  expect(rows).toEqual([
    ['a,1', 'b\r\n2'],
    ['say "hi"', '"x"'],
    ['last', ''],
  ])
  expect(lines).toEqual([1, 3, 4])
})

test('a quote inside an unquoted cell is text', () => {
  expect(split(`37°36'37.8"N,5" pipe\n x"y",z`, 2).rows).toEqual([
    [`37°36'37.8"N`, '5" pipe'],
    [' x"y"', 'z'],
  ])
})

test('text after a closing quote is kept, never crosses a delimiter, and is counted', () => {
  const found = split('"abc"def,1\n"Liceul "Ion Creangă"",2\n"a "b, c" d",3\nplain,4', 2)
  expect(found.rows).toEqual([
    ['abcdef', '1'],
    ['Liceul "Ion Creangă"', '2'],
    ['plain', '4'],
  ])
  expect(found.ragged).toEqual([{ line: 3, cells: 3, raw: '"a "b, c" d",3' }])
  expect(found.strayQuotes).toEqual([2, 0])
})

test('a stray opening quote costs its own record, never the rows after it', () => {
  const found = split('"Liceul A,1\nB,2\nC,3\nD "x",4\n"E\nF",5\n', 2)
  expect(found.rows).toEqual([
    ['B', '2'],
    ['C', '3'],
    ['D "x"', '4'],
    ['E\nF', '5'],
  ])
  expect(found.lines).toEqual([2, 3, 4, 5])
  expect(found.ragged).toEqual([{ line: 1, cells: 2, raw: '"Liceul A,1', broken: true }])
  expect(found.strayQuotes).toEqual([0, 0])
  expect(split('a,"b\nc","d" \ne,"f\ng" ,h\n', 3).rows).toEqual([
    ['a', 'b\nc', 'd '],
    ['e', 'f\ng ', 'h'],
  ])
})

test('endless stray quotes are split in linear time', () => {
  const line = '"a,""b"",c\n'
  const workOf = (lines: number): number => {
    const text = `${line.repeat(lines)}x "y\n`
    const before = process.cpuUsage()
    const found = split(text, 2)
    const { user, system } = process.cpuUsage(before)
    expect(found.rows.length + found.ragged.length).toBe(lines + 1)
    return user + system
  }
  workOf(10_000)
  // Twenty times as much for twenty times the lines; it would be four hundred if each line looked at the others again.
  expect(workOf(200_000) / workOf(10_000)).toBeLessThan(100)
})

test('an unclosed quote is reported with the place where it opened', () => {
  expect(split('a,b\n"x\ny",1\nc,"open\nd,e\n', 2).openQuote).toEqual({ line: 4, column: 1 })
})

test('without a quote character quotes are text', () => {
  expect(split('"a,b"\n', 2, 1 << 20, '').rows).toEqual([['"a', 'b"']])
})

test('blank records are skipped and counted; records of another width keep line and text', () => {
  const found = split('a,b\n\n , \n"",""\nc\nd,e,f\n\r\ng,h\n', 2)
  expect(found.rows).toEqual([
    ['a', 'b'],
    ['g', 'h'],
  ])
  expect(found.lines).toEqual([1, 8])
  expect(found.blank).toBe(4)
  expect(found.ragged).toEqual([
    { line: 5, cells: 1, raw: 'c' },
    { line: 6, cells: 3, raw: 'd,e,f' },
  ])
})

test('a record whose only text is a quoted delimiter or quote is a row', () => {
  const found = split(`"",","\n"",\n"""",""\n" ", \n`, 2)
  expect(found.rows).toEqual([
    ['', ','],
    ['"', ''],
  ])
  expect(found.blank).toBe(2)
})

test('where the blocks of a file end changes nothing', () => {
  const pieces = ['a', 'ăî', '"', '""', ',', '\n', '\r', '\r\n', ' ', 'x"y', '\u{1f600}']
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(
      texts,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 3 }),
      (text, size, width) => {
        expect(split(text, width, size)).toEqual(split(text, width))
      },
    ),
    { numRuns: runs(1500) },
  )
})

test('cells of any length are numbered by their bytes', () => {
  const cell = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom('', 'a', 'aaaaaaaa', 'aaaaaaaaa', 'aaaaaaaab', '\u0000', '\u0000\u0000', 'a\u0000'),
    fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 7, maxLength: 10 }),
  )
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 300 }), fc.integer(), (cells, seed) => {
      const texts = cells.map((text) => new TextEncoder().encode(text))
      const bytes = new Uint8Array(texts.reduce((sum, text) => sum + text.length, 0) + 8)
      const starts = new Uint32Array(texts.length)
      const ends = new Uint32Array(texts.length)
      let at = 0
      for (const [i, text] of texts.entries()) {
        bytes.set(text, at)
        starts[i] = at
        at += text.length
        ends[i] = at
      }
      const table = new CellTable(seed)
      const ids = new Uint32Array(texts.length)
      table.encode({ view: new DataView(bytes.buffer), starts, ends, width: 1, rows: texts.length }, 0, ids)
      const { heap, offsets } = table.entries()
      const text = (id: number) =>
        id === 0
          ? ''
          : new TextDecoder('utf-8', { ignoreBOM: true }).decode(heap.subarray(offsets[id - 1], offsets[id]))
      expect([...ids].map(text)).toEqual(
        texts.map((bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)),
      )
      expect(table.count).toBe(new Set(cells.filter((cell) => cell !== '')).size)
    }),
  )
})
