/** A draft as publishers see it (contract 10): field names are public (`server/bodies/draft-bodies.ts`). */

import { holdsDomain } from '../../accounts/keys/scopes.ts'
import type { Publisher } from '../../accounts/people/publisher.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import type { DefinitionPart } from '../../read/definition/definition.ts'
import type { Draft } from '../../store/catalog/drafts.ts'
import type { LateNode } from '../../store/catalog/home.ts'
import { datasetEndpoint } from '../../store/catalog/record.ts'
import { showAddress } from '../fetch/address.ts'
import { decided } from './decisions.ts'
import type { Desk } from './desk.ts'
import { DRAFT_MS } from './draft-order.ts'
import type { toProgress } from './draft-place.ts'
import { NOTHING_READ, type StoredReading, storedReading } from './draft-reading.ts'
import { questionsOf } from './questions.ts'

export type DraftSummary = ReturnType<typeof summarizeDraft>

/** `late_nodes`: after a publication, the nodes that do not serve it yet. */
export type DraftBody = ReturnType<typeof describeDraft> & { readonly late_nodes?: readonly LateNode[] }

type DraftShelf = Pick<Desk, 'catalog' | 'dataDir'>

const MOST_CANDIDATES = 20

export function summarizeDraft({ catalog, dataDir }: DraftShelf, draft: Draft) {
  const { id, state, createdAt, changedAt, fileName, bytes, address, version, problem } = draft
  const { id: dataset, domain, title } = decided(catalog, draft)
  const progress = dataDir.draft(id).read('progress.json')
  const endpoint = datasetEndpoint(domain ?? '', dataset)
  return {
    id,
    state,
    problem,
    created_at: createdAt,
    changed_at: changedAt,
    expires_at: formatTimestamp(new Date(Date.parse(changedAt) + DRAFT_MS)),
    file: { name: fileName, bytes },
    source: address === null ? null : showAddress(address),
    dataset: {
      id: dataset,
      domain: domain || null,
      title: title ?? catalog.record(dataset)?.dataset.title ?? null,
    },
    served_version: catalog.find(dataset)?.version ?? null,
    progress: progress === undefined ? null : (JSON.parse(progress) as ReturnType<typeof toProgress>),
    published: version === null ? null : { version, endpoint },
  }
}

/** @param publisher the draft may become an edition of datasets in these domains */
export function describeDraft(shelf: DraftShelf, draft: Draft, { domains }: Pick<Publisher, 'domains'>) {
  const summary = summarizeDraft(shelf, draft)
  const reading = storedReading(shelf.dataDir, draft)
  const { alike, report = null, sheets = [], ...shown } = { ...NOTHING_READ, ...reading }
  const { records, rows, left_out, left_out_names, suspects, notations, difference } = shown
  const definition: DefinitionPart = decided(shelf.catalog, draft)
  const { id, domain } = summary.dataset
  const title = summary.dataset.title ?? report?.title ?? null
  const outdated = draft.state === 'ready' && summary.served_version !== draft.baseVersion
  const found = { outdated, suspects, notations, sheets, candidates: candidatesOf(shelf, alike, domains) }
  const isNew = summary.served_version === null
  const asked = { ...found, state: draft.state, report, domain, isNew, read: definition.read ?? {} }
  return {
    ...summary,
    dataset: { id, domain, title },
    revision: draft.revision,
    read: reading === undefined ? null : { revision: reading.revision, preview: reading.preview },
    served_rows: shelf.catalog.find(id)?.rows ?? null,
    ...found,
    report: report && { ...report, dataset: id, domain: domain ?? '', title: title ?? id },
    records,
    rows,
    left_out,
    left_out_names,
    definition,
    drift: report?.drift ?? null,
    difference,
    questions: questionsOf(asked),
    missing: domain === null ? (['domain'] as const) : [],
  }
}

/** Datasets that a new file may be an edition of, the most alike first. */
function candidatesOf({ catalog }: DraftShelf, alike: StoredReading['alike'], domains: Publisher['domains']) {
  const found = alike.flatMap(({ id, share }) => {
    const { domain, title } = catalog.record(id)?.dataset ?? {}
    return domain === undefined || title === undefined || !holdsDomain(domains, domain)
      ? []
      : [{ id, domain, title, share }]
  })
  return found.slice(0, MOST_CANDIDATES)
}
