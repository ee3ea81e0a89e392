/** ODS (OpenDocument 1.0 to 1.4): all sheets are in one XML document, which is read as a stream. */

import { refuse } from '../../report/reasons.ts'
import type { ZipPackage } from '../unpack.ts'
import { formatDuration, formatNumber } from './number-text.ts'
import { MOST_CELLS, MOST_ROWS, type OpenSheet, type SheetRecords, tooLarge } from './sheet-records.ts'
import { type Attributes, attribute, readXml, type XmlHandler } from './xml.ts'

/** @throws CommandError `refused` when the document is damaged or has no sheet */
export async function readOds(archive: ZipPackage, openSheet: OpenSheet): Promise<SheetRecords[]> {
  const entry = archive.find('content.xml')
  if (!entry) throw refuse('damaged_file', {}, 'the document lacks its part content.xml')
  const handler = new ContentHandler(openSheet)
  await readXml(archive, entry, handler)
  if (handler.sheets.length === 0) throw refuse('no_text', {}, 'the document has no sheet')
  return handler.sheets
}

/** Placeholders for explicit white space, until the rest is collapsed: characters that XML cannot contain. */
const SPACE = '\u0001'
const TAB = '\u0002'
const BREAK = '\u0003'
const MOST_SPACES = 32_767
const BOOLEANS: Readonly<Record<string, string>> = { '1': 'true', '0': 'false' }
/** What a formula shows instead of a value. */
const ERROR_TEXT = /^(#(N\/A|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|NULL!)|Err:\d+)$/

class ContentHandler implements XmlHandler {
  readonly sheets: SheetRecords[] = []
  readonly #openSheet: OpenSheet
  readonly #hiddenStyles = new Set<string>()
  /** For each open group of rows or columns, whether it is collapsed. */
  readonly #groups: boolean[] = []
  #columns = 0
  #isRowHidden = false
  #styleName = ''
  #depth = 0
  /** Depth of the element whose content is skipped, 0 for none. */
  #skipped = 0
  #sheet: SheetRecords | null = null
  #row = 1
  #rowRepeat = 1
  #cells: string[] = []
  /** The column after the last cell, counting blank ones. */
  #at = 0
  #cell: Attributes = {}
  #cellDepth = 0
  #paragraphs: string[] = []
  #paragraph: string | null = null

  constructor(openSheet: OpenSheet) {
    this.#openSheet = openSheet
  }

  open(name: string, attributes: Attributes): void {
    this.#depth++
    if (this.#skipped > 0) return
    switch (name) {
      case 'style':
        this.#styleName = attribute(attributes, 'name') ?? ''
        return
      case 'table-properties':
      case 'table-row-properties':
      case 'table-column-properties': {
        const size = attribute(attributes, 'row-height') ?? attribute(attributes, 'column-width') ?? '1in'
        if (attribute(attributes, 'display') === 'false' || Number.parseFloat(size) === 0)
          this.#hiddenStyles.add(this.#styleName)
        return
      }
      case 'table-row-group':
      case 'table-column-group':
        this.#groups.push(attribute(attributes, 'display') === 'false')
        return
      case 'table-column': {
        const repeat = repeatOf(attributes, 'number-columns-repeated')
        if (this.#isHidden(attributes)) this.#sheet?.hideColumns(this.#columns, repeat)
        this.#columns += repeat
        return
      }
      case 'tracked-changes':
      case 'annotation':
        // Deleted cells and comments are not values.
        this.#skipped = this.#depth
        return
      case 'table':
        // A table inside a cell is a drawing.
        if (this.#sheet) this.#skipped = this.#depth
        else this.#startSheet(attributes)
        return
      case 'table-row':
        this.#rowRepeat = repeatOf(attributes, 'number-rows-repeated')
        this.#isRowHidden = this.#isHidden(attributes)
        this.#cells = []
        this.#at = 0
        return
      case 'table-cell':
      case 'covered-table-cell':
        this.#cell = attributes
        this.#cellDepth = this.#depth
        this.#paragraphs = []
        return
      default:
        this.#openText(name, attributes)
    }
  }

  #openText(name: string, attributes: Attributes): void {
    if ((name === 'p' || name === 'h') && this.#cellDepth > 0 && this.#depth === this.#cellDepth + 1) {
      this.#paragraph = ''
      return
    }
    if (this.#paragraph === null) return
    if (name === 's') {
      const count = Math.min(MOST_SPACES, Number(attribute(attributes, 'c') ?? 1) || 1)
      this.#paragraph += SPACE.repeat(count)
    } else if (name === 'tab') this.#paragraph += TAB
    else if (name === 'line-break') this.#paragraph += BREAK
  }

  text(text: string): void {
    if (this.#paragraph !== null && this.#skipped === 0) this.#paragraph += text
  }

  close(name: string): void {
    const depth = this.#depth--
    if (this.#skipped > 0) {
      if (this.#skipped === depth) this.#skipped = 0
      return
    }
    switch (name) {
      case 'p':
      case 'h':
        if (this.#paragraph !== null && depth === this.#cellDepth + 1) {
          // White space by OpenDocument 1.3 part 3, 6.1.2: runs become one space, none at either end.
          const collapsed = this.#paragraph.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '')
          const spaced = collapsed.replaceAll(SPACE, ' ').replaceAll(TAB, '\t').replaceAll(BREAK, '\n')
          this.#paragraphs.push(spaced)
          this.#paragraph = null
        }
        return
      case 'table-cell':
      case 'covered-table-cell':
        this.#addCells(name === 'table-cell' ? this.#cellText() : '')
        this.#cellDepth = 0
        return
      case 'table-row':
        if (this.#cells.some((cell) => cell !== '')) {
          const sheet = this.#sheet as SheetRecords
          if (this.#row + this.#rowRepeat - 1 > MOST_ROWS) throw tooLarge(sheet.name)
          for (let i = 0; i < this.#rowRepeat; i++) sheet.add(this.#row + i, this.#cells, this.#isRowHidden)
        }
        this.#row += this.#rowRepeat
        return
      case 'table-row-group':
      case 'table-column-group':
        this.#groups.pop()
        return
      case 'table':
        this.#sheet?.file.finish()
        this.#sheet = null
    }
  }

  #startSheet(attributes: Attributes): void {
    const name = attribute(attributes, 'name') ?? `Sheet${this.sheets.length + 1}`
    this.#sheet = this.#openSheet(name, this.#hiddenStyles.has(attribute(attributes, 'style-name') ?? ''))
    this.sheets.push(this.#sheet)
    this.#row = 1
    this.#columns = 0
  }

  /** Whether a row or column is filtered out, hidden, in a collapsed group, or has no height or width. */
  #isHidden(attributes: Attributes): boolean {
    return (
      (attribute(attributes, 'visibility') ?? 'visible') !== 'visible' ||
      this.#groups.includes(true) ||
      this.#hiddenStyles.has(attribute(attributes, 'style-name') ?? '')
    )
  }

  #addCells(text: string): void {
    const repeat = repeatOf(this.#cell, 'number-columns-repeated')
    const sheet = this.#sheet as SheetRecords
    const columns = repeatOf(this.#cell, 'number-columns-spanned')
    const rows = repeatOf(this.#cell, 'number-rows-spanned')
    const left = this.#at
    if (columns > 1 || rows > 1)
      sheet.addMerge({ top: this.#row, bottom: this.#row + rows - 1, left, right: left + columns - 1 })
    if (text !== '') {
      if (this.#at + repeat > MOST_CELLS) throw tooLarge(sheet.name)
      while (this.#cells.length < this.#at) this.#cells.push('')
      for (let i = 0; i < repeat; i++) this.#cells.push(text)
    }
    this.#at += repeat
  }

  #cellText(): string {
    const cell = this.#cell
    const { numbers } = this.#sheet as SheetRecords
    const shown = this.#paragraphs.join('\n')
    const type = attribute(cell, 'value-type') ?? ''
    const isError =
      cell['calcext:value-type'] === 'error' ||
      (attribute(cell, 'formula') !== undefined && ERROR_TEXT.test(shown))
    if (isError) {
      this.#sheet?.addError(this.#at, repeatOf(cell, 'number-columns-repeated') * this.#rowRepeat)
      return ''
    }
    switch (type) {
      case 'float':
      case 'percentage':
      case 'currency':
        return numbers.number(this.#at, formatNumber(attribute(cell, 'value') ?? shown))
      case 'date':
        return (attribute(cell, 'date-value') ?? shown).replace(/T00:00:00(\.0+)?$/, '')
      case 'time':
        return readDuration(attribute(cell, 'time-value') ?? '') ?? shown
      case 'boolean':
        return BOOLEANS[attribute(cell, 'boolean-value') ?? ''] ?? attribute(cell, 'boolean-value') ?? shown
      default:
        return numbers.text(this.#at, shown === '' ? (attribute(cell, 'string-value') ?? '') : shown)
    }
  }
}

function repeatOf(attributes: Attributes, name: string): number {
  const count = Number(attribute(attributes, name) ?? 1)
  return Number.isInteger(count) && count > 0 ? count : 1
}

/** `PT26H15M00S` as `26:15:00`; null if it is not a duration. */
function readDuration(text: string): string | null {
  const found = /^(-?)P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?$/.exec(text)
  if (!found) return null
  const [, sign, days = '0', hours = '0', minutes = '0', seconds = '0'] = found
  const total =
    Number(days) + (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'))) / 86_400
  return formatDuration(sign === '-' ? -total : total)
}
