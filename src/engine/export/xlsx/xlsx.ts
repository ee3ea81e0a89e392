/**
 * Exports as XLSX: a sheet of the rows and one about them. Cells are written from the bytes of the dictionaries and
 * compressed on another thread. Libraries take one value per cell and five times as long.
 */

import { ByteSink } from '../../columns/byte-sink.ts'
import type { OpenDataset } from '../../memory/open-dataset.ts'
import { Scratch } from '../../memory/scratch.ts'
import { StreamTurns } from '../../turns.ts'
import { RowsInOrder, type RowsQuery } from '../rows-in-order.ts'
import { CellWriter, columnName, columnWidths, LONGEST_TEXT } from './cells.ts'
import { ZipWriter } from './zip.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const CORE = 'application/vnd.openxmlformats-package.core-properties+xml'

const SHEET_OPEN = `${XML}<worksheet xmlns="${MAIN}">`

const CONTENT_TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="${CORE}"/></Types>`

/** Formats of cells in the order of `STYLE`: plain, bold, dates, datetimes, datetimes with milliseconds. */
const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>${[164, 165, 166].map((format) => `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

const DATA = 'data'
const ABOUT = 'about'

/** Rows of a sheet, without the header. */
export const MOST_SHEET_ROWS = 1_048_575

const BATCH_ROWS = 2 ** 15
const CHUNK_BYTES = 2 ** 17
const ABOUT_BYTES = 2 ** 10

/** More rows match than a sheet has. */
export class TooManyRowsError extends Error {}

export interface SheetFacts {
  readonly title: string
  readonly publisher: string | null
  /** When the version was published. */
  readonly changed: Date
  readonly lines: readonly (readonly [label: string, value: string])[]
}

export interface XlsxQuery extends RowsQuery {
  readonly fields: readonly number[]
  readonly facts: SheetFacts
}

/** The rows of a sheet. */
export interface SheetRows {
  readonly names: readonly string[]
  readonly widths: readonly number[]
  readonly total: number
  /** Writes some of the next rows at each step and yields how many; rows are numbered from 2. */
  write(cells: CellWriter): AsyncGenerator<number> | Generator<number>
}

/**
 * The matching rows as an XLSX workbook, in chunks of bytes, in file order unless the query sorts. Other requests get their
 * turns between chunks.
 * @param onRows gets the number of rows that the reader has taken
 * @throws TooManyRowsError, DamagedFileError, before the first chunk
 */
