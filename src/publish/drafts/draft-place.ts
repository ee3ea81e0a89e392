/** Where a process works on a draft, and how it says how far it is. */

import type { CommandError, Reason } from '../../base/errors.ts'
import type { IngestProgress } from '../../read/report/progress.ts'
import type { SourceFile } from '../../read/source/source.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Draft } from '../../store/catalog/drafts.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { DraftFolder } from '../../store/files/draft-folder.ts'
import { ObjectStoreError } from '../../store/objects/object-store.ts'
import type { DraftOrder } from './order.ts'

export interface DraftPlace {
  readonly order: DraftOrder
  readonly dataDir: DataDir
  readonly catalog: Catalog
  readonly folder: DraftFolder
}

const FILE_CHANGED = 'the file that the service kept is not the one that was sent any more: send it again'
const STORE_AWAY = 'the service cannot reach the place where it keeps files; try again in some minutes'

/** What a publisher is told of a failure: not where the service keeps its data. */
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

/** How far the work is, for whoever asks. */
export function progressWriter(folder: DraftFolder): (progress: IngestProgress) => void {
  let last = Number.NEGATIVE_INFINITY
  return ({ phase, bytes, totalBytes, rows }) => {
    const now = performance.now()
    if (now - last < PROGRESS_MS) return
    last = now
    folder.write('progress.json', JSON.stringify({ phase, bytes, total_bytes: totalBytes, rows }))
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
