/** Takes gzip and ZIP off a file, once: what comes out is recognised by its own bytes. Runs in the converter. */

import { closeSync, createReadStream, openSync } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import type { Entry } from 'yauzl'
import { CommandError } from '../../base/errors.ts'
import type { Decision } from '../report/decisions.ts'
import { writeFully } from '../report/disk.ts'
import { refuse } from '../report/reasons.ts'
import type { Budget } from './conversion/budget.ts'
import { type ConversionStep, type OnRead, type OnStep, reportReading } from './conversion/conversion.ts'
import { type Recognised, recogniseFile } from './file-format.ts'
import { ZipPackage } from './zip-package.ts'

/** A file without wrapping. */
export interface Unpacked {
  readonly path: string
  readonly kind: Recognised
  /** Open, for a workbook that is a package. */
  readonly archive: ZipPackage | null
  readonly decisions: readonly Decision[]
}

const CHUNK_BYTES = 1 << 18
/** What lies beside data in an archive and is none. */
const BESIDE =
  /(^|\/)(\.[^/]*|__MACOSX\/.*|thumbs\.db|desktop\.ini|(readme|license|licence|licenta|citeste|citeste-ma)[^/]*\.(txt|md))$|\/$|\.(pdf|docx?|odt|rtf|html?|md|png|jpe?g|gif|svg|xsd|xsl|prj|sha256|md5)$/i
const NAMED = 10

/** @throws CommandError `refused` when it is damaged, wrapped twice, or holds no file or several that could be meant */
export async function unpackFile(
  path: string,
  folder: string,
  budget: Budget,
  onStep: OnStep,
): Promise<Unpacked> {
  const outer = recogniseFile(path)
  if (outer.format === 'gzip') {
    const inner = join(folder, 'unpacked')
    await writeChunks(gunzip(path, readingOf('unpacking', path, onStep)), inner, budget)
    return openInner(inner, 'a gzip archive', budget, [], onStep)
  }
  if (outer.format !== 'zip') return { path, kind: outer, archive: null, decisions: [] }
  const archive = await ZipPackage.open(path, budget)
  const workbook = workbookKind(archive)
  archive.onRead = readingOf(workbook ? 'converting' : 'unpacking', path, onStep)
  if (workbook) return { path, kind: workbook, archive, decisions: [] }
  const { entry, decisions } = chooseEntry(archive)
  const inner = join(folder, 'unpacked')
  await writeChunks(archive.read(entry), inner, null)
  archive.close()
  return openInner(inner, 'a ZIP archive', budget, decisions, onStep)
}

async function openInner(
  path: string,
  outer: string,
  budget: Budget,
  decisions: readonly Decision[],
  onStep: OnStep,
): Promise<Unpacked> {
  const kind = recogniseFile(path)
  if (kind.format === 'zip') {
    const archive = await ZipPackage.open(path, budget)
    const workbook = workbookKind(archive)
    archive.onRead = readingOf('converting', path, onStep)
    if (workbook) return { path, kind: workbook, archive, decisions }
  }
  if (kind.format === 'zip' || kind.format === 'gzip')
    throw refuse('nested_archive', {}, `it is ${kind.name} inside of ${outer}`)
  return { path, kind, archive: null, decisions }
}

function readingOf(phase: ConversionStep['phase'], path: string, onStep: OnStep): OnRead {
  return reportReading(phase, Bun.file(path).size, onStep)
}

/** Whether a package is a workbook, by the parts it has; null for any other archive. */
function workbookKind(archive: ZipPackage): Recognised | null {
  if (archive.find('xl/workbook.bin')) throw refuse('xlsb_workbook', {})
  if (archive.find('[Content_Types].xml')) {
    if (archive.find('word/document.xml') || archive.find('ppt/presentation.xml'))
      throw refuse('not_a_table', {}, 'it is a document or a presentation')
    return { format: 'xlsx', name: 'an XLSX workbook' }
  }
  if (archive.find('xl/workbook.xml')) return { format: 'xlsx', name: 'an XLSX workbook' }
  const isOpenDocument =
    archive.find('META-INF/manifest.xml') && (archive.find('content.xml') || archive.find('mimetype'))
  return isOpenDocument ? { format: 'ods', name: 'an ODS spreadsheet' } : null
}

function chooseEntry(archive: ZipPackage): { entry: Entry; decisions: Decision[] } {
  const files = archive.entries.filter(({ fileName }) => !/\/$/.test(fileName))
  const tables = files.filter(({ fileName }) => !BESIDE.test(fileName))
  const candidates = tables.length === 0 && files.length === 1 ? files : tables
  const [entry, ...others] = candidates
  if (!entry) throw refuse('archive_without_table', {})
  if (others.length > 0) {
    const names = candidates.slice(0, NAMED).map(({ fileName }) => `'${fileName}'`)
    throw refuse('archive_of_several', {
      names: `${names.join(', ')}${candidates.length > NAMED ? ' …' : ''}`,
    })
  }
  if (files.length === 1) return { entry, decisions: [] }
  const reason = `'${entry.fileName}' was read, the only table in the ZIP archive; ${files.length - 1} other ${files.length === 2 ? 'file was' : 'files were'} left out`
  return { entry, decisions: [{ kind: 'archive', reason, override: null }] }
}

async function* gunzip(path: string, onRead: OnRead): AsyncGenerator<Uint8Array> {
  const source = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  const unpacking = createGunzip({ chunkSize: CHUNK_BYTES })
  source.on('error', (error) => unpacking.destroy(error))
  try {
    for await (const chunk of source.pipe(unpacking)) {
      onRead(source.bytesRead)
      yield chunk as Uint8Array
    }
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw refuse('damaged_file', {})
  } finally {
    source.destroy()
  }
}

/** @param budget null: the chunks are counted already */
async function writeChunks(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  budget: Budget | null,
): Promise<void> {
  const output = openSync(path, 'wx', 0o600)
  try {
    for await (const chunk of chunks) {
      budget?.take(chunk.length)
      writeFully(output, chunk, path)
    }
  } finally {
    closeSync(output)
  }
}
