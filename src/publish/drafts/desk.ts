/** What publishers do with a draft, from reading it to publishing it. */

import { type Publisher, requireDomain } from '../../accounts/people/publisher.ts'
import { ApiError } from '../../base/errors.ts'
import { ownRound } from '../../base/own-round.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import type { Definition } from '../../read/definition/definition.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { type Draft, type DraftProblem, isOwn, isPending } from '../../store/catalog/drafts.ts'
import type { IngestReport } from '../edition/compose-report.ts'
import { refusePrivateSchedule } from '../fetch/request.ts'
import { noteOutcome } from '../ingest.ts'
import {
  changeReading,
  decided,
  editionOf,
  haveOneBase,
  mergeChanges,
  resultingDefinition,
} from './decisions.ts'
import { bringReading, dropDraftObjects, dropSource } from './draft-objects.ts'
import { type StoredReading, storedReading } from './draft-reading.ts'
import type { DraftWork, DraftWorkOptions } from './draft-work.ts'
import { type Answers, describeRefusals, OUTDATED, unanswered } from './questions.ts'

export interface Desk extends Pick<DraftWorkOptions, 'catalog' | 'dataDir' | 'config' | 'now'> {
  readonly draftWork: DraftWork
}

/** How long a request waits for a draft's process before it answers with the progress so far. */
const LONGEST_WAIT_S = 25
/** The pause between two polls: a twentieth of the time waited so far, within these limits. */
const POLL_MS = 50
const LONGEST_POLL_MS = 500

/**
 * @returns the caller's draft; its reading is in its folder
 * @throws ApiError `draft_not_found`, also for another owner's draft
 */
export async function requireDraft(
  { catalog, dataDir }: Pick<Desk, 'catalog' | 'dataDir'>,
  publisher: Publisher,
  id: string,
): Promise<Draft> {
  const draft = await catalog.drafts.find(id)
  if (draft !== undefined && isOwn(draft, publisher)) {
    await bringReading(dataDir, draft)
    return draft
  }
  throw new ApiError('draft_not_found', 'You have no such draft; it may have been removed after 7 days.')
}

/** Decisions about a draft: fields of a definition, null to take one back, and the dataset that it is an edition of. */
export interface Decisions extends Readonly<Record<string, unknown>> {
  /** null: of none; the draft becomes a new dataset. */
  readonly dataset?: string | null
}

/**
 * Adds decisions to a draft, and has it read again where they change its rows.
 * @throws ApiError `draft_not_ready`, `invalid_body`, `dataset_not_found`, `role_missing`, `scope_missing`
 */
export async function decide(
  desk: Desk,
  publisher: Publisher,
  draft: Draft,
  { dataset, ...part }: Decisions,
): Promise<Draft> {
  await refusePrivateSchedule(desk.config, draft.changes, part)
  const changedAt = formatTimestamp(desk.now())
  const changed = await desk.catalog.drafts.change(draft.id, (current) => {
    requireState(current, (state) => !['publishing', 'published', 'unchanged'].includes(state))
    const chosen = dataset === undefined ? current : editionOf(desk.catalog, publisher, current, dataset)
    const changes = mergeChanges(chosen.changes, part)
    const next = { ...current, dataset: chosen.dataset, changes }
    refuseOtherDomain(desk.catalog, publisher, next)
    const isOnlyText =
      chosen.dataset === current.dataset &&
      Object.keys(part).length > 0 &&
      haveOneBase(desk.catalog, current, next) &&
      !changeReading(current.changes, changes)
    const served = desk.catalog.find(decided(desk.catalog, current).id)?.version ?? null
    // The reading stays valid.
    if (isOnlyText && (current.state === 'ready' ? served === current.baseVersion : isPending(current)))
      return { changes, problem: null, changedAt }
    const isFetched = current.address === null || current.fetched !== null
    return {
      ...{ changes, changedAt, dataset: chosen.dataset },
      problem: null,
      answers: null,
      attempts: 0,
      restarts: 0,
      revision: current.revision + 1,
      state: isFetched ? ('waiting' as const) : ('receiving' as const),
    }
  })
  if (changed === undefined) throw gone()
  // A fetch continues; its file is read by the new decisions.
  if (changed.state === 'waiting' && changed.revision !== draft.revision)
    void desk.draftWork.interrupt(draft.id)
  desk.draftWork.wake()
  return changed
}

/** @throws ApiError `role_missing`, `scope_missing`; `invalid_body` when the id is published in another domain */
function refuseOtherDomain(catalog: Catalog, publisher: Publisher, draft: Draft): void {
  const { id, domain } = decided(catalog, draft)
  const served = catalog.find(id)
  if (served !== undefined) requireDomain(publisher, served.domain)
  if (domain !== undefined) requireDomain(publisher, domain)
  if (served === undefined || domain === undefined || served.domain === domain) return
  const message = `'${id}' is published in the domain '${served.domain}', and an id exists only once: leave the domain, or give this dataset another id.`
  throw new ApiError('invalid_body', message, [{ location: 'body.domain', message }])
}

