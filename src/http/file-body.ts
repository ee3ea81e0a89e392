/** Files as response bodies. The server sends them by itself, so their ends are looked for. */

import { type ByteRange, contentRange } from './ranges.ts'

/** Milliseconds between two looks. */
const LOOK_MS = 10

interface Sending {
  readonly isOpen: () => boolean
  readonly over: () => void
}

const sending = new Set<Sending>()
let looking: ReturnType<typeof setInterval> | undefined

/** Calls `over` once `isOpen` says that the answer has been sent, or that its connection is gone. */
export function awaitEnd(isOpen: () => boolean, over: () => void): void {
  sending.add({ isOpen, over })
  looking ??= setInterval(look, LOOK_MS)
}

function look(): void {
  for (const answer of sending) {
    if (answer.isOpen()) continue
    sending.delete(answer)
    answer.over()
  }
  if (sending.size > 0) return
  clearInterval(looking)
  looking = undefined
}

/**
 * The body of an answer with a part of a file, or all of it, and the headers that go with it. Bun sends its own 206 for a
 * whole file when the request has a `Range`, unless the answer has `Content-Range`: an empty one says nothing.
 */
export function fileBody(
  path: string,
  bytes: number,
  range: ByteRange | undefined,
  hasRange: boolean,
): { readonly body: Blob; readonly headers: Readonly<Record<string, string>> } {
  const file = Bun.file(path)
  if (range === undefined) return { body: file, headers: hasRange ? { 'Content-Range': '' } : {} }
  return { body: file.slice(range.from, range.to), headers: { 'Content-Range': contentRange(range, bytes) } }
}
