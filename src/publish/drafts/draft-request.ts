/** What reading a draft and publishing it ask of an ingest alike: the same file, decoded once, by the same decisions. */

import { join, relative } from 'node:path'
import type { SheetFacts } from '../../read/source/conversion.ts'
import { type DecodedSource, type DecodeOptions, decodeSource } from '../../read/source/decode-source.ts'
import type { Draft } from '../../store/catalog/drafts.ts'
import type { DraftFolder } from '../../store/files/draft-folder.ts'
import type { FetchedSource } from '../fetch/fetch-source.ts'
import type { IngestRequest } from '../ingest.ts'
import type { Asked } from './decisions.ts'
import { type DraftPlace, progressWriter, sourceOf } from './draft-place.ts'
import type { DraftReading } from './reading-report.ts'

/** What `reading.json` holds. */
export interface StoredReading extends DraftReading {
  /** Of the draft, when it was read. */
  readonly revision: number
  /** What was decided then. */
  readonly changes: Draft['changes']
  /** It speaks of the first records alone. */
  readonly preview: boolean
  /** Of a workbook: sheets that could be read. */
  readonly sheets: readonly SheetFacts[]
}

/** The parts of a request to ingest that reading and publishing a draft share. */
export function ingestRequest(
  { folder, order }: DraftPlace,
  draft: Draft,
  asked: Asked,
): Omit<IngestRequest, 'dryRun' | 'acceptDrift'> {
  return {
    file: draft.fileName,
    source: sourceOf(folder, draft),
    fetched: fetchedSource(folder, draft),
    ...{ id: asked.id, domain: asked.domain, read: asked.read },
    knownDefinition: asked.definition,
    settings: order.settings,
    decode: (options) => decodeOnce(folder, draft, options),
    onProgress: progressWriter(folder),
  }
}

/** What the fetch found out, for the ingest. */
function fetchedSource(folder: DraftFolder, draft: Draft): FetchedSource | undefined {
  if (draft.fetched === null) return undefined
  return { ...(draft.fetched as unknown as Omit<FetchedSource, 'source'>), source: sourceOf(folder, draft) }
}

/** The text of the file, as it was decoded the last time where the options are the same. */
export async function decodeOnce(
  folder: DraftFolder,
  draft: Draft,
  options: DecodeOptions,
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
