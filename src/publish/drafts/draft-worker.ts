/**
 * The process that works on one draft: the program started again, at a lower priority and with limits on memory and time,
 * so no file can take the service down or delay its answers. It holds the draft's lock, which the system frees however the
 * process ends; a waiting draft whose lock is free is taken up again.
 */

import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { releasing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { machineMemory } from '../../base/process/machine.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import type { Definition } from '../../read/definition/definition.ts'
import { refuse } from '../../read/report/reasons.ts'
import { watchLimits } from '../../read/source/conversion/budget.ts'
import { type Catalog, openCatalog } from '../../store/catalog/catalog.ts'
import { type Draft, type DraftProblem, isPending, markPublished } from '../../store/catalog/drafts.ts'
import { DataDir } from '../../store/files/data-dir.ts'
import type { DraftFolder } from '../../store/files/draft-folder.ts'
import { holdFolder } from '../../store/files/folder-use.ts'
import { openObjects } from '../../store/objects/open-objects.ts'
import { settleEdition } from '../edition/edition.ts'
import { showAddress } from '../fetch/address.ts'
import { ingestEdition } from '../ingest.ts'
import { type Asked, askedOf, decided, resultingDefinition } from './decisions.ts'
import { lockDraft } from './draft-locks.ts'
import { bringReading, bringSource, dropSource } from './draft-objects.ts'
import { DATABASE_VARIABLE, type DraftOrder, MOST_ATTEMPTS, MOST_RESTARTS } from './draft-order.ts'
import { type DraftPlace, decodeOnce, findDraftFile, progressWriter, sayToPublisher } from './draft-place.ts'
import { storedReading } from './draft-reading.ts'
import { type Answers, describeRefusals, OUTDATED } from './questions.ts'
import { readDraft } from './read-draft.ts'

/** Share of the memory of the machine or container: two files are read at a time, and the service needs the rest. */
const MEMORY_SHARE = 0.4
const LEAST_MEMORY = 2 ** 29
const MOST_MEMORY = 2 ** 31
const SECONDS = 120
const SECONDS_PER_MEGABYTE = 2
/** A fetch has its own limits (`publish/fetch/watch.ts`). */
const FETCH_SECONDS = 3600

type Failure = Pick<DraftProblem, 'message' | 'reasons'>

/**
 * @param text a `DraftOrder` as JSON
 * @param published called once the draft is a served version; must not fail
 */
export async function workOnDraft(
  text: string,
  published: (place: Pick<DraftPlace, 'catalog' | 'dataDir'>, dataset: string) => Promise<void>,
): Promise<void> {
  const order = JSON.parse(text) as DraftOrder
  setPriority(constants.priority.PRIORITY_LOW)
  try {
    // Where memory runs out, Linux ends this process before the service.
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Other systems have no such file, and some containers do not let it be written.
  }
  const dataDir = new DataDir(order.data)
  holdFolder(dataDir)
  await using ends = new AsyncDisposableStack()
  const objects = openObjects(dataDir, order.settings)
  ends.defer(() => objects?.close())
  const database_url = process.env[DATABASE_VARIABLE] ?? null
  const catalog = await openCatalog(dataDir, { ...order.settings, database_url })
  ends.defer(() => catalog.close())
  await catalog.catchUp()
  const draft = await catalog.drafts.find(order.draft)
  if (draft === undefined || !isPending(draft)) return
  if (objects !== null) dataDir.draft(draft.id).create()
  const locks = await lockDraft({ catalog, dataDir }, draft)
  if (locks === null) return
  ends.defer(() => locks.release())
  const folder = dataDir.draft(draft.id)
  const claimed = await claim(catalog, folder, draft)
  if (claimed === undefined) return
  await work({ order, dataDir, catalog, folder, now: () => new Date() }, claimed)
  const after = await catalog.drafts.find(draft.id)
  if (after?.state === 'published') await published({ catalog, dataDir }, decided(catalog, after).id)
}

/** Counts an attempt; undefined when there is nothing to do or the draft has used up its attempts. */
async function claim(catalog: Catalog, folder: DraftFolder, { id }: Draft): Promise<Draft | undefined> {
  const limit = folder.read('limit')
  folder.drop('limit')
  let isClaimed = false
  const draft = await catalog.drafts.change(id, (current) => {
    isClaimed = false
    if (!isPending(current)) return null
    if (limit === 'memory' || limit === 'time')
      return giveUp(current, refuse(limit === 'memory' ? 'needs_memory' : 'took_too_long', {}))
    if (current.attempts >= MOST_ATTEMPTS || current.restarts >= MOST_RESTARTS)
      return giveUp(current, refuse('work_ended', {}))
    isClaimed = true
    const state = current.state === 'waiting' ? 'reading' : current.state
    return { state, attempts: current.attempts + 1 }
  })
  return isClaimed ? draft : undefined
}

async function work(place: DraftPlace, draft: Draft): Promise<void> {
  const { catalog, folder } = place
  const isToFetch = draft.address !== null && draft.fetched === null
  watchLimits({
    memoryBytes: Math.min(MOST_MEMORY, Math.max(LEAST_MEMORY, MEMORY_SHARE * machineMemory())),
    seconds: SECONDS + SECONDS_PER_MEGABYTE * ((draft.bytes ?? 0) / 1e6) + (isToFetch ? FETCH_SECONDS : 0),
    reasonFile: join(folder.path, 'limit'),
  })
  try {
    await bringSource(place.dataDir, draft)
    if (draft.state === 'publishing') await bringReading(place.dataDir, draft)
    await (draft.state === 'publishing' ? publishDraft(place, draft) : readDraft(place, draft))
  } catch (error) {
    const failure: Failure =
      error instanceof CommandError ? sayToPublisher(place, error) : refuse('work_ended', {})
    await catalog.drafts.change(draft.id, (current) =>
      isPending(current) && current.revision === draft.revision ? giveUp(current, failure) : null,
    )
    if (!(error instanceof CommandError) || error.cause !== undefined) throw error
  } finally {
    folder.drop('progress.json')
  }
}

/** When a publication fails, the draft is ready again: its reading stays. */
function giveUp({ state }: Draft, { message, reasons = [] }: Failure): Partial<Omit<Draft, 'id'>> {
  const problem = { code: 'internal_error', message, reasons } as const
  const changedAt = formatTimestamp(new Date())
  return state === 'publishing'
    ? { state: 'ready', answers: null, problem, changedAt }
    : { state: 'failed', problem, changedAt }
}

/** Publishes a draft as the command `ingest` would: with its gates and in its transaction, which also changes the draft. */
async function publishDraft(place: DraftPlace, draft: Draft): Promise<void> {
  const { catalog, dataDir, folder, order } = place
  const { id, baseVersion } = draft
  const answers = (draft.answers ?? {}) as Answers
  const asked = askedOf(catalog, draft)
  const { max_quarantine: maxQuarantine, max_mended: maxMended } = answers
  const limits = { maxQuarantine: maxQuarantine ?? undefined, maxMended: maxMended ?? undefined }
  try {
    // An earlier process may have been killed after it moved the version file into place, before it committed.
    catalog.sweep()
    const definition = definitionOf(place, draft, asked, answers)
    const known = catalog.sources.find(asked.id)
    using work = releasing(dataDir.claimWorkFolder())
    const edition = await settleEdition(place, findDraftFile(folder, draft), {
      file: draft.fileName,
      id: asked.id,
      domain: asked.domain,
      knownDefinition: definition,
      // Not the address that the operator set.
      byPublisher:
        known === undefined ||
        known.byPublisher ||
        known.options.by_publisher === true ||
        known.address !== showAddress(draft.address ?? definition?.source_url ?? ''),
      ...limits,
    })
    const report = await ingestEdition(place, edition, {
      decoded: await decodeOnce(folder, draft, edition.identity.definition?.read),
      workFolder: work.path,
      settings: order.settings,
      acceptDrift: answers.accept_drift,
      acceptShrink: answers.accept_shrink,
      ...limits,
      publication: {
        expected: baseVersion,
        alongside: (tx, version) => markPublished(tx, id, version, formatTimestamp(place.now())),
      },
      onProgress: progressWriter(folder),
    })
    if (report.refusals.length > 0) await putBack(place, draft, describeRefusals(report.refusals, answers))
    else if (report.unchanged) {
      const { version } = report
      const changedAt = formatTimestamp(new Date())
      await catalog.drafts.change(id, () => ({ state: 'unchanged', version, problem: null, changedAt }))
    }
  } catch (error) {
    const served = catalog.find(asked.id)?.version ?? null
    if (!(error instanceof CommandError) || served === baseVersion) throw error
    await putBack(place, draft, OUTDATED)
  }
  if ((await catalog.drafts.find(id))?.state !== 'ready') await dropSource(dataDir, id)
}

/**
 * The definition that is kept with the version. Where nothing was decided, the dataset's own stays, so the same file is
 * recognized as unchanged.
 */
function definitionOf(
  { catalog, dataDir }: DraftPlace,
  draft: Draft,
  asked: Asked,
  answers: Answers,
): Definition | null {
  const { report } = storedReading(dataDir, draft) ?? {}
  if (report === undefined || report.dialect === null) throw new Error(`the draft ${draft.id} was not read`)
  const isDecided = Object.keys(draft.changes).length > 0
  if (!isDecided && report.unchanged) return asked.definition
  const own = isDecided ? null : asked.definition
  const definition = own ?? resultingDefinition(catalog, draft, report)
  const { allow_personal_data: allowed = [] } = answers
  const columns = allowed === true ? report.personal_data.map(({ column }) => column) : allowed || []
  if (columns.length === 0) return definition
  return { ...definition, personal_data: [...new Set([...(definition.personal_data ?? []), ...columns])] }
}

async function putBack({ catalog }: DraftPlace, draft: Draft, problem: DraftProblem): Promise<void> {
  await catalog.drafts.change(draft.id, () => ({ state: 'ready', answers: null, problem }))
}
