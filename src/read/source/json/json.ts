/** JSON and NDJSON as records. Runs in the converter. */

import { join } from 'node:path'
import type { Decision } from '../../report/decisions.ts'
import { refuse, warn } from '../../report/reasons.ts'
import type { Budget } from '../conversion/budget.ts'
import { type Conversion, NO_FACTS, type OnRead } from '../conversion/conversion.ts'
import { readChunks } from '../source.ts'
import { ByteWindow } from './byte-window.ts'
import { isSpace, JsonError, OPEN_OBJECT } from './flatten.ts'
import { ObjectRecords } from './object-records.ts'
import { type FoundArray, JsonScanner, MARK } from './scanner.ts'

/** The texts are in UTF-8 here, whatever the file was in. */
type TextConversion = Omit<Conversion, 'encoding'>

const LF = 0x0a

/**
 * An array of objects, or an object with such an array somewhere inside.
 * @throws CommandError `refused`, with line and column, when it is not JSON; when it holds no objects
 */
export function convertJson(path: string, folder: string, budget: Budget, onRead: OnRead): TextConversion {
  const records = new ObjectRecords(join(folder, 'records'), budget)
  try {
    // An array inside of something is found by reading everything, and read after that.
    const half = Bun.file(path).size / 2
    const { array, decisions } = chooseArray(path, (bytes) => onRead(bytes / 2))
    const isWhole = array.path.length === 0
    readArray(path, array, records, isWhole ? onRead : (bytes) => onRead(half + bytes / 2))
    return toConversion('json', records, folder, decisions)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    const { line, column } = placeOf(path, error.at)
    throw refuse('json_invalid', { line, column }, `${error.message}; ${error.remedy}`, error.override)
  }
}

function chooseArray(path: string, onRead: OnRead): { array: FoundArray; decisions: Decision[] } {
  using scanner = new JsonScanner(path, 0, onRead)
  const [first, ...others] = scanner.findArrays().toSorted((a, b) => b.objects - a.objects)
  if (!first) throw refuse('json_without_rows', {})
  if (first.path.length === 0) return { array: first, decisions: [] }
  if (others[0]?.objects === first.objects) {
    throw refuse('json_several_tables', { names: [first, ...others].map(nameArray).join(', ') })
  }
  const largest = others.length === 0 ? 'the only array of objects' : 'the largest array of objects'
  const rest = others.length === 0 ? '' : `; ${others.map(nameArray).join(', ')} was left out`
  const reason = `the rows were taken from ${nameArray(first)}, ${largest} in the file${rest}`
  return { array: first, decisions: [{ kind: 'json_array', reason, override: null }] }
}

function nameArray({ path }: FoundArray): string {
  return `'${path.join('.')}'`
}

function readArray(path: string, array: FoundArray, records: ObjectRecords, onRead: OnRead): void {
  const isWhole = array.path.length === 0
  // The byte order mark is stepped over only at the start of the file.
  using scanner = new JsonScanner(path, isWhole ? 0 : array.offset, onRead)
  scanner.readElements((bytes, start, end, offset) => {
    if (bytes[start] !== OPEN_OBJECT) {
      records.addUnreadable(bytes.toString('utf8', start, end))
      return
    }
    try {
      records.add(bytes, start, end)
    } catch (error) {
      throw error instanceof JsonError
        ? new JsonError(error.message, offset + error.at, error.remedy, error.override)
        : error
    }
  })
  if (isWhole) scanner.refuseMore()
}

/** One object per line (NDJSON). Lines that cannot be read become records to be refused, blank ones blank records. */
export function convertLines(path: string, folder: string, budget: Budget, onRead: OnRead): TextConversion {
  const records = new ObjectRecords(join(folder, 'records'), budget)
  using window = new ByteWindow(path, 0, onRead)
  window.more(0)
  const hasMark = window.length >= MARK.length && MARK.every((byte, i) => window.bytes[i] === byte)
  let at = hasMark ? MARK.length : 0
  let searched = at
  for (;;) {
    const found = window.bytes.subarray(0, window.length).indexOf(LF, searched)
    if (found >= 0) {
      addLine(records, window.bytes, at, found)
      at = found + 1
      searched = at
      continue
    }
    searched = window.length
    const moved = window.more(at)
    if (moved < 0) break
    at -= moved
    searched -= moved
  }
  if (at < window.length) addLine(records, window.bytes, at, window.length)
  return toConversion('ndjson', records, folder, [])
}

function addLine(records: ObjectRecords, bytes: Buffer, start: number, lineEnd: number): void {
  let end = lineEnd
  while (end > start && isSpace(bytes[end - 1] as number)) end--
  try {
    if (end === start) records.addBlank()
    else records.add(bytes, start, end)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    records.addUnreadable(bytes.toString('utf8', start, end))
  }
}

function toConversion(
  format: 'json' | 'ndjson',
  records: ObjectRecords,
  folder: string,
  decisions: readonly Decision[],
): TextConversion {
  const { header, path } = records.finish(join(folder, 'records-wide'))
  if (header.length === 0) throw refuse('json_without_rows', {})
  const { repeatedNames } = records
  const warnings = repeatedNames === 0 ? [] : [warn('repeated_names', { count: repeatedNames })]
  return { ...NO_FACTS, format, path, header, decisions, warnings }
}

/** Line and column, from 1, of an offset in a file. */
function placeOf(path: string, offset: number): { line: number; column: number } {
  let line = 1
  let column = 1
  let left = offset
  for (const chunk of readChunks(path)) {
    for (let at = 0; at < chunk.length && left > 0; at++, left--) {
      const byte = chunk[at] as number
      if (byte === LF) {
        line++
        column = 1
      } else if ((byte & 0xc0) !== 0x80) column++
    }
    if (left === 0) break
  }
  return { line, column }
}