/**
 * Requests a draft's publication, and waits for it up to `LONGEST_WAIT_S`.
 * @returns the draft: published, unchanged, or still being published
 * @throws ApiError `draft_not_ready`, `draft_outdated`, the refusals of gates, `role_missing`, `scope_missing`
 */
export async function askToPublish(
  desk: Desk,
  publisher: Publisher,
  draft: Draft,
  answers: Answers,
): Promise<Draft> {
  let refused: IngestReport | undefined
  const asked = await desk.catalog.drafts.change(draft.id, (current) => {
    requireState(current, (state) => state === 'ready')
    const reading = refusePublication(desk, publisher, current)
    const { columns } = reading.report
    const { allow_personal_data: allowed } = answers
    const names = Array.isArray(allowed) ? allowed : []
    const unknown = names.find((name) => !columns.some((column) => column.name === name))
    if (unknown !== undefined) {
      const message = `The draft has no column '${unknown}'.`
      throw new ApiError('invalid_body', message, [{ location: 'body.allow_personal_data', message }])
    }
    refused = unanswered(reading.report.refusals, answers).length > 0 ? reading.report : undefined
    if (refused !== undefined) return null
    const changedAt = formatTimestamp(desk.now())
    const { baseVersion: version } = current
    if (reading.report.unchanged && Bun.deepEquals(reading.changes, current.changes))
      return { state: 'unchanged', version, problem: null, changedAt }
    const begun = { attempts: 0, restarts: 0, problem: null, changedAt }
    return { state: 'publishing', answers: { ...answers }, ...begun }
  })
  if (asked === undefined) throw gone()
  if (refused !== undefined) {
    const { id: dataset, domain = '' } = decided(desk.catalog, asked)
    await noteOutcome(desk, { ...refused, dataset, domain, unchanged: false })
    throw toError(describeRefusals(refused.refusals, answers))
  }
  if (asked.state === 'unchanged') await dropSource(desk.dataDir, draft.id)
  desk.draftWork.wake()
  const done = await settled(desk, draft.id, LONGEST_WAIT_S)
  if (done === undefined) throw gone()
  if (done.problem !== null) throw toError(done.problem)
  return done
}

/** Refuses what is known to be wrong before anything is written. @returns the reading */
function refusePublication(
  desk: Desk,
  publisher: Publisher,
  draft: Draft,
): StoredReading & { readonly report: IngestReport } {
  const { catalog, dataDir } = desk
  const { id, domain } = decided(catalog, draft)
  const reading = storedReading(dataDir, draft)
  if (reading === undefined || reading.report.dialect === null) throw notReady(draft)
  const { report } = reading
  if (domain === undefined || domain === '') {
    const message = 'The draft needs a domain: PATCH it with {"domain": …} first.'
    throw new ApiError('draft_not_ready', message, [{ location: 'draft.domain', message }])
  }
  refuseOtherDomain(catalog, publisher, draft)
  const served = catalog.find(id)?.version ?? null
  if (served !== draft.baseVersion) throw toError(OUTDATED)
  return { ...reading, report }
}

/**
 * The definition that results from a draft.
 * @throws ApiError `draft_not_ready` unless it was read
 */
export function definitionOf(
  { catalog, dataDir }: Pick<Desk, 'catalog' | 'dataDir'>,
  draft: Draft,
): Definition {
  requireState(draft, (state) => ['ready', 'published', 'unchanged'].includes(state))
  const { report } = storedReading(dataDir, draft) ?? {}
  if (report === undefined || report.dialect === null) throw notReady(draft)
  return resultingDefinition(catalog, draft, report)
}

/** @throws ApiError `draft_not_ready` while it is being published */
export async function discard({ catalog, dataDir, draftWork }: Desk, { id }: Draft): Promise<void> {
  await catalog.drafts.remove(id, (current) => requireState(current, (state) => state !== 'publishing'))
  await draftWork.interrupt(id)
  // The process may have written after the folder was removed.
  dataDir.draft(id).remove()
  await dropDraftObjects(dataDir, id)
}

/** The draft once no process works on it, or as it is after that many seconds; undefined when it is gone. */
export async function settled(
  { catalog }: Pick<Desk, 'catalog'>,
  id: string,
  seconds: number,
): Promise<Draft | undefined> {
  const start = performance.now()
  for (;;) {
    const state = await catalog.drafts.stateOf(id)
    const waited = performance.now() - start
    if (state === undefined || !isPending({ state }) || waited >= Math.min(seconds, LONGEST_WAIT_S) * 1000)
      break
    await Bun.sleep(Math.min(LONGEST_POLL_MS, Math.max(POLL_MS, waited / 20)))
  }
  // Many requests may wait for one draft, and each of them describes it now.
  await ownRound()
  return await catalog.drafts.find(id)
}

function requireState(draft: Draft, isRight: (state: Draft['state']) => boolean): void {
  if (!isRight(draft.state)) throw notReady(draft)
}

function notReady({ state }: Pick<Draft, 'state'>): ApiError {
  return new ApiError('draft_not_ready', `This cannot be done with a draft in the state '${state}'.`)
}

function gone(): ApiError {
  return new ApiError('draft_not_found', 'The draft was removed meanwhile.')
}

function toError({ code, message, detail }: DraftProblem): ApiError {
  return new ApiError(code, message, detail)
}