export async function* exportXlsx(
  dataset: OpenDataset,
  query: XlsxQuery,
  onRows: (rows: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const { fields, facts } = query
  await dataset.load([[fields, 'searched']])
  using source = await RowsInOrder.open(dataset, query)
  if (source.total > MOST_SHEET_ROWS) throw new TooManyRowsError(`${source.total} rows are too many`)
  const rows: SheetRows = {
    names: fields.map((column) => dataset.columns[column]!.name),
    widths: columnWidths(dataset, fields),
    total: source.total,
    write: (cells) => writeMatches(dataset, fields, source, cells),
  }
  yield* writeWorkbook(rows, facts, onRows)
}

/**
 * A workbook of two sheets, in chunks of bytes: the rows, and facts about them.
 * @param onRows gets the number of rows that the reader has taken
 */
export async function* writeWorkbook(
  rows: SheetRows,
  facts: SheetFacts,
  onRows: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  const { names, total } = rows
  const zip = new ZipWriter(facts.changed)
  const corner = `${columnName(names.length - 1)}$${total + 1}`
  for (const [path, text] of workbookParts(`$A$1:$${corner}`, facts))
    yield* zip.entry(path, [Buffer.from(text)])
  const cells = new CellWriter(new ByteSink(2 * CHUNK_BYTES), names.length)
  yield* zip.entry('xl/worksheets/sheet1.xml', dataSheet(rows, cells, onRows))
  yield* zip.entry('xl/worksheets/sheet2.xml', aboutSheet(facts, cells.cut))
  yield zip.end()
}

async function* dataSheet(
  rows: SheetRows,
  cells: CellWriter,
  onRows: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  const { names, widths, total } = rows
  const { sink } = cells
  const range = `A1:${columnName(names.length - 1)}${total + 1}`
  sink.appendLatin1(
    `${SHEET_OPEN}<dimension ref="${range}"/><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`,
  )
  for (const [index, width] of widths.entries())
    sink.appendLatin1(`<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
  sink.appendLatin1('</cols><sheetData>')
  cells.openRow(1)
  for (const [index, name] of names.entries()) cells.bold(index, name)
  cells.closeRow()
  for await (const written of rows.write(cells)) {
    yield sink.bytes.subarray(0, sink.length)
    sink.length = 0
    onRows(written)
  }
  sink.appendLatin1(`</sheetData><autoFilter ref="${range}"/></worksheet>`)
  yield sink.bytes.subarray(0, sink.length)
}

async function* writeMatches(
  dataset: OpenDataset,
  fields: readonly number[],
  source: RowsInOrder,
  cells: CellWriter,
): AsyncGenerator<number> {
  using turns = new StreamTurns()
  using scratch = new Scratch(dataset)
  const rows = scratch.allocate(BATCH_ROWS * 4)
  for (let number = 2; ; ) {
    const count = await source.next(rows, BATCH_ROWS)
    if (count === 0) break
    for (let done = 0; done < count; ) {
      const written = writeRows(dataset, fields, cells, rows + done * 4, count - done, number)
      done += written
      number += written
      yield written
      await turns.rest()
    }
  }
}

/** Writes rows until a chunk is full. @returns how many */
function writeRows(
  dataset: OpenDataset,
  fields: readonly number[],
  cells: CellWriter,
  rowsAt: number,
  count: number,
  firstNumber: number,
): number {
  const { bytes, words } = dataset.regions
  const halves = new Uint16Array(bytes.buffer, 0, bytes.length >> 1)
  const columns = fields.map((column) => ({
    type: dataset.columns[column]!.type,
    width: dataset.columns[column]!.codeWidth,
    codes: dataset.segment(column, 'codes'),
    offsets: dataset.segment(column, 'offsets') / 4,
    heap: dataset.segment(column, 'heap'),
  }))
  let done = 0
  while (done < count && cells.sink.length < CHUNK_BYTES) {
    const row = words[rowsAt / 4 + done]!
    cells.openRow(firstNumber + done)
    for (let index = 0; index < columns.length; index++) {
      const { type, width, codes, offsets, heap } = columns[index]!
      const code =
        width === 1 ? bytes[codes + row]! : width === 2 ? halves[codes / 2 + row]! : words[codes / 4 + row]!
      if (code === 0) continue
      const entry = offsets + code
      cells.cell(index, type, bytes, heap + words[entry - 1]!, heap + words[entry]!)
    }
    cells.closeRow()
    done++
  }
  return done
}

function* aboutSheet({ lines }: SheetFacts, cut: number): Generator<Uint8Array> {
  const cells = new CellWriter(new ByteSink(ABOUT_BYTES), 2)
  cells.sink.appendLatin1(
    `${SHEET_OPEN}<cols><col min="1" max="1" width="28" customWidth="1"/><col min="2" max="2" width="90" customWidth="1"/></cols><sheetData>`,
  )
  const limit = LONGEST_TEXT.toLocaleString('en')
  const said = cut === 0 ? lines : [...lines, ['Cut / Scurtate', `${cut} > ${limit}`] as const]
  for (const [index, [label, value]] of said.entries()) {
    cells.openRow(index + 1)
    cells.bold(0, label)
    const bytes = Buffer.from(value)
    cells.text(1, bytes, 0, bytes.length)
    cells.closeRow()
  }
  cells.sink.appendLatin1('</sheetData></worksheet>')
  yield cells.sink.bytes.subarray(0, cells.sink.length)
}

/** Escapes a text for an element or an attribute. Characters that XML cannot hold are left out. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const made = targets.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${type}" Target="${target}"/>`,
  )
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${made.join('')}</Relationships>`
}

/**
 * Paths and contents of all parts but the sheets.
 * @param range of the cells including the header, absolute: `$A$1:$M$11`
 */
function workbookParts(range: string, facts: SheetFacts): readonly (readonly [path: string, text: string])[] {
  const workbook = `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${DATA}" sheetId="1" r:id="rId1"/><sheet name="${ABOUT}" sheetId="2" r:id="rId2"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">${DATA}!${range}</definedName></definedNames></workbook>`
  const moment = `${facts.changed.toISOString().slice(0, 19)}Z`
  const creator = facts.publisher === null ? '' : `<dc:creator>${escapeXml(facts.publisher)}</dc:creator>`
  const core = `${XML}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escapeXml(facts.title)}</dc:title>${creator}<dcterms:created xsi:type="dcterms:W3CDTF">${moment}</dcterms:created></cp:coreProperties>`
  return [
    ['[Content_Types].xml', CONTENT_TYPES],
    [
      '_rels/.rels',
      relations([
        [`${RELATIONS}/officeDocument`, 'xl/workbook.xml'],
        [`${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml'],
      ]),
    ],
    ['docProps/core.xml', core],
    ['xl/workbook.xml', workbook],
    [
      'xl/_rels/workbook.xml.rels',
      relations([
        [`${RELATIONS}/worksheet`, 'worksheets/sheet1.xml'],
        [`${RELATIONS}/worksheet`, 'worksheets/sheet2.xml'],
        [`${RELATIONS}/styles`, 'styles.xml'],
      ]),
    ],
    ['xl/styles.xml', STYLES],
  ]
}
