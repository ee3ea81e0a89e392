/** Whether a served row is a given row of the table, whatever types its columns got. */

import type { DamagedFile } from './damaged-file.ts'

/** @param values as served; @param texts of the table's row; @param columns of the table, in the order served */
export function isSameRow(
  values: readonly unknown[],
  texts: readonly string[],
  columns: readonly number[],
  file: DamagedFile,
): boolean {
  for (const [at, text] of texts.entries()) {
    const place = columns.indexOf(at)
    const { kind } = file.table.columns[at]!
    if (!isSameValue(place < 0 ? null : values[place], text, kind, file.touchesQuotes)) return false
  }
  return true
}

function isSameValue(value: unknown, text: string, kind: string, touchesQuotes: boolean): boolean {
  if (value === null || value === undefined) return /^(?:-|n\/a)?$/.test(text.trim())
  if (typeof value === 'number') return value === toNumber(text, kind)
  if (typeof value === 'boolean') return text === (value ? 'da' : 'nu')
  const plain = (written: string) =>
    (touchesQuotes ? written.replaceAll('"', '') : written).normalize('NFC').replace(/\s+/g, ' ').trim()
  const served = plain(String(value))
  return served === plain(text) || served === text.replace(/^(\d\d)\.(\d\d)\.(\d{4})$/, '$3-$2-$1')
}

function toNumber(text: string, kind: string): number {
  if (kind === 'grouped') return Number(text.replace(/[, ]/g, ''))
  return Number(text.replace(',', '.'))
}
