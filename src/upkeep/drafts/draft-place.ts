/** Where a process works on a draft, and how it says how far it is. */

import type { IngestProgress } from '../../ingest/report/progress.ts'
import type { SourceFile } from '../../ingest/source/source.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Draft } from '../../store/catalog/drafts.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { DraftFolder } from '../../store/files/draft-folder.ts'
import type { DraftOrder } from './order.ts'

export interface DraftPlace {
  readonly order: DraftOrder
  readonly dataDir: DataDir
  readonly catalog: Catalog
  readonly folder: DraftFolder
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
