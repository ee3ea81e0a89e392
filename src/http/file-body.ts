/** Files as response bodies. The runtime sends them without a notice of the end, so we poll for it. */

/** Milliseconds between two polls. */
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
  looking ??= setInterval(() => look(), LOOK_MS)
}

/** Ends every answer that was being sent; for when all connections have been closed. */
export function endAll(): void {
  look(() => true)
}

function look(hasEnded = (answer: Sending) => !answer.isOpen()): void {
  for (const answer of sending) {
    if (!hasEnded(answer)) continue
    sending.delete(answer)
    answer.over()
  }
  if (sending.size > 0) return
  clearInterval(looking)
  looking = undefined
}

/**
 * The part that a `Range` header requests, `to` excluded. undefined means the whole file, also for several parts at once
 * and for anything but a range of bytes; null, that the range lies outside the file.
 */
export function readRange(
  header: string | null,
  length: number,
): { readonly from: number; readonly to: number } | null | undefined {
  const found = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '')
  if (found === null) return undefined
  const [first, last] = [found[1]!, found[2]!]
  if (first === '') {
    if (last === '') return undefined
    const size = Number(last)
    return size === 0 || length === 0 ? null : { from: Math.max(0, length - size), to: length }
  }
  const from = Number(first)
  const to = last === '' ? length : Math.min(length, Number(last) + 1)
  if (last !== '' && Number(last) < from) return undefined
  return from >= length ? null : { from, to }
}

/** Whether `If-Range` is absent or matches the current file (strong comparison, or the same date). */
export function isSameFile(ifRange: string | null, etag: string, lastModified: string): boolean {
  return ifRange === null || ifRange.trim() === etag || ifRange.trim() === lastModified
}
