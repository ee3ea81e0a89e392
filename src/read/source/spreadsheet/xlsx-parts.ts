/** What the sheets of an XLSX workbook share: texts and number formats. */

import type { ZipPackage } from '../zip-package.ts'
import { kindOfBuiltIn, kindOfFormat, type NumberKind } from './number-text.ts'
import { attribute, readXml } from './xml.ts'

/** The texts that cells refer to, in order. Without such a part there are none. */
export async function readSharedStrings(archive: ZipPackage, part: string): Promise<string[]> {
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

/** What numbers are, by the number of a cell's style. Without such a part every number is just a number. */
export async function readStyles(archive: ZipPackage, part: string): Promise<NumberKind[]> {
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
  return used.map((id) => {
    const format = formats.get(id)
    return format === undefined ? kindOfBuiltIn(id) : kindOfFormat(format)
  })
}

/** `_x000D_` stands for a character that XML cannot have (ECMA-376 part 1, 22.9.2.19). */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
