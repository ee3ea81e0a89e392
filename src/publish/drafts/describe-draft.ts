/** A draft as publishers see it (contract 10). */

import { formatTimestamp } from '../../base/text/timestamp.ts'
import type { DefinitionPart } from '../../read/definition/definition.ts'
import type { ShownRecord } from '../../read/report/decisions.ts'
import type { IngestProgress } from '../../read/report/progress.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Draft, DraftProblem, DraftState } from '../../store/catalog/drafts.ts'
import type { LateNode } from '../../store/catalog/home.ts'
import { datasetEndpoint, type SampleRow } from '../../store/catalog/record.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { Drift } from '../edition/compare-served.ts'
import type { IngestReport, UnreadReport } from '../edition/report.ts'
import { showAddress } from '../fetch/address.ts'
import { decided } from './decisions.ts'
import { DRAFT_DAYS } from './draft-order.ts'
import { type StoredReading, type Suspects, storedReading } from './draft-reading.ts'

/** A draft in a list. Field names are public. */
export interface DraftSummary {
  readonly id: string
  readonly state: DraftState
  readonly created_at: string
  readonly changed_at: string
  /** When it is removed, unless it is changed before. */
  readonly expires_at: string
  readonly file: { readonly name: string; readonly bytes: number | null }
  /** The address it was fetched from. */
  readonly source: string | null
  /** What the file becomes; the domain is null until it is settled. */
  readonly dataset: { readonly id: string; readonly domain: string | null; readonly title: string | null }
  /** The version served now, of which the file would be the next edition. */
  readonly served_version: number | null
  readonly progress: DraftProgress | null
  /** What was published, or is served already. */
  readonly published: { readonly version: number; readonly endpoint: string } | null
  readonly problem: DraftProblem | null
}

interface DraftProgress {
  readonly phase: IngestProgress['phase']
  readonly bytes: number
  readonly total_bytes: number | null
  readonly rows: number
}

export interface DraftBody extends DraftSummary {
  /** Raised by every PATCH that changes how the file is read. */
  readonly revision: number
  /** What the report speaks of: decisions up to which revision, and whether of the first records alone; null: nothing was read. */
  readonly read: { readonly revision: number; readonly preview: boolean } | null
  /** Another version is served than when it was read. */
  readonly outdated: boolean
  readonly report: IngestReport | UnreadReport | null
  readonly records: readonly ShownRecord[]
  readonly rows: readonly SampleRow[]
  readonly drift: Drift | null
  readonly suspects: readonly Suspects[]
  /** Headers of columns that the definition leaves out. */
  readonly left_out: readonly string[]
  readonly left_out_names: readonly string[]
  /** Of a workbook: the sheets with a value in them. */
  readonly sheets: StoredReading['sheets']
  /** What is decided, by the publisher or the dataset's own definition. */
  readonly definition: DefinitionPart
  /** What has to be decided before it can be published. */
  readonly missing: readonly 'domain'[]
  /** After a publication: nodes that do not serve it yet; left out where there are none. */
  readonly late_nodes?: readonly LateNode[]
}

interface DraftShelf {
  readonly catalog: Catalog
  readonly dataDir: DataDir
}

const DAY_MS = 86_400_000

export function summarizeDraft({ catalog, dataDir }: DraftShelf, draft: Draft): DraftSummary {
  const { id, state, createdAt, changedAt, fileName, bytes, address, version, problem } = draft
  const { id: dataset, domain, title } = decided(catalog, draft)
  const progress = dataDir.draft(id).read('progress.json')
  const endpoint = datasetEndpoint(domain ?? '', dataset)
  return {
    ...{ id, state, problem },
    created_at: createdAt,
    changed_at: changedAt,
    expires_at: formatTimestamp(new Date(Date.parse(changedAt) + DRAFT_DAYS * DAY_MS)),
    file: { name: fileName, bytes },
    source: address === null ? null : showAddress(address),
    dataset: {
      id: dataset,
      domain: domain || null,
      title: title ?? catalog.record(dataset)?.dataset.title ?? null,
    },
    served_version: catalog.find(dataset)?.version ?? null,
    progress: progress === undefined ? null : (JSON.parse(progress) as DraftProgress),
    published: version === null ? null : { version, endpoint },
  }
}

export function describeDraft(shelf: DraftShelf, draft: Draft): DraftBody {
  const summary = summarizeDraft(shelf, draft)
  const reading = storedReading(shelf.dataDir, draft)
  const { revision, preview, report = null, records = [], rows = [], suspects = [] } = reading ?? {}
  const { left_out = [], left_out_names = [], sheets = [] } = reading ?? {}
  const definition = decided(shelf.catalog, draft)
  return {
    ...summary,
    revision: draft.revision,
    read: revision === undefined ? null : { revision, preview: preview === true },
    outdated: draft.state === 'ready' && summary.served_version !== draft.baseVersion,
    report: report && { ...report, domain: summary.dataset.domain ?? '' },
    ...{ records, rows, suspects, left_out, left_out_names, sheets, definition },
    drift: report?.drift ?? null,
    missing: summary.dataset.domain === null ? ['domain'] : [],
  }
}
