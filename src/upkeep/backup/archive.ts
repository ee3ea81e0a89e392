/** A backup as one file or stream: tar (POSIX.1-2001, pax), which every system can open. */

import { createTarDecoder, createTarPacker } from 'modern-tar'
import type { BackupEntry } from './check.ts'
import { backupName, type Container } from './manifest.ts'
import { readPieces } from './streamed-file.ts'

const BLOCK = 512

/** The most bytes that files of these lengths take in an archive. */
export function archiveBytes(lengths: readonly number[]): number {
  // Each file has a header, and two more blocks if its name or length is too long for the old format. Two empty blocks
  // end an archive.
  return lengths.reduce((sum, bytes) => sum + Math.ceil(bytes / BLOCK) * BLOCK + 3 * BLOCK, 2 * BLOCK)
}

/**
 * @param taken modification time of the files
 * @param write takes the archive piece by piece; the next one comes when it has resolved
 */
export function openArchive(taken: Date, write: (bytes: Uint8Array) => void | Promise<void>): Container {
  const folder = backupName(taken)
  const { readable, controller } = createTarPacker()
  const written = (async () => {
    for await (const bytes of readable) await write(bytes)
  })()
  // The next call that adds a file rejects with this error.
  written.catch(() => {})
  /** @returns SHA-256 of the contents */
  const add = async (
    name: string,
    size: number,
    pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<string> => {
    try {
      const hash = new Bun.CryptoHasher('sha256')
      const header = { name: `${folder}/${name}`, size, mtime: taken, mode: 0o600, type: 'file' as const }
      const body = controller.add(header).getWriter()
      for await (const piece of pieces) {
        hash.update(piece)
        await body.write(piece)
      }
      await body.close()
      return hash.digest('hex')
    } catch (error) {
      controller.error(error)
      // When writing failed, this rejects with the cause.
      await written
      throw error
    }
  }
  return {
    addFile: ({ name, path, bytes }) => add(name, bytes, readPieces(path)),
    async addText(name, text) {
      const bytes = new TextEncoder().encode(text)
      await add(name, bytes.length, [bytes])
    },
    async finish() {
      controller.finalize()
      await written
    },
  }
}

/** The files of an archive as they come. Each body must be read to its end before the next one is requested. */
export async function* readArchive(bytes: ReadableStream<Uint8Array>): AsyncGenerator<BackupEntry> {
  const entries = bytes.pipeThrough(createTarDecoder({ strict: true }))
  for await (const { header, body } of entries) {
    if (header.type === 'file') yield { path: header.name, body }
    else await body.cancel()
  }
}
