/** What a draft's process works with: the file, decoded once, and the progress it writes. */

import { join, relative } from 'node:path'
import type { CommandError, Reason } from '../../base/errors.ts'
import type { IngestProgress } from '../../read/report/progress.ts'
import { type DecodedSource, type DecodeOptions, decodeSource } from '../../read/source/decode-source.ts'
import type { SourceFile } from '../../read/source/source.ts'
import type { Draft } from '../../store/catalog/drafts.ts'
import type { DraftFolder } from '../../store/files/draft-folder.ts'
import { ObjectStoreError } from '../../store/objects/s3-questions.ts'
import type { Workplace } from '../edition/edition.ts'
import type { FoundSource } from '../edition/source-record.ts'
import type { FetchedSource } from '../fetch/fetch-source.ts'
import type { DraftOrder } from './draft-order.ts'

export interface DraftPlace extends Workplace {
  readonly order: DraftOrder
  readonly folder: DraftFolder
}

const FILE_CHANGED = 'the file that the service kept is no longer the one that was sent: send it again'
const STORE_AWAY = 'the service cannot reach the place where it keeps files; try again in some minutes'

/** A failure in words for the publisher, without the path of the data directory. */
export function sayToPublisher(
  { order }: Pick<DraftPlace, 'order'>,
  error: CommandError,
): Pick<CommandError, 'message' | 'reasons'> {
  if (error instanceof ObjectStoreError)
    return { message: error.trouble === 'damaged' ? FILE_CHANGED : STORE_AWAY, reasons: [] }
  const { message, reasons } = error
  const plain = (text: string) => text.replaceAll(order.data, '<data>')
  const values = (known: Reason['values']) =>
    Object.entries(known).map(([name, value]) => [name, typeof value === 'string' ? plain(value) : value])
  return {
    message: plain(message),
    reasons: reasons.map((reason) => ({ ...reason, values: Object.fromEntries(values(reason.values)) })),
  }
}

const PROGRESS_MS = 200

export function toProgress({ phase, bytes, totalBytes: total_bytes, rows }: IngestProgress) {
  return { phase, bytes, total_bytes, rows }
}

/** Writes the progress to the draft's folder, at most every `PROGRESS_MS`. */
export function progressWriter(folder: DraftFolder): (progress: IngestProgress) => void {
  let last = Number.NEGATIVE_INFINITY
  return (progress) => {
    const now = performance.now()
    if (now - last < PROGRESS_MS) return
    last = now
    folder.write('progress.json', JSON.stringify(toProgress(progress)))
  }
}

export function sourceOf(folder: DraftFolder, { fileName: name, bytes, sha256 }: Draft): SourceFile {
  return {
    path: folder.source,
    name,
    bytes: bytes ?? folder.sourceBytes(),
    ...(sha256 !== null && { sha256 }),
  }
}

/** The draft's file, with what its fetch found, for an ingest that starts now. */
export function findDraftFile(folder: DraftFolder, draft: Draft): FoundSource {
  const source = sourceOf(folder, draft)
  const about = draft.fetched as unknown as Omit<FetchedSource, 'source'> | null
  return { source, fetched: about && { ...about, source }, started: performance.now() }
}

/** The file's decoded text; that of the last reading where the options are the same. */
export async function decodeOnce(
  folder: DraftFolder,
  draft: Draft,
  options: DecodeOptions = {},
): Promise<DecodedSource> {
  const { format = null, encoding = null, sheet = null } = options
  const key = JSON.stringify([format, encoding, sheet])
  const stored = folder.read('decoded.json')
  const known =
    stored === undefined ? undefined : (JSON.parse(stored) as { key: string; decoded: DecodedSource })
  if (known?.key === key) return { ...known.decoded, path: join(folder.path, known.decoded.path) }
  folder.drop('decoded.json')
  const workFolder = folder.freshTextFolder()
  const source = sourceOf(folder, draft)
  const decoded = await decodeSource({ source, workFolder, options, onProgress: progressWriter(folder) })
  const kept = { ...decoded, path: relative(folder.path, decoded.path) }
  folder.write('decoded.json', JSON.stringify({ key, decoded: kept }))
  return decoded
}
