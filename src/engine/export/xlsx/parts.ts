/** The parts of a workbook beside its sheets (ECMA-376). */

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const CORE = 'application/vnd.openxmlformats-package.core-properties+xml'

export const SHEET_OPEN = `${XML}<worksheet xmlns="${MAIN}">`

/** A text between tags or quotes. Characters that XML cannot hold are left out. */
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

const CONTENT_TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="${CORE}"/></Types>`

/** Formats of cells in the order of `STYLE`: plain, bold, dates, datetimes, datetimes with milliseconds. */
const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>${[164, 165, 166].map((format) => `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

/** Names of the sheets. */
const DATA = 'data'
const ABOUT = 'about'

/**
 * Paths and contents of all parts but the sheets.
 * @param range of the cells with header, absolute: `$A$1:$M$11`
 */
export function workbookParts(
  range: string,
  facts: { readonly title: string; readonly publisher: string | null; readonly changed: Date },
): readonly (readonly [path: string, text: string])[] {
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
