/** Files of any size in pieces, asynchronously, so that signals are handled in between. */

import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { systemFailure } from '../../base/text/system-failure.ts'

const PIECE_BYTES = 1 << 20

/** Each piece is a new buffer, which may be kept. */
export async function* readPieces(path: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = await open(path, 'r')
  try {
    for (;;) {
      const piece = new Uint8Array(PIECE_BYTES)
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES)
      if (bytesRead === 0) return
      yield piece.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** A new file, readable only by its owner. */
export class NewFile {
  readonly #path: string
  readonly #file: number
  #closed = false

  /** @throws CommandError `failed` when it exists or cannot be created */
  constructor(path: string) {
    this.#path = path
    this.#file = guard(path, () => openSync(path, 'wx', 0o600))
  }

  /** @throws CommandError `failed` */
  write(bytes: Uint8Array): void {
    guard(this.#path, () => {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at)
    })
  }

  /** Makes it durable and closes it. @throws CommandError `failed` */
  finish(): void {
    try {
      guard(this.#path, () => fsyncSync(this.#file))
    } finally {
      this.close()
    }
  }

  /** Safe to call twice. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    closeSync(this.#file)
  }
}

function guard<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw systemFailure(`cannot write ${path}`, error)
  }
}
