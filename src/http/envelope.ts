/** The list envelope of specification 2.3, as bytes: the rows come rendered and are only put in place. */

import { formatTimestamp } from '../base/text/timestamp.ts'

export const API_VERSION = 'v1'

/** An answer without its time: `generated_at` has a fixed width and is written into it last. */
export interface Envelope {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly stampAt: number
}

const OPENING = '{"data":'
const BLANK_STAMP = '0000-00-00T00:00:00Z'
const META_END = ',"generated_at":"'

/** Shared buffer in which pages are assembled; it fits 1,000 ordinary rows. A larger page gets its own memory. */
const SCRATCH_BYTES = 2 ** 20
const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)
const MOST_BYTES_PER_CHARACTER = 3

/**
 * Joins rows (a JSON array, copied), `pagination`, `meta` and `links`. The returned bytes are valid only until the next
 * envelope is written. `Response` copies them; a caller that keeps them must copy them too.
 * @param pagination undefined where there are no pages
 * @param links as JSON
 * @param meta as JSON, with all members but `generated_at`, which is put last
 */
export function writeEnvelope(
  rows: Uint8Array,
  pagination: object | undefined,
  meta: string,
  links: string,
): Envelope {
  const paged = pagination === undefined ? '' : `,"pagination":${JSON.stringify(pagination)}`
  const middle = `${paged},"meta":${meta.slice(0, -1)}${META_END}`
  const ending = `${BLANK_STAMP}"},"links":${links}}`
  const characters = OPENING.length + middle.length + ending.length
  const most = rows.length + characters * MOST_BYTES_PER_CHARACTER
  const target = most <= SCRATCH_BYTES ? scratch : Buffer.allocUnsafeSlow(most)
  let at = target.write(OPENING, 0, 'latin1')
  target.set(rows, at)
  at += rows.length
  at += target.write(middle, at, 'utf8')
  const stampAt = at
  at += target.write(ending, at, 'utf8')
  return { bytes: new Uint8Array(target.buffer, 0, at), stampAt }
}

/** Writes the time of the answer into its bytes. `Response` copies them, so the same bytes can be stamped again. */
export function stampEnvelope({ bytes, stampAt }: Envelope, stamp: string): void {
  for (let index = 0; index < stamp.length; index++) bytes[stampAt + index] = stamp.charCodeAt(index)
}

let lastSecond = Number.NaN
let lastStamp = ''

/** `formatTimestamp`, made once a second. */
export function stampOf(moment: Date): string {
  const second = Math.floor(moment.getTime() / 1000)
  if (second !== lastSecond) {
    lastSecond = second
    lastStamp = formatTimestamp(moment)
  }
  return lastStamp
}
