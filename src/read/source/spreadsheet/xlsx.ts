/** XLSX (ECMA-376, transitional and strict): sheets are read row by row, as a stream, into files of records. */

import { posix } from 'node:path'
import { refuse } from '../../report/reasons.ts'
import type { ZipPackage } from '../unpack.ts'
import { formatSerial, kindOfBuiltIn, kindOfFormat, type NumberKind } from './number-text.ts'
import { findNamed, MOST_CELLS, type OpenSheet, type SheetRecords, tooLarge } from './sheet-records.ts'
import { attribute, readXml, type XmlHandler } from './xml.ts'

type Workbook = Awaited<ReturnType<typeof readWorkbook>>

/**
 * Sheets that share a part are read once, and beyond `mostLookedAt` unpacked bytes only the wanted one.
 * @throws CommandError `refused` when the workbook is damaged or has no sheet
 */
export async function readXlsx(
  archive: ZipPackage,
  wanted: string | undefined,
  mostLookedAt: number,
  openSheet: OpenSheet,
): Promise<SheetRecords[]> {
  const workbook = await readWorkbook(archive)
  const sheets: SheetRecords[] = []
  const parts = new Map<string, SheetRecords>()
  const meant = wanted === undefined ? -1 : findNamed(workbook.sheets, wanted)
  let lookedAt = 0
  for (const [number, { name, hidden, part }] of workbook.sheets.entries()) {
    const entry = archive.find(part)
    if (!entry) throw refuse('damaged_file', {}, `the part of the sheet '${name}' is missing`)
    const known = parts.get(entry.fileName)
    if (known !== undefined) {
      sheets.push(known.named(name, hidden))
      continue
    }
    const sheet = openSheet(name, hidden)
    sheet.is1904 = workbook.is1904
    sheet.isUnread = lookedAt > mostLookedAt && number !== meant
    sheets.push(sheet)
    if (sheet.isUnread) {
      sheet.file.finish()
      continue
    }
    parts.set(entry.fileName, sheet)
    lookedAt += entry.uncompressedSize
    await readXml(archive, entry, new SheetHandler(sheet, workbook))
    sheet.file.finish()
  }
  return sheets
}

async function readWorkbook(archive: ZipPackage) {
  const root = await readRelations(archive, '')
  const part = root.find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
  const entry = archive.find(part)
  if (!entry) throw refuse('damaged_file', {}, `the workbook lacks its part ${part}`)
  const relations = await readRelations(archive, part)
  const partOf = (type: string, name: string) =>
    relations.find((relation) => relation.type === type)?.target ?? posix.join(posix.dirname(part), name)
  const sheets: { name: string; hidden: boolean; part: string }[] = []
  let is1904 = false
  await readXml(archive, entry, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = isTrue(attribute(attributes, 'date1904'))
      if (name !== 'sheet') return
      const relation = relations.find(({ id }) => id === attribute(attributes, 'id'))
      if (relation && relation.type !== 'worksheet') return
      const state = attribute(attributes, 'state') ?? 'visible'
      sheets.push({
        name: attribute(attributes, 'name') ?? `Sheet${sheets.length + 1}`,
        hidden: state !== 'visible',
        part: relation?.target ?? '',
      })
    },
  })
  if (sheets.length === 0) throw refuse('no_text', {}, 'the workbook has no sheet with cells')
  return {
    sheets,
    is1904,
    styles: await readStyles(archive, partOf('styles', 'styles.xml')),
    strings: await readSharedStrings(archive, partOf('sharedStrings', 'sharedStrings.xml')),
  }
}

/**
 * @param part empty: the package itself
 * @returns `type` is the last part of its URI, as the two variants of the standard share only that
 */
async function readRelations(archive: ZipPackage, part: string) {
  const folder = posix.dirname(part === '' ? 'x' : part)
  const entry = archive.find(posix.join(folder, '_rels', `${posix.basename(part)}.rels`))
  const relations: { id: string; type: string; target: string }[] = []
  if (!entry) return relations
  await readXml(archive, entry, {
    open(name, attributes) {
      const { Id: id, Type: type, Target: target, TargetMode: mode } = attributes
      if (name !== 'Relationship' || id === undefined || target === undefined || mode === 'External') return
      const place = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
      relations.push({ id, type: type?.split('/').at(-1) ?? '', target: place })
    },
  })
  return relations
}

function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true' || text === 'on'
}

class SheetHandler implements XmlHandler {
  readonly #sheet: SheetRecords
  readonly #workbook: Workbook
  #row = 0
  #isRowHidden = false
  #cells: string[] = []
  #cell = -1
  #type = 'n'
  #style = 0
  #value = ''
  #hasFormula = false
  /** The current text belongs to the cell. */
  #reading = false
  /** Depth of phonetic guides around the text. */
  #phonetic = 0

