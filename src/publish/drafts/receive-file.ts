/** Takes an uploaded file to the disk, piece by piece: nothing of it stays in memory, and nothing of a broken one on the disk. */

import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '../../base/errors.ts'
import { freePiece } from '../../http/body.ts'
import { isDiskFull } from '../../read/report/disk.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { WorkFolder } from '../../store/files/work-folder.ts'

export interface ReceivedFile {
  readonly path: string
  readonly bytes: number
  /** Holds the file until it is taken away; to be released. */
  readonly work: WorkFolder
}

/** How often the free space is looked at, in bytes received. */
const LOOK_AT_DISK = 1 << 24

/**
 * @param floor free bytes that have to stay on the disk
 * @param declared bytes to come, where the client says so
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
    if (bytes === 0) throw empty()
    return { path, bytes, work }
  } catch (error) {
    work.release()
    throw isDiskFull(error) ? noRoom() : error
  }
}

async function writePieces(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  lookAtDisk: () => void,
): Promise<number> {
  // Written by threads of the runtime: a disk that stalls must not hold up other answers.
  const file = await open(path, 'wx', 0o600)
  try {
    let bytes = 0
    let looked = 0
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten
      bytes += piece.length
      freePiece(piece)
      if (bytes - looked < LOOK_AT_DISK) continue
      looked = bytes
      lookAtDisk()
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

function empty(): ApiError {
  const message = 'The file is empty: send it as the body of the request.'
  return new ApiError('invalid_body', message, [{ location: 'body', message }])
}
