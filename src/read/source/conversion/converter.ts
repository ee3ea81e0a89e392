/**
 * The converter: the program started again, for one file, with limits on memory and time, so that no file can take the
 * service down or with it. It leaves its outcome in the work folder.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../../base/errors.ts'
import { isDiskFull } from '../../report/disk.ts'
import type { Format } from '../../report/formats.ts'
import { refuse } from '../../report/reasons.ts'
import { decodeToUtf8 } from '../encoding/decode.ts'
import { findByteOrderMark, findWideEncoding, normalizeEncoding } from '../encoding/encoding-names.ts'
import { convertJson, convertLines } from '../json/json.ts'
import { readHead } from '../source.ts'
import { convertWorkbook } from '../spreadsheet/workbook.ts'
import { type Unpacked, unpackFile } from '../unpack.ts'
import { Budget } from './budget.ts'
import {
  type Conversion,
  type ConversionOutcome,
  type ConversionRequest,
  OUTCOME_FILE,
} from './conversion.ts'
import { type OnStep, printStep, reportReading } from './conversion-progress.ts'
import { watchConverter } from './converter-limits.ts'

/** Formats that are text, and that somebody may therefore know better. */
const TEXTS: readonly string[] = ['csv', 'json', 'ndjson']
const UTF_8 = 'utf-8'
/** Enough to see a text's encoding by. */
const HEAD_BYTES = 1 << 16

/** @param text a `ConversionRequest` as JSON */
export async function runConverter(text: string): Promise<void> {
  const request = JSON.parse(text) as ConversionRequest
  watchConverter(request)
  writeFileSync(join(request.folder, OUTCOME_FILE), JSON.stringify(await convertSource(request, printStep)))
}

/** The converter without its limits: what becomes of a file, told and never thrown, unless the program itself is at fault. */
export async function convertSource(
  request: ConversionRequest,
  onStep: OnStep = () => {},
): Promise<ConversionOutcome> {
  try {
    return { done: await convert(request, onStep) }
  } catch (error) {
    // A text or a list that the runtime has no room for: the file explodes into it.
    const refusal = isDiskFull(error)
      ? refuse('disk_full', {})
      : error instanceof RangeError
        ? refuse('needs_memory', {})
        : error
    if (!(refusal instanceof CommandError)) throw refusal
    const { kind, message, override, reasons } = refusal
    return {
      refused: { kind: kind === 'usage' || kind === 'failed' ? kind : 'refused', message, override, reasons },
    }
  }
}

async function convert(
  { path, folder, format: asked, encoding, sheet }: ConversionRequest,
  onStep: OnStep,
): Promise<Conversion> {
  const { size } = Bun.file(path)
  const unpacked = await unpackFile(path, folder, new Budget(size, folder), onStep)
  const format = settleFormat(unpacked, asked)
  const { decisions } = unpacked
  if (sheet !== undefined && TEXTS.includes(format)) throw refuse('no_sheets', { sheet })
  const conversion = await convertAs(
    format,
    unpacked,
    { folder, encoding, sheet },
    new Budget(size, folder),
    onStep,
  )
  return { ...conversion, decisions: [...decisions, ...conversion.decisions] }
}

async function convertAs(
  format: Format,
  { path, archive }: Unpacked,
  { folder, encoding: asked, sheet }: Omit<ConversionRequest, 'path' | 'format'>,
  budget: Budget,
  onStep: OnStep,
): Promise<Conversion> {
  if (format === 'json' || format === 'ndjson') {
    const encoding = settleEncoding(path, asked)
    const text = openText(path, folder, encoding)
    const convertText = format === 'json' ? convertJson : convertLines
    return {
      ...convertText(text, folder, budget, reportReading('converting', Bun.file(text).size, onStep)),
      encoding,
    }
  }
  if (format === 'xls') return convertWorkbook({ format, path }, sheet, folder, budget)
  if (format !== 'csv' && archive) return convertWorkbook({ format, archive }, sheet, folder, budget)
  const nothing = {
    encoding: UTF_8,
    sheet: null,
    sheets: [],
    header: null,
    spans: [],
    filled: [],
    errors: [],
    decisions: [],
    warnings: [],
  }
  return { format: 'csv', path, ...nothing }
}

/** JSON is in UTF-8 (RFC 8259, 8.1); older standards and some tools have it in UTF-16, and people in anything. */
function settleEncoding(path: string, asked: string | undefined): string {
  if (asked !== undefined) return normalizeEncoding(asked)
  return findWideEncoding(readHead(path, 0, HEAD_BYTES)) ?? UTF_8
}

/** @returns the path of the text in UTF-8 */
function openText(path: string, folder: string, encoding: string): string {
  if (encoding === UTF_8) return path
  const mark = findByteOrderMark(readHead(path, 0, HEAD_BYTES))
  const text = join(folder, 'text')
  const broken = decodeToUtf8(path, mark?.encoding === encoding ? mark.bytes : 0, encoding, text)
  if (broken === 0) return text
  throw refuse('wrong_encoding', { encoding })
}

/** @throws CommandError `refused` for what cannot be read, `usage` when the definition says that it is something else */
function settleFormat({ kind }: Unpacked, asked: string | undefined): Format {
  const { format, name } = kind
  if (format === null || format === 'gzip' || format === 'zip')
    throw refuse('not_a_table', {}, `it is ${name}`)
  if (asked === undefined || asked === format) return format
  if (TEXTS.includes(asked) && TEXTS.includes(format)) return asked as Format
  throw new CommandError('usage', `the definition says "format": "${asked}", but it is ${name}`)
}
