/**
 * The process that works on one draft: the program started again, at a lower priority and with limits on memory and time, so
 * that no file can take the service down or delay its answers. It takes the draft's lock, which the system frees however it
 * ends; a draft that waits for a process and whose lock is free is taken up again.
 */

import { writeFileSync } from 'node:fs'
import { constants, setPriority, totalmem } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../../base/errors.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { because } from '../../read/report/reasons.ts'
import { watchLimits } from '../../read/source/conversion/converter-limits.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { type Draft, type DraftProblem, isPending } from '../../store/catalog/drafts.ts'
import { openCatalog } from '../../store/catalog/open-catalog.ts'
import { DataDir } from '../../store/files/data-dir.ts'
import type { DraftFolder } from '../../store/files/draft-folder.ts'
import { holdFolder } from '../../store/files/folder-use.ts'
import { openObjects } from '../../store/objects/open-objects.ts'
import { type DraftLock, lockDraft } from './draft-locks.ts'
import { bringReading, bringSource } from './draft-objects.ts'
import { DATABASE_VARIABLE, type DraftOrder, MOST_ATTEMPTS, MOST_RESTARTS } from './draft-order.ts'
import { type DraftPlace, sayToPublisher } from './draft-place.ts'
import { publishDraft } from './publish-draft.ts'
import { readDraft } from './read-draft.ts'

/** Of the machine's memory, or of the container's: two files are read at a time, and the service goes on. */
const MEMORY_SHARE = 0.4
const LEAST_MEMORY = 2 ** 29
const MOST_MEMORY = 2 ** 31
const SECONDS = 120
const SECONDS_PER_MEGABYTE = 2
/** A fetch has limits of its own (`publish/fetch/watch.ts`). */
const FETCH_SECONDS = 3600

type Failure = Pick<DraftProblem, 'message' | 'reasons'>

const LIMITS: Readonly<Record<string, Failure>> = {
  memory: {
    message: 'it needs more memory than a file may take; save the table alone, as CSV, and send that',
    reasons: because('needs_memory', {}),
  },
  time: {
    message: 'it took too long to be read; save the table alone, as CSV, and send that',
    reasons: because('took_too_long', {}),
  },
}

/** @param text a `DraftOrder` as JSON */
export async function workOnDraft(text: string): Promise<void> {
  const order = JSON.parse(text) as DraftOrder
  setPriority(constants.priority.PRIORITY_LOW)
  offerMemory()
  const dataDir = new DataDir(order.data)
  holdFolder(dataDir)
  const objects = openObjects(dataDir, order.settings)
  const database_url = process.env[DATABASE_VARIABLE] ?? null
  const catalog = await openCatalog(dataDir, { ...order.settings, database_url })
  let locks: DraftLock | null = null
  try {
    await catalog.catchUp()
    const draft = await catalog.drafts.find(order.draft)
    if (draft === undefined || !isPending(draft)) return
    if (objects !== null) dataDir.draft(draft.id).create()
    locks = await lockDraft({ catalog, dataDir }, draft)
    if (locks === null) return
    const folder = dataDir.draft(draft.id)
    const claimed = await claim(catalog, folder, draft)
    if (claimed !== undefined) await work({ order, dataDir, catalog, folder, now: () => new Date() }, claimed)
  } finally {
    await locks?.release()
    catalog.close()
    objects?.close()
  }
}

/** The draft, its attempt counted; undefined when there is nothing to do, or it was tried often enough. */
async function claim(catalog: Catalog, folder: DraftFolder, { id }: Draft): Promise<Draft | undefined> {
  const limit = folder.read('limit')
  folder.drop('limit')
  let isClaimed = false
  const draft = await catalog.drafts.change(id, (current) => {
    isClaimed = false
    if (!isPending(current)) return null
    if (limit !== undefined && LIMITS[limit] !== undefined) return giveUp(current, LIMITS[limit])
    if (current.attempts >= MOST_ATTEMPTS || current.restarts >= MOST_RESTARTS)
      return giveUp(current, {
        message:
          'the process that worked on it was ended again and again: this may be a fault of the service, and not of the file',
        reasons: because('work_ended', {}),
      })
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
    memoryBytes: memoryLimit(),
    seconds: SECONDS + SECONDS_PER_MEGABYTE * ((draft.bytes ?? 0) / 1e6) + (isToFetch ? FETCH_SECONDS : 0),
    reasonFile: join(folder.path, 'limit'),
  })
  try {
    await bringSource(place.dataDir, draft)
    if (draft.state === 'publishing') await bringReading(place.dataDir, draft)
    await (draft.state === 'publishing' ? publishDraft(place, draft) : readDraft(place, draft))
  } catch (error) {
    const failure: Failure =
      error instanceof CommandError
        ? sayToPublisher(place, error)
        : {
            message: 'the service failed with it; its log has the reason',
            reasons: because('work_ended', {}),
          }
    await catalog.drafts.change(draft.id, (current) =>
      isPending(current) && current.revision === draft.revision ? giveUp(current, failure) : null,
    )
    if (!(error instanceof CommandError) || error.cause !== undefined) throw error
  } finally {
    folder.drop('progress.json')
  }
}

/** Where memory runs out, Linux ends this process before the service. */
function offerMemory(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Other systems have no such file, and some containers keep it closed.
  }
}

/** In bytes. */
function memoryLimit(): number {
  const constrained = process.constrainedMemory()
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return Math.min(MOST_MEMORY, Math.max(LEAST_MEMORY, MEMORY_SHARE * memory))
}

/** What was read of a draft stays when its publication fails. */
function giveUp({ state }: Draft, { message, reasons = [] }: Failure): Partial<Omit<Draft, 'id'>> {
  const problem = { code: 'internal_error', message, reasons } as const
  const changedAt = formatTimestamp(new Date())
  return state === 'publishing'
    ? { state: 'ready', answers: null, problem, changedAt }
    : { state: 'failed', problem, changedAt }
}
