/** The name of one request in answers and logs. */

const WELL_FORMED = /^[\w.-]{1,128}$/
/** Distinguishes the requests of two processes; the counter distinguishes those of one. */
const PREFIX = crypto.randomUUID().slice(0, 13)

let made = 0

/** The caller's `X-Request-Id` where it is 1 to 128 letters, digits, `_`, `.` and `-`; else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id')
  if (given !== null && WELL_FORMED.test(given)) return given
  return `${PREFIX}-${(++made).toString(36)}`
}
