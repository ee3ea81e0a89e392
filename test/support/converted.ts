/** A file as the converter reads it, in this process: records as cells, and the rest of the result. */

import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Conversion, ConversionRequest } from '../../src/read/source/conversion/conversion.ts'
import { convertSource } from '../../src/read/source/conversion/converter.ts'
import { splitRecords } from '../../src/read/source/conversion/record-file.ts'
import { parseRfc4180 } from './rfc4180.ts'
import { tempDir } from './temp-dir.ts'

export interface Converted extends Conversion {
  /** Blank records are empty lists; none for delimited text. */
  readonly records: readonly (readonly string[])[]
}

/** @returns the conversion, or the message of its refusal */
export async function convertPath(
  path: string,
  asked: Pick<ConversionRequest, 'format' | 'sheet'> = {},
): Promise<Converted | string> {
  const folder = mkdtempSync(join(tempDir(), 'converted-'))
  const outcome = await convertSource({ path, folder, ...asked })
  if ('refused' in outcome) return outcome.refused.message
  const lines = outcome.done.format === 'csv' ? [] : [...splitRecords(outcome.done.path)]
  const records = lines.map((line) => (line.length === 0 ? [] : readCells(line.toString('utf8'))))
  return { ...outcome.done, records }
}

function readCells(record: string): string[] {
  return (parseRfc4180(`${record}\r\n`)[0] ?? []).map(({ text }) => text)
}

/** A conversion that must succeed. */
export async function convertBytes(
  bytes: Uint8Array | string,
  asked: Pick<ConversionRequest, 'format' | 'sheet'> = {},
): Promise<Converted> {
  const converted = await convertPath(writeTemporary(bytes), asked)
  if (typeof converted === 'string') throw new Error(converted)
  return converted
}

/** The message of a conversion that must be refused. */
export async function refusalOf(
  bytes: Uint8Array | string,
  asked: Pick<ConversionRequest, 'format' | 'sheet'> = {},
): Promise<string> {
  const converted = await convertPath(writeTemporary(bytes), asked)
  if (typeof converted !== 'string') throw new Error(`it was read: ${JSON.stringify(converted.records)}`)
  return converted
}

function writeTemporary(bytes: Uint8Array | string): string {
  const path = join(tempDir(), 'source')
  writeFileSync(path, bytes)
  return path
}
