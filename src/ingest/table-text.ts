/** From a file of any format to records in UTF-8 and how they are separated: as it came, or converted. */

import { join } from 'node:path'
import { CommandError } from '../errors.ts'
import type { Definition } from './definition/definition.ts'
import { decodeToUtf8 } from './delimited/decode.ts'
import { type Dialect, detectDialect, holdsRecords, parseDelimiter } from './delimited/dialect.ts'
import type { Sample } from './delimited/sample.ts'
import { type Survey, surveyFile } from './delimited/sniff.ts'
import type { IngestProgress } from './progress.ts'
import type { Conversion } from './source/conversion.ts'
import { convertFile } from './source/convert.ts'
import { type Format, recogniseFile } from './source/file-format.ts'
import { readHead, type SourceFile } from './source/source.ts'

export interface TableRequest {
  readonly source: SourceFile
  readonly workFolder: string
  readonly definition: Definition | null
  readonly encoding?: string | undefined
  readonly delimiter?: string | undefined
  readonly sheet?: string | undefined
  readonly onProgress: (progress: IngestProgress) => void
}

export interface TableText {
  readonly format: Format
  readonly survey: Survey
  readonly dialect: Dialect
  /** In UTF-8: the source itself, or a work file. */
  readonly path: string
  /** Offset behind the byte order mark. */
  readonly from: number
  readonly bytes: number
  readonly sample: Sample
  /** What the converter says; null for delimited text that is read as it came. */
  readonly conversion: Conversion | null
  readonly warnings: readonly string[]
}

const COMMA = 0x2c
const DOUBLE_QUOTE = 0x22
const SAMPLE_BYTES = 1 << 18
const LARGEST_SAMPLE = 1 << 24
/** How the converter writes its records. */
const CONVERTED: Dialect = {
  delimiter: COMMA,
  quote: DOUBLE_QUOTE,
  lineEnd: 'lf',
  confidence: 1,
  recordsAreLines: true,
}

/**
 * @throws CommandError as `surveyFile`, `decodeToUtf8`, `detectDialect` and `convertFile` do; `usage` when a sheet is
 * named for what has none
 */
export async function openTable(request: TableRequest): Promise<TableText> {
  const { source, definition, workFolder } = request
  const format = definition?.read?.format
  const sheet = request.sheet ?? definition?.read?.sheet
  if (source.bytes === 0) throw new CommandError('refused', `${source.name} is empty`)
  const found = recogniseFile(source.path).format
  if (found === 'csv' && (format ?? 'csv') === 'csv') {
    if (sheet !== undefined)
      throw new CommandError(
        'usage',
        `the sheet '${sheet}' was asked for, but ${source.name} is delimited text, and delimited text has none`,
      )
    return openDelimited(request, source)
  }
  if (found === null) surveyFile(source, undefined)
  const encoding = request.encoding ?? definition?.read?.encoding
  const asked = { format, encoding, sheet }
  const conversion = await convertFile(
    source.name,
    { path: source.path, folder: workFolder, ...asked },
    (step) => request.onProgress({ ...step, rows: 0 }),
  )
  return conversion.format === 'csv' ? openUnpacked(request, conversion) : openConverted(request, conversion)
}

function openDelimited(request: TableRequest, source: SourceFile, isKnown = false): TableText {
  const read = request.definition?.read ?? {}
  const survey = surveyFile(source, request.encoding ?? read.encoding, isKnown)
  const text = openText(source, survey, request.workFolder)
  const sample = takeSample(text.path, text.from)
  const delimiter = request.delimiter ?? read.delimiter
  const dialect = detectDialect(sample, {
    delimiter: delimiter === undefined ? undefined : parseDelimiter(delimiter),
    quote: read.quote === undefined ? undefined : read.quote === '' ? -1 : read.quote.charCodeAt(0),
  })
  return { ...text, format: 'csv', survey, dialect, sample, conversion: null }
}

/** Delimited text that was inside of an archive. */
async function openUnpacked(request: TableRequest, conversion: Conversion): Promise<TableText> {
  const { source } = request
  const { path } = conversion
  const bytes = Bun.file(path).size
  if (bytes === 0) throw new CommandError('refused', `${source.name} is an archive of an empty file`)
  const opened = openDelimited(request, { path, name: source.name, bytes }, true)
  return { ...opened, conversion }
}

function openConverted(request: TableRequest, conversion: Conversion): TableText {
  const { encoding, delimiter } = request
  const { format, path, warnings } = conversion
  const isIdle = conversion.header === null && encoding !== undefined
  const idle = [isIdle ? '--encoding' : '', delimiter === undefined ? '' : '--delimiter']
  const ignored = idle
    .filter((option) => option !== '')
    .map((option) => `${option} was left aside: it says nothing about ${format.toUpperCase()}`)
  return {
    format,
    survey: {
      encoding: conversion.encoding,
      ...{ confidence: 1, markBytes: 0, isUtf8: true },
    },
    dialect: CONVERTED,
    path,
    from: 0,
    bytes: Bun.file(path).size,
    sample: takeSample(path, 0),
    conversion,
    warnings: [...warnings, ...ignored],
  }
}

function openText(source: SourceFile, survey: Survey, workFolder: string) {
  if (survey.isUtf8) return { path: source.path, from: survey.markBytes, bytes: source.bytes, warnings: [] }
  const path = join(workFolder, 'text')
  const replaced = decodeToUtf8(source.path, survey.markBytes, survey.encoding, path)
  const warnings =
    replaced === 0 ? [] : [`${replaced} places were not valid ${survey.encoding} and read \ufffd`]
  return { path, from: 0, bytes: Bun.file(path).size, warnings }
}

/**
 * The beginning of the file, longer when its first records are very long. When they seem to have no end, a stray quote
 * is all that joins them, and the beginning tells as much.
 */
function takeSample(path: string, from: number): Sample {
  for (let length = SAMPLE_BYTES; length <= LARGEST_SAMPLE; length *= 4) {
    const sample = readSample(path, from, length)
    if (holdsRecords(sample)) return sample
  }
  return readSample(path, from, SAMPLE_BYTES)
}

function readSample(path: string, from: number, length: number): Sample {
  const bytes = readHead(path, from, length)
  return { bytes, whole: bytes.length < length }
}
