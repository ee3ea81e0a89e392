/** Unpacks one layer of gzip or ZIP; the content is recognised by its own bytes. Runs in the converter. */

import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { crc32, createGunzip } from 'node:zlib'
import { type Entry, openPromise } from 'yauzl'
import { CommandError } from '../../base/errors.ts'
import { listSome } from '../../base/text/fit-text.ts'
import type { Decision } from '../report/decisions.ts'
import { refuse } from '../report/reasons.ts'
import type { Budget } from './conversion/budget.ts'
import { type OnRead, type OnStep, reportReading } from './conversion/conversion.ts'
import { type Recognised, recogniseFile } from './file-format.ts'
import { spool } from './source.ts'

/** An unpacked file. */
export interface Unpacked {
  readonly path: string
  readonly kind: Recognised
  /** The open archive, for a workbook that is a package. */
  readonly archive: ZipPackage | null
  readonly decisions: readonly Decision[]
}

const CHUNK_BYTES = 1 << 18
/** Files in archives that accompany data but are not data. */
const BESIDE =
  /(^|\/)(\.[^/]*|__MACOSX\/.*|thumbs\.db|desktop\.ini|(readme|license|licence|licenta|citeste|citeste-ma)[^/]*\.(txt|md))$|\/$|\.(pdf|docx?|odt|rtf|html?|md|png|jpe?g|gif|svg|xsd|xsl|prj|sha256|md5)$/i
const NAMED = 10

/**
 * @param outer the archive that the file was in; null: it is the publisher's file itself
 * @throws CommandError `refused` when it is damaged, packed twice, or contains no table or several files that could be one
 */
export async function unpackFile(
  path: string,
  folder: string,
  budget: Budget,
  onStep: OnStep,
  outer: string | null = null,
): Promise<Unpacked> {
  const kind = recogniseFile(path)
  if (kind.format !== 'gzip' && kind.format !== 'zip') return { path, kind, archive: null, decisions: [] }
  const archive = kind.format === 'zip' ? await openZip(path, budget) : null
  const workbook = archive && workbookKind(archive)
  const onRead = reportReading(workbook ? 'converting' : 'unpacking', Bun.file(path).size, onStep)
  if (archive) archive.onRead = onRead
  if (workbook) return { path, kind: workbook, archive, decisions: [] }
  if (outer !== null) throw refuse('nested_archive', {}, `it is ${kind.name} inside of ${outer}`)
  const chosen = archive && chooseEntry(archive)
  const inner = join(folder, 'unpacked')
  const chunks = chosen ? archive.read(chosen.entry) : gunzip(path, budget, onRead)
  await spool('unpacked', chunks, inner, Number.POSITIVE_INFINITY)
  archive?.close()
  const unpacked = await unpackFile(inner, folder, budget, onStep, kind.name)
  return { ...unpacked, decisions: chosen?.decisions ?? [] }
}

/** Recognises a workbook by the parts of a package; null for any other archive. */
function workbookKind(archive: ZipPackage): Recognised | null {
  if (archive.find('xl/workbook.bin')) throw refuse('xlsb_workbook', {})
  const isOffice = archive.find('[Content_Types].xml')
  if (isOffice && (archive.find('word/document.xml') || archive.find('ppt/presentation.xml')))
    throw refuse('not_a_table', {}, 'it is a document or a presentation')
  if (isOffice || archive.find('xl/workbook.xml')) return { format: 'xlsx', name: 'an XLSX workbook' }
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
    const names = candidates.map(({ fileName }) => `'${fileName}'`)
    throw refuse('archive_of_several', { names: listSome(names, NAMED) })
  }
  if (files.length === 1) return { entry, decisions: [] }
  const reason = `'${entry.fileName}' was read, the only table in the ZIP archive; ${files.length - 1} other ${files.length === 2 ? 'file was' : 'files were'} left out`
  return { entry, decisions: [{ kind: 'archive', reason, override: null }] }
}

async function* gunzip(path: string, budget: Budget, onRead: OnRead): AsyncGenerator<Uint8Array> {
  const source = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  const unpacking = createGunzip({ chunkSize: CHUNK_BYTES })
  source.on('error', (error) => unpacking.destroy(error))
  try {
    for await (const chunk of source.pipe(unpacking)) {
      onRead(source.bytesRead)
      budget.take(chunk.length)
      yield chunk as Uint8Array
    }
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw refuse('damaged_file', {})
  } finally {
    source.destroy()
  }
}

/** A workbook has some dozens of parts, with at most one sheet each. */
const MOST_ENTRIES = 20_000
const ENCRYPTED = 1

export type ZipPackage = Awaited<ReturnType<typeof openZip>>

/**
 * A ZIP archive, read entry by entry: sizes and checksums are verified while reading.
 * @throws CommandError `refused` when it is damaged or has too many entries
 */
async function openZip(path: string, budget: Budget) {
  const entries: Entry[] = []
  const file = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(refuseZip)
  try {
    for await (const entry of file.eachEntry())
      if (entries.push(entry) > MOST_ENTRIES)
        throw refuse('unsafe_file', {}, `a ZIP archive of more than ${MOST_ENTRIES} files`)
  } catch (error) {
    refuseZip(error)
  }
  let doneBytes = 0
  return {
    entries: entries as readonly Entry[],
    /** Receives the number of bytes of the archive read so far. */
    onRead: (() => {}) as OnRead,
    close: () => file.close(),

    /** An entry by its path, ignoring case, as some programs write it differently from how they refer to it. */
    find(path: string): Entry | undefined {
      const wanted = path.replace(/^\/+/, '').toLowerCase()
      return entries.find(({ fileName }) => fileName.replaceAll('\\', '/').toLowerCase() === wanted)
    },

    /** @throws CommandError `refused` when it is damaged, encrypted, or exceeds its budget when unpacked */
    async *read(entry: Entry): AsyncGenerator<Uint8Array> {
      if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0) throw refuse('password_file', {})
      let checksum = 0
      const packed = entry.compressedSize / Math.max(1, entry.uncompressedSize)
      try {
        for await (const chunk of (await file.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
          budget.take(chunk.length)
          checksum = crc32(chunk, checksum)
          doneBytes += chunk.length * packed
          this.onRead(doneBytes)
          yield chunk
        }
      } catch (error) {
        refuseZip(error)
      }
      if (checksum !== entry.crc32 >>> 0)
        throw refuse('damaged_file', {}, `the checksum of ${entry.fileName} is wrong`)
    },
  }
}

function refuseZip(error: unknown): never {
  throw error instanceof CommandError ? error : refuse('damaged_file', {})
}
