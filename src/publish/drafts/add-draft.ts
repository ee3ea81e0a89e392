/** Adds drafts: from an uploaded file, or from an address to fetch one from. */

import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { holdsDomain } from '../../accounts/keys/scopes.ts'
import type { Publisher } from '../../accounts/people/publisher.ts'
import { releasing } from '../../base/closing.ts'
import { ApiError, CommandError } from '../../base/errors.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { freePiece } from '../../http/body.ts'
import { isDiskFull } from '../../read/report/disk.ts'
import { type Draft, type NewDraft, newDraftId } from '../../store/catalog/drafts.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { WorkFolder } from '../../store/files/work-folder.ts'
import { fileNameOf, isAddress, readUrl, showAddress } from '../fetch/address.ts'
import { firstChanges, guessDataset, requireEdition } from './decisions.ts'
import type { Desk } from './desk.ts'
import { keepSource } from './draft-objects.ts'
import { refuseManyDrafts } from './draft-order.ts'
import type { DraftWork } from './draft-work.ts'

/** A command that runs beside the service cannot wake its draft work, which finds the draft by polling. */
export type DraftDesk = Omit<Desk, 'draftWork'> & { readonly draftWork: Pick<DraftWork, 'wake'> }

export interface ReceivedFile {
  readonly path: string
  readonly bytes: number
  /** Holds the file until a draft takes it; the caller releases it. */
  readonly work: WorkFolder
}

/** Bytes received between two checks of the free space. */
const CHECK_DISK_BYTES = 1 << 24

/**
 * Writes an uploaded file to disk piece by piece: it never stays in memory, and a broken one leaves nothing on the disk.
 * @param floor bytes that must stay free on the disk
 * @param declared bytes that the client announced; null: unknown
 * @throws ApiError `service_unavailable` when the disk has no room, `invalid_body` for an empty file; what `pieces` throws
 */
export async function receiveFile(
  dataDir: DataDir,
  pieces: AsyncIterable<Uint8Array>,
  { floor, declared }: { readonly floor: number; readonly declared: number | null },
): Promise<ReceivedFile> {
  refuseFullDisk(dataDir, floor, declared ?? 0)
  const work = dataDir.claimWorkFolder()
  try {
    const path = join(work.path, 'source')
    const bytes = await writePieces(path, pieces, () => refuseFullDisk(dataDir, floor, 0))
    if (bytes === 0) {
      const message = 'The file is empty: send it as the body of the request.'
      throw new ApiError('invalid_body', message, [{ location: 'body', message }])
    }
    return { path, bytes, work }
  } catch (error) {
    work.release()
    throw isDiskFull(error) ? noRoom() : error
  }
}

async function writePieces(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  checkDisk: () => void,
): Promise<number> {
  // Written by the runtime's threads: a stalled disk must not delay other answers.
  const file = await open(path, 'wx', 0o600)
  try {
    let bytes = 0
    let checked = 0
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten
      bytes += piece.length
      freePiece(piece)
      if (bytes - checked < CHECK_DISK_BYTES) continue
      checked = bytes
      checkDisk()
    }
    await file.sync()
    return bytes
  } finally {
    await file.close()
  }
}

function refuseFullDisk(dataDir: DataDir, floor: number, more: number): void {
  if (dataDir.freeBytes() - more < floor) throw noRoom()
}

function noRoom(): ApiError {
  return new ApiError(
    'service_unavailable',
    'The disk of the service has no room for this file. The operator has to make some.',
  )
}

/** Adds a draft of a received file. @throws ApiError as `newDraft` and `refuseManyDrafts` */
export async function addUpload(
  desk: DraftDesk,
  publisher: Publisher,
  { path, bytes, work }: ReceivedFile,
  named: { readonly fileName: string; readonly dataset: string | undefined },
): Promise<Draft> {
  using _ = releasing(work)
  const draft = { ...newDraft(desk, publisher, named), state: 'waiting' as const, bytes, address: null }
  const id = newDraftId()
  await keepSource(desk.dataDir, id, path)
  const added = await desk.catalog.drafts.add(
    draft,
    (held) => refuseManyDrafts(desk.config, held, bytes),
    (folder) => folder.takeSource(path),
    id,
  )
  desk.draftWork.wake()
  return added
}

/** @throws ApiError `invalid_value` for a text that is not an address; as `newDraft` and `refuseManyDrafts` */
export async function addAddress(
  desk: Desk,
  publisher: Publisher,
  source: string,
  dataset: string | undefined,
): Promise<Draft> {
  const address = source.trim()
  const fileName = nameOfAddress(address)
  const known = desk.catalog.sources.list().find((one) => one.address === showAddress(address))?.dataset
  const found = known === undefined ? undefined : desk.catalog.find(known)
  const isOpen = found !== undefined && holdsDomain(publisher.domains, found.domain)
  const named = { fileName, dataset: dataset ?? (isOpen ? known : undefined) }
  const draft = { ...newDraft(desk, publisher, named), state: 'receiving' as const, bytes: null, address }
  const added = await desk.catalog.drafts.add(draft, (held) => refuseManyDrafts(desk.config, held, 0))
  desk.draftWork.wake()
  return added
}

function nameOfAddress(address: string): string {
  try {
    if (isAddress(address)) return fileNameOf(readUrl(address))
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
  }
  const message = `${showAddress(address)} is not an address: it begins with https://, http:// or ckan:`
  throw new ApiError('invalid_value', `${message}.`, [{ location: 'body.source', message: `${message}.` }])
}

/** @throws ApiError `dataset_not_found`, `role_missing`, `scope_missing` when a dataset is named */
function newDraft(
  { catalog, now }: Pick<Desk, 'catalog' | 'now'>,
  publisher: Publisher,
  { fileName, dataset: named }: { readonly fileName: string; readonly dataset: string | undefined },
): Omit<NewDraft, 'state' | 'bytes' | 'address'> {
  const { accountId, keyId } = publisher
  if (named !== undefined) requireEdition(catalog, publisher, named)
  const dataset = named ?? guessDataset(catalog, publisher, fileName)
  const changes = dataset === null ? firstChanges(catalog, publisher, fileName) : {}
  const at = formatTimestamp(now())
  return { accountId, keyId, fileName, dataset, changes, sha256: null, fetched: null, createdAt: at }
}
