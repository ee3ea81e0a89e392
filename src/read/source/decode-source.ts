/**
 * The first step of reading: turns a file of any format into UTF-8 text in the work folder. The second step
 * (`table/read-table.ts`) can read the result again whenever its options change: nothing is converted again.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../base/errors.ts'
import { childEnvironment } from '../../base/process/child.ts'
import { CONVERTER, ownProgram } from '../../base/process/own-command.ts'
import type { ReadOptions } from '../definition/read-options.ts'
import type { IngestProgress } from '../report/progress.ts'
import { refuse } from '../report/reasons.ts'
import {
  type Conversion,
  type ConversionOutcome,
  type ConversionRequest,
  followSteps,
  LIMIT_FILE,
  NO_FACTS,
  type OnStep,
  OUTCOME_FILE,
} from './conversion/conversion.ts'
import { decodeToUtf8 } from './encoding/decode.ts'
import { type Survey, surveyFile } from './encoding/sniff.ts'
import { recogniseFile } from './file-format.ts'
import type { SourceFile } from './source.ts'

const LAST_WORDS = 2000

/** The options of this step: if they change, the file has to be decoded again. */
export type DecodeOptions = Pick<ReadOptions, 'format' | 'encoding' | 'sheet'>

export interface DecodeRequest {
  readonly source: SourceFile
  /** The folder for the text, for one decoding only; must outlive its reading. */
  readonly workFolder: string
  readonly options: DecodeOptions
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined
}

/** `path` has delimited text in UTF-8: the source itself, or a work file. */
export interface DecodedSource extends Conversion, Pick<Survey, 'confidence' | 'doubt'> {
  /** Offset after the byte order mark. */
  readonly from: number
  readonly bytes: number
  /** Number of places with bytes that the encoding lacks, each a `BROKEN_BYTE` in the text. */
  readonly broken: number
}

/**
 * @throws CommandError as `surveyFile`, `decodeToUtf8` and `convertFile` do; `refused` for an empty file or one that is not
 * a table, `usage` when a sheet is named but the file has none
 */
export async function decodeSource(request: DecodeRequest): Promise<DecodedSource> {
  const { source, workFolder, options } = request
  const { format, encoding, sheet } = options
  if (source.bytes === 0) throw refuse('empty_file', {})
  const { format: found, name } = recogniseFile(source.path)
  if (found === null) throw refuse('not_a_table', {}, `${source.name} is ${name}`)
  if (found === 'csv' && (format ?? 'csv') === 'csv') {
    if (sheet !== undefined) throw refuse('no_sheets', { sheet })
    return decodeDelimited(source, request)
  }
  const conversion = await convertFile(
    source.name,
    { path: source.path, folder: workFolder, format, encoding, sheet },
    request.onProgress,
  )
  const { path } = conversion
  const bytes = Bun.file(path).size
  // These formats name their encoding.
  if (conversion.format !== 'csv')
    return { ...conversion, confidence: 1, broken: 0, doubt: null, from: 0, bytes }
  // Delimited text from an archive.
  if (bytes === 0) throw refuse('empty_file', {})
  const inner = decodeDelimited({ path, name: source.name, bytes }, request)
  return { ...inner, decisions: conversion.decisions }
}

function decodeDelimited(source: SourceFile, { options, workFolder }: DecodeRequest): DecodedSource {
  const { markBytes, isUtf8, ...found } = surveyFile(source, options.encoding)
  const decoded = { ...NO_FACTS, ...found, format: 'csv' as const, broken: 0, decisions: [], warnings: [] }
  if (isUtf8) return { ...decoded, path: source.path, from: markBytes, bytes: source.bytes }
  const path = join(workFolder, 'text')
  const broken = decodeToUtf8(source.path, markBytes, found.encoding, path)
  return { ...decoded, path, from: 0, bytes: Bun.file(path).size, broken }
}

/**
 * Unpacks a file and makes records of it, in the converter. Whatever happens there, this process continues.
 * @param name of the file, for messages
 * @throws CommandError `refused` when it cannot be read or exceeds the limits, `usage` for a sheet that does not exist,
 * `failed` when the converter itself fails or the disk is full
 */
export async function convertFile(
  name: string,
  request: ConversionRequest,
  onStep: OnStep = () => {},
): Promise<Conversion> {
  const child = Bun.spawn([...ownProgram, CONVERTER, JSON.stringify(request)], {
    env: childEnvironment(),
    // Held open, and never written to: its end tells the converter that nobody waits any longer.
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [words] = await Promise.all([child.stderr.text(), followSteps(child.stdout, onStep)])
  await child.exited
  const text = readIfThere(join(request.folder, OUTCOME_FILE))
  if (text !== null) {
    const outcome = JSON.parse(text) as ConversionOutcome
    if ('done' in outcome) return outcome.done
    const { kind, message, override, reasons } = outcome.refused
    throw new CommandError(kind, `${name}: ${message}`, override, reasons)
  }
  const limit = readIfThere(join(request.folder, LIMIT_FILE))
  if (limit !== null) throw refuse(limit === 'memory' ? 'needs_memory' : 'took_too_long', {}, name)
  const how = child.signalCode === null ? `exit code ${child.exitCode}` : `signal ${child.signalCode}`
  const failure = refuse('work_ended', {}, `${name}: the process that reads it ended with ${how}`)
  // The converter's output is for the log: publishers read the message.
  failure.cause = words.trim().slice(-LAST_WORDS)
  throw failure
}

function readIfThere(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
