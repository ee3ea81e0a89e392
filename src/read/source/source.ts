/** The file that an ingest reads: opened, or spooled from standard input, always seekable. */

import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { atEnd } from '../../base/closing.ts'
import { sha256File } from '../../base/crypto/sha256.ts'
import { CommandError } from '../../base/errors.ts'
import { systemFailure } from '../../base/text/system-failure.ts'
import { readFully, writeFully } from '../report/disk.ts'
import { refuse } from '../report/reasons.ts'

export interface SourceFile {
  /** A path from which any offset can be read. */
  readonly path: string
  /** Its name in provenance: the last part of its path. */
  readonly name: string
  readonly bytes: number
  /** When a file of others was last modified, at the time it was opened, in ms; left out for our own copies. */
  readonly modified?: number
  /** Lower-case hex, if known already. */
  readonly sha256?: string
}

const READ_BYTES = 1 << 20

/**
 * @param file a path, or `-` for standard input
 * @param workFolder receives a copy, of at most `maxBytes`, of what cannot be read twice
 * @throws CommandError `failed` when it cannot be read, or the disk has no room for the copy
 */
export async function openSource(file: string, workFolder: string, maxBytes: number): Promise<SourceFile> {
  const copy = (name: string, pieces: AsyncIterable<Uint8Array>) =>
    spool(name, pieces, join(workFolder, 'source'), maxBytes)
  if (file === '-') return await copy('stdin', Bun.stdin.stream())
  const name = basename(file)
  // Opened asynchronously, as a pipe waits for its writer.
  const input = await open(file, 'r').catch((error: unknown) => {
    throw systemFailure(`${file} cannot be read`, error)
  })
  try {
    const stat = await input.stat()
    if (stat.isDirectory()) throw new CommandError('failed', `${file} is a folder, not a file`)
    if (stat.isFile()) return { path: file, name, bytes: stat.size, modified: stat.mtimeMs }
    return await copy(name, piecesOf(input))
  } finally {
    await input.close()
  }
}

/** Pipes and devices can be read only once. A piece is overwritten by the next one. */
async function* piecesOf(input: FileHandle): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(READ_BYTES)
  for (;;) {
    const { bytesRead } = await input.read(chunk, 0, READ_BYTES, null)
    if (bytesRead === 0) return
    yield chunk.subarray(0, bytesRead)
  }
}

/** Writes pieces to a file that must not exist. @param name for messages */
export async function spool(
  name: string,
  pieces: AsyncIterable<Uint8Array>,
  path: string,
  maxBytes: number,
): Promise<SourceFile> {
  const output = openSync(path, 'wx', 0o600)
  using _ = atEnd(() => closeSync(output))
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > maxBytes)
      throw refuse(
        'disk_full',
        {},
        maxBytes > 0
          ? `${name} has more than ${maxBytes} bytes, half of what the disk of the data folder has above disk_floor`
          : `the disk of the data folder has less free space than disk_floor, so ${name} is not copied to it`,
      )
    writeFully(output, piece, path)
  }
  return { path, name, bytes }
}

/** A file's bytes from an offset on, in pieces that are overwritten by the next one. */
export function* readChunks(path: string, from = 0): Generator<Uint8Array> {
  const file = openSync(path, 'r')
  using _ = atEnd(() => closeSync(file))
  const chunk = new Uint8Array(READ_BYTES)
  let at = from
  for (;;) {
    const read = readSync(file, chunk, 0, READ_BYTES, at)
    if (read === 0) return
    at += read
    yield chunk.subarray(0, read)
  }
}

/** SHA-256 of a source, in lower-case hex; computed if unknown. */
export function digestOf({ path, sha256 }: SourceFile): string {
  return sha256 ?? sha256File(path).sha256
}

/** The bytes of a file from an offset on, fewer if it ends earlier. */
export function readHead(path: string, from: number, length: number): Uint8Array {
  const file = openSync(path, 'r')
  using _ = atEnd(() => closeSync(file))
  const head = new Uint8Array(length)
  return head.subarray(0, readFully(file, head, from))
}

/**
 * Refuses a file that changed: it is read more than once, and its hash must be that of the rows.
 * @throws CommandError `failed` when the file was modified since it was opened
 */
export function refuseChanged({ path, name, bytes, modified }: SourceFile): void {
  if (modified === undefined) return
  const now = statSync(path, { throwIfNoEntry: false })
  if (now?.size === bytes && now.mtimeMs === modified) return
  throw new CommandError('failed', `${name} was changed while it was read; try again when it is complete`)
}
