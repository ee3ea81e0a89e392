/** Parts of a file (RFC 9110, 14): which bytes a request asks for. */

/** Bytes `from` to `to`, the last one not included. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

const RANGE = /^bytes=(\d*)-(\d*)$/i

/**
 * The part that a `Range` header asks for; undefined: the whole file, also for several parts at once and for what is no range
 * of bytes; null: nothing of it is in the file.
 */
export function readRange(header: string | null, length: number): ByteRange | null | undefined {
  const found = RANGE.exec(header?.trim() ?? '')
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

/** Whether `If-Range`, where it is there, names the file as it is (strong comparison, or the same date). */
export function isSameFile(ifRange: string | null, etag: string, lastModified: string): boolean {
  return ifRange === null || ifRange.trim() === etag || ifRange.trim() === lastModified
}

/** The `Content-Range` of a part of a file of so many bytes. */
export function contentRange({ from, to }: ByteRange, bytes: number): string {
  return `bytes ${from}-${to - 1}/${bytes}`
}
