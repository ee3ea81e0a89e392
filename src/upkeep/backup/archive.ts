/** A backup as one file or stream: tar (POSIX.1-2001, pax), which every system can open. */

import { createTarDecoder, createTarPacker, type TarPackController } from 'modern-tar'
import type { BackupEntry } from './check.ts'
import type { Container } from './container.ts'
import { readPieces } from './streamed-file.ts'

const BLOCK = 512
/** Two empty blocks end an archive. */
const END_BYTES = 2 * BLOCK

/** What files of these lengths take in an archive, at most. */
export function archiveBytes(lengths: readonly number[]): number {
  // A header; for names and lengths beyond the old format's, two blocks more.
  return lengths.reduce((sum, bytes) => sum + Math.ceil(bytes / BLOCK) * BLOCK + 3 * BLOCK, END_BYTES)
}

/**
 * @param folder that all files are below, as in `tar xf` @param taken the time that files get
 * @param write takes the archive, piece by piece; the next one comes when it is done
 */
export function openArchive(
  folder: string,
  taken: Date,
  write: (bytes: Uint8Array) => void | Promise<void>,
): Container {
  const { readable, controller } = createTarPacker()
  const written = (async () => {
    for await (const bytes of readable) await write(bytes)
  })()
  // The next call that adds a file rejects with this error.
  written.catch(() => {})
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      controller.error(error)
      // When writing failed, this rejects with the cause.
      await written
      throw error
    }
  }
  const add = (name: string, bytes: number, pieces: AsyncIterable<Uint8Array>) =>
    guarded(() => addEntry(controller, { name: `${folder}/${name}`, size: bytes, mtime: taken }, pieces))
  return {
    addFile: ({ name, path, bytes }) => add(name, bytes, readPieces(path)),
    async addText(name, text) {
      const bytes = new TextEncoder().encode(text)
      await add(
        name,
        bytes.length,
        (async function* () {
          yield bytes
        })(),
      )
    },
    async finish() {
      controller.finalize()
      await written
    },
  }
}

/** @returns SHA-256 of what went in */
async function addEntry(
  controller: TarPackController,
  header: { name: string; size: number; mtime: Date },
  pieces: AsyncIterable<Uint8Array>,
): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  const body = controller.add({ ...header, mode: 0o600, type: 'file' }).getWriter()
  for await (const piece of pieces) {
    hash.update(piece)
    await body.write(piece)
  }
  await body.close()
  return hash.digest('hex')
}

/** The files of an archive as they come. Each body must be read to its end before the next one is requested. */
export async function* readArchive(bytes: ReadableStream<Uint8Array>): AsyncGenerator<BackupEntry> {
  const entries = bytes.pipeThrough(createTarDecoder({ strict: true }))
  for await (const { header, body } of entries) {
    if (header.type === 'file') yield { path: header.name, body }
    else await body.cancel()
  }
}
