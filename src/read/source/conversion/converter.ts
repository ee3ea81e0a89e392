/**
 * The converter: the program started again for one file, with limits on memory and time, so that no file can take the
 * service down. It leaves its outcome in the work folder.
 */

import { statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../../base/errors.ts'
import { isDiskFull } from '../../report/disk.ts'
import type { Format } from '../../report/formats.ts'
import { refuse } from '../../report/reasons.ts'
import { decodeToUtf8 } from '../encoding/decode.ts'
import { findByteOrderMark, findWideEncoding, normalizeEncoding } from '../encoding/encoding-names.ts'
import type { Recognised } from '../file-format.ts'
import { convertJson, convertLines } from '../json/json.ts'
import { readHead } from '../source.ts'
import { convertWorkbook } from '../spreadsheet/workbook.ts'
import { unpackFile } from '../unpack.ts'
import { Budget, watchLimits } from './budget.ts'
import {
  type Conversion,
  type ConversionOutcome,
  type ConversionRequest,
  LIMIT_FILE,
  NO_FACTS,
  type OnStep,
  OUTCOME_FILE,
  reportReading,
} from './conversion.ts'

/** Formats that are text: a person may know better which one it is. */
const TEXTS: readonly string[] = ['csv', 'json', 'ndjson']
const UTF_8 = 'utf-8'
/** Enough to detect a text's encoding. */
const HEAD_BYTES = 1 << 16

/** Together with the ingest, a file must stay below 1 GB. */
const MEMORY_BYTES = 768 * 1024 * 1024
const SECONDS = 60
const SECONDS_PER_MEGABYTE = 1
const STANDARD_OUTPUT = 1

/** @param text a `ConversionRequest` as JSON */
export async function runConverter(text: string): Promise<void> {
  const request = JSON.parse(text) as ConversionRequest
  const { path, folder, limits } = request
  watchLimits({
    memoryBytes: MEMORY_BYTES,
    seconds: SECONDS + (statSync(path).size / 1e6) * SECONDS_PER_MEGABYTE,
    ...limits,
    reasonFile: join(folder, LIMIT_FILE),
  })
  const outcome = await convertSource(request, (step) => {
    // When the ingest is gone nobody reads this, and the watch ends this process.
    try {
      writeSync(STANDARD_OUTPUT, `${JSON.stringify(step)}\n`)
    } catch {}
  })
  writeFileSync(join(folder, OUTCOME_FILE), JSON.stringify(outcome))
}

/** The converter without its limits. It returns refusals and throws only errors of the program itself. */
export async function convertSource(
  request: ConversionRequest,
  onStep: OnStep = () => {},
): Promise<ConversionOutcome> {
  try {
    return { done: await convert(request, onStep) }
  } catch (error) {
    // A text or a list exceeds the runtime's limits: the file unpacks to too much.
    const refusal = isDiskFull(error)
      ? refuse('disk_full', {})
      : error instanceof RangeError
        ? refuse('needs_memory', {})
        : error
    if (!(refusal instanceof CommandError)) throw refusal
    const { kind, message, override, reasons } = refusal
    return { refused: { kind, message, override, reasons } }
  }
}

async function convert(
  { path, folder, format: asked, encoding, sheet }: ConversionRequest,
  onStep: OnStep,
): Promise<Conversion> {
  const { size } = Bun.file(path)
  const unpacked = await unpackFile(path, folder, new Budget(size, folder), onStep)
  const format = settleFormat(unpacked.kind, asked)
  if (sheet !== undefined && TEXTS.includes(format)) throw refuse('no_sheets', { sheet })
  const budget = new Budget(size, folder)
  const { decisions } = unpacked
  if (format === 'csv')
    return { ...NO_FACTS, format, encoding: UTF_8, path: unpacked.path, decisions, warnings: [] }
  const conversion =
    format === 'json' || format === 'ndjson'
      ? convertObjects(format, unpacked.path, { folder, encoding }, budget, onStep)
      : await convertWorkbook(format, unpacked, sheet, folder, budget)
  return { ...conversion, decisions: [...decisions, ...conversion.decisions] }
}

function convertObjects(
  format: 'json' | 'ndjson',
  path: string,
  { folder, encoding: asked }: Pick<ConversionRequest, 'folder' | 'encoding'>,
  budget: Budget,
  onStep: OnStep,
): Conversion {
  const head = readHead(path, 0, HEAD_BYTES)
  // JSON is in UTF-8 (RFC 8259, 8.1); older standards and some tools use UTF-16, and people use anything.
  const encoding = asked === undefined ? (findWideEncoding(head) ?? UTF_8) : normalizeEncoding(asked)
  let text = path
  if (encoding !== UTF_8) {
    const mark = findByteOrderMark(head)
    text = join(folder, 'text')
    const broken = decodeToUtf8(path, mark?.encoding === encoding ? mark.bytes : 0, encoding, text)
    if (broken > 0) throw refuse('wrong_encoding', { encoding })
  }
  const onRead = reportReading('converting', Bun.file(text).size, onStep)
  const convertText = format === 'json' ? convertJson : convertLines
  return { ...convertText(text, folder, budget, onRead), encoding }
}

/** @throws CommandError `refused` when it cannot be read, `usage` when the definition says that it is something else */
function settleFormat({ format, name }: Recognised, asked: string | undefined): Format {
  if (format === null || format === 'gzip' || format === 'zip')
    throw refuse('not_a_table', {}, `it is ${name}`)
  if (asked === undefined || asked === format) return format
  if (TEXTS.includes(asked) && TEXTS.includes(format)) return asked as Format
  throw new CommandError('usage', `the definition says "format": "${asked}", but it is ${name}`)
}
