/**
 * The files of drafts that nodes share: the source as it was sent, and the reading of each revision. The rest is recreated
 * where it is needed. A single data directory needs none of this.
 */

import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError, CommandError } from '../../base/errors.ts'
import { type Draft, isPending } from '../../store/catalog/drafts.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { RemoteFiles } from '../../store/files/remote-files.ts'
import { draftKey } from '../../store/objects/keys.ts'
import { ObjectStoreError } from '../../store/objects/s3-questions.ts'

const SOURCE = 'source'
const DOCUMENTS = ['reading.json', 'quarantine.ndjson', 'repaired.ndjson'] as const
const RETRY_S = 5

/** Stores a received file, before its draft exists. @throws ApiError `service_unavailable` */
export async function keepSource(dataDir: DataDir, id: string, path: string): Promise<void> {
  await orUnavailable(shareSource(dataDir, id, path))
}

/** Stores a fetched file for other nodes. @throws ObjectStoreError */
export async function shareSource({ remote }: DataDir, id: string, path: string): Promise<void> {
  await remote?.keep(draftKey(id, SOURCE), path)
}

/** Brings a draft's source here and makes its folder, before work on the draft. @throws CommandError, ObjectStoreError */
export async function bringSource(dataDir: DataDir, { id, bytes }: Draft): Promise<void> {
  const { remote } = dataDir
  if (remote === null) return
  const folder = dataDir.draft(id)
  folder.create()
  if (bytes === null || existsSync(folder.source)) return
  const isThere = await bringFile(remote, draftKey(id, SOURCE), folder.source)
  if (!isThere) throw new CommandError('failed', 'its file is gone: send it again')
}

/** Stores a draft's reading, before the draft becomes ready. @throws ObjectStoreError */
export async function keepReading(dataDir: DataDir, { id, revision }: Draft): Promise<void> {
  const { remote } = dataDir
  if (remote === null) return
  const folder = dataDir.draft(id)
  for (const name of DOCUMENTS) {
    const path = folder.find(name)
    if (path !== undefined) await remote.keep(draftKey(id, `${revision}/${name}`), path)
  }
  folder.write('read-revision', String(revision))
}

/**
 * Brings a draft's reading here, whichever node made it. While a node reads the draft, the earlier reading stays.
 * @throws ApiError `service_unavailable`
 */
export async function bringReading(dataDir: DataDir, draft: Draft): Promise<void> {
  const { remote } = dataDir
  if (remote === null || draft.state === 'failed') return
  if (isPending(draft) && draft.state !== 'publishing') return
  const { id, revision } = draft
  const folder = dataDir.draft(id)
  if (folder.read('read-revision') === String(revision)) return
  folder.create()
  for (const name of DOCUMENTS) {
    const path = join(folder.path, name)
    const isThere = await orUnavailable(bringFile(remote, draftKey(id, `${revision}/${name}`), path))
    if (!isThere) rmSync(path, { force: true })
  }
  folder.write('read-revision', String(revision))
}

/** Removes the source, which is no longer needed; the reading stays. Never throws: a sweep removes what is left. */
export async function dropSource(dataDir: DataDir, id: string): Promise<void> {
  dataDir.draft(id).dropSource()
  await dataDir.remote?.drop(draftKey(id, SOURCE)).catch(() => {})
}

/** Never throws, like `dropSource`. */
export async function dropDraftObjects({ remote }: DataDir, id: string): Promise<void> {
  await remote?.drop(draftKey(id, '')).catch(() => {})
}

/** Renames the file into place, so nobody reads half of it. */
async function bringFile(remote: RemoteFiles, key: string, path: string): Promise<boolean> {
  const aside = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}`
  const isThere = await remote.bring(key, aside)
  if (isThere) renameSync(aside, path)
  return isThere
}

async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error
    const message = `The service cannot reach the place where it keeps files; try again in ${RETRY_S} s.`
    throw new ApiError('service_unavailable', message, undefined, RETRY_S)
  }
}