  constructor(sheet: SheetRecords, workbook: Workbook) {
    this.#sheet = sheet
    this.#workbook = workbook
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case 'c': {
        const place = cellOf(attributes.r)
        this.#cell = place < 0 ? this.#cell + 1 : place
        if (this.#cell >= MOST_CELLS) throw tooLarge(this.#sheet.name)
        this.#type = attributes.t ?? 'n'
        this.#style = attributes.s === undefined ? 0 : Number(attributes.s)
        this.#value = ''
        this.#hasFormula = false
        return
      }
      case 'v':
      case 't':
        this.#reading = this.#phonetic === 0
        return
      case 'f':
        this.#hasFormula = true
        return
      case 'rPh':
        this.#phonetic++
        return
      case 'row': {
        const row = Number(attributes.r)
        this.#row = Number.isInteger(row) && row > 0 ? row : this.#row + 1
        this.#isRowHidden = isTrue(attributes.hidden) || Number(attributes.ht ?? 1) === 0
        this.#cells = []
        this.#cell = -1
        return
      }
      case 'col': {
        const first = Number(attributes.min)
        const isHidden = isTrue(attributes.hidden) || Number(attributes.width ?? 1) === 0
        if (isHidden && first > 0) this.#sheet.hideColumns(first - 1, Number(attributes.max) - first + 1)
        return
      }
      case 'mergeCell': {
        const merge = /^\$?([A-Z]+)\$?(\d+):\$?([A-Z]+)\$?(\d+)$/i.exec(attributes.ref ?? '')
        if (!merge) return
        const [, left, top, right, bottom] = merge
        const columns = { left: cellOf(left), right: cellOf(right) }
        this.#sheet.addMerge({ top: Number(top), bottom: Number(bottom), ...columns })
      }
    }
  }

  text(text: string): void {
    if (this.#reading) this.#value += text
  }

  close(name: string): void {
    const cells = this.#cells
    if (name === 'v' || name === 't') this.#reading = false
    else if (name === 'c') {
      const text = this.#cellText()
      while (cells.length < this.#cell) cells.push('')
      cells[this.#cell] = text
    } else if (name === 'rPh') this.#phonetic--
    else if (name === 'row') this.#sheet.add(this.#row, cells, this.#isRowHidden)
  }

  #cellText(): string {
    const value = this.#value
    const type = this.#type
    const { strings, styles, is1904 } = this.#workbook
    const sheet = this.#sheet
    const cell = this.#cell
    if (value === '') {
      if (this.#hasFormula && type !== 'str') sheet.uncomputed++
      return ''
    }
    switch (type) {
      case 's': {
        const text = strings[Number(value)]
        if (text !== undefined) return sheet.numbers.text(cell, text)
        // Otherwise the cell would silently be empty.
        const wrong = `a cell refers to text ${value} of ${strings.length} that its cells share`
        throw refuse('damaged_file', {}, wrong)
      }
      case 'inlineStr':
      case 'str':
        return sheet.numbers.text(cell, unescapeText(value))
      case 'b':
        return isTrue(value.trim().toLowerCase()) ? 'true' : 'false'
      case 'e':
        sheet.addError(cell)
        return ''
      case 'd':
        // A date that the file has as text already; the zone and a meaningless midnight are removed.
        return value
          .trim()
          .replace(/Z$/, '')
          .replace(/T00:00(:00(\.0+)?)?$/, '')
          .replace(/(:\d\d)\.0+$/, '$1')
      default: {
        const kind = styles[this.#style] ?? 'number'
        return sheet.numbers.number(cell, formatSerial(value.trim(), kind, is1904))
      }
    }
  }
}

/** The column of `AB12`, from 0; -1 without a reference. */
function cellOf(reference: string | undefined): number {
  if (reference === undefined) return -1
  let column = 0
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) & 0xdf
    if (letter < 65 || letter > 90) break
    column = column * 26 + letter - 64
    if (column > MOST_CELLS) return MOST_CELLS
  }
  return column - 1
}

/** The texts that cells refer to, in order; empty if there is no such part. */
async function readSharedStrings(archive: ZipPackage, part: string): Promise<string[]> {
  const entry = archive.find(part)
  const strings: string[] = []
  if (!entry) return strings
  let value = ''
  let reading = false
  let phonetic = 0
  await readXml(archive, entry, {
    open(name) {
      if (name === 'si') value = ''
      else if (name === 'rPh') phonetic++
      else if (name === 't') reading = phonetic === 0
    },
    text(text) {
      if (reading) value += text
    },
    close(name) {
      if (name === 't') reading = false
      else if (name === 'rPh') phonetic--
      else if (name === 'si') strings.push(unescapeText(value))
    },
  })
  return strings
}

/** The kind of numbers, by the index of a cell's style; empty, so that all are plain numbers, if there is no such part. */
async function readStyles(archive: ZipPackage, part: string): Promise<NumberKind[]> {
  const entry = archive.find(part)
  if (!entry) return []
  const formats = new Map<number, string>()
  const used: number[] = []
  let inCells = false
  await readXml(archive, entry, {
    open(name, attributes) {
      if (name === 'cellXfs') inCells = true
      else if (name === 'xf' && inCells) used.push(Number(attribute(attributes, 'numFmtId') ?? 0))
      else if (name === 'numFmt')
        formats.set(Number(attribute(attributes, 'numFmtId')), attribute(attributes, 'formatCode') ?? '')
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return used.map((id) => (formats.has(id) ? kindOfFormat(formats.get(id) as string) : kindOfBuiltIn(id)))
}

/** `_x000D_` means a character that XML cannot contain (ECMA-376 part 1, 22.9.2.19). */
function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
