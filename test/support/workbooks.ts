/** Workbooks written by the tests: small packages with the parts that readers need, and whatever a test adds. */

import { strToU8, zipSync } from 'fflate'

/** A number in a format, the raw XML of a cell, or a plain value; null for no cell. */
export type Cell = string | number | boolean | null | { value: number; format: string } | { xml: string }

export interface Sheet {
  readonly name: string
  readonly rows: readonly (readonly Cell[])[]
  /** `A1:A3` */
  readonly merges?: readonly string[]
  readonly hidden?: boolean
  /** Attributes of rows and of columns, by their place from 0. */
  readonly rowMarks?: Readonly<Record<number, string>>
  readonly columnMarks?: Readonly<Record<number, string>>
}

/** A ZIP archive of texts or bytes. */
export function zip(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
  )
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** @param parts further parts, or other content for existing ones */
export function xlsx(
  sheets: readonly Sheet[],
  options: { is1904?: boolean; parts?: Readonly<Record<string, string>> } = {},
): Uint8Array {
  const formats: string[] = []
  const bodies = sheets.map((sheet) => sheetXml(sheet, formats))
  const listed = sheets
    .map(({ name, hidden }, i) => {
      const state = hidden ? ' state="hidden"' : ''
      return `<sheet name="${escapeXml(name)}" sheetId="${i + 1}"${state} r:id="s${i + 1}"/>`
    })
    .join('')
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`
  const sheetRelations = sheets.map((_, i) =>
    relation(`s${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`),
  )
  const numFmts = formats.map((code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${escapeXml(code)}"/>`)
  const xfs = formats.map((_, i) => `<xf numFmtId="${200 + i}"/>`)
  return zip({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}">${relation('w', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${options.is1904 ? '<workbookPr date1904="1"/>' : ''}<sheets>${listed}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}">${sheetRelations.join('')}${relation('st', 'styles', 'styles.xml')}</Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts>${numFmts.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${xfs.join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(bodies.map((body, i) => [`xl/worksheets/sheet${i + 1}.xml`, body])),
    ...options.parts,
  })
}

function sheetXml({ rows, merges = [], rowMarks = {}, columnMarks = {} }: Sheet, formats: string[]): string {
  const body = rows.map((cells, row) => {
    const inner = cells
      .map((cell, column) => cellXml(cell, `${columnName(column)}${row + 1}`, formats))
      .join('')
    return inner === '' ? '' : `<row r="${row + 1}" ${rowMarks[row] ?? ''}>${inner}</row>`
  })
  const merged = merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')
  const block = merged === '' ? '' : `<mergeCells>${merged}</mergeCells>`
  const columns = Object.entries(columnMarks).map(
    ([at, marks]) => `<col min="${Number(at) + 1}" max="${Number(at) + 1}" ${marks}/>`,
  )
  const cols = columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`
  return `<worksheet xmlns="${MAIN}">${cols}<sheetData>${body.join('')}</sheetData>${block}</worksheet>`
}

function cellXml(cell: Cell, reference: string, formats: string[]): string {
  if (cell === null) return ''
  if (typeof cell === 'string')
    return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${Number(cell)}</v></c>`
  if ('xml' in cell) return cell.xml.replace('<c', `<c r="${reference}"`)
  if (!formats.includes(cell.format)) formats.push(cell.format)
  return `<c r="${reference}" s="${formats.indexOf(cell.format) + 1}"><v>${cell.value}</v></c>`
}

/** An ODS document; a cell's XML is used unchanged. @param content all of content.xml, instead of the sheets */
export function ods(sheets: readonly Sheet[], content?: string): Uint8Array {
  const tables = sheets.map(({ name, rows, hidden, rowMarks = {}, columnMarks = {} }) => {
    const width = Math.max(...rows.map(({ length }) => length))
    const columns = Array.from({ length: width }, (_, at) => `<table:table-column ${columnMarks[at] ?? ''}/>`)
    const lines = rows.map(
      (cells, at) =>
        `<table:table-row ${rowMarks[at] ?? ''}>${cells.map(odsCell).join('')}</table:table-row>`,
    )
    const body = [...columns, ...lines]
    return `<table:table table:name="${escapeXml(name)}" table:style-name="${hidden ? 'off' : 'on'}">${body.join('')}</table:table>`
  })
  const style = (name: string, display: boolean) =>
    `<style:style style:name="${name}" style:family="table"><style:table-properties table:display="${display}"/></style:style>`
  return zip({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'META-INF/manifest.xml': '<manifest:manifest/>',
    'content.xml':
      content ??
      `<office:document-content><office:automatic-styles>${style('on', true)}${style('off', false)}</office:automatic-styles><office:body><office:spreadsheet>${tables.join('')}</office:spreadsheet></office:body></office:document-content>`,
  })
}

function odsCell(cell: Cell): string {
  if (cell === null) return '<table:table-cell/>'
  if (typeof cell === 'object') return 'xml' in cell ? cell.xml : odsCell(cell.value)
  if (typeof cell === 'string')
    return `<table:table-cell office:value-type="string"><text:p>${escapeXml(cell)}</text:p></table:table-cell>`
  if (typeof cell === 'number')
    return `<table:table-cell office:value-type="float" office:value="${cell}"><text:p>${cell}</text:p></table:table-cell>`
  return `<table:table-cell office:value-type="boolean" office:boolean-value="${cell}"><text:p>${cell}</text:p></table:table-cell>`
}

function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
