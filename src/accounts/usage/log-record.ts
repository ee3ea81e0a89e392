/** One authenticated answer in the request log. */

import { formatTimestamp } from '../../base/text/timestamp.ts'
import { requestLogs } from '../../db/schema/usage-schema.ts'

/** A row of `request_logs` but for its id, from the request on. Texts are free of secrets: the caller hides them. */
export interface CallRecord {
  /** When the request came, in seconds since 1970. */
  readonly at: number
  readonly key_id: number
  readonly status: number
  readonly latency_us: number
  /** Of the body, as sent. */
  readonly bytes: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly ip: string
  readonly request_id: string
  readonly user_agent: string | null
}

export interface LogRow extends CallRecord {
  readonly id: number
}

/** A row as answers show it. */
export interface LogRecord extends Omit<LogRow, 'at' | 'latency_us'> {
  readonly at: string
  readonly latency_ms: number
}

/** In the order of a packed line: the numbers first. */
export const LOG_COLUMNS =
  'at, key_id, status, latency_us, bytes, method, path, query, ip, request_id, user_agent'

/** A row of `request_logs` in a query, as `LogRow`. */
export const LOG_FIELDS = {
  id: requestLogs.id,
  at: requestLogs.at,
  key_id: requestLogs.keyId,
  status: requestLogs.status,
  latency_us: requestLogs.latencyUs,
  bytes: requestLogs.bytes,
  method: requestLogs.method,
  path: requestLogs.path,
  query: requestLogs.query,
  ip: requestLogs.ip,
  request_id: requestLogs.requestId,
  user_agent: requestLogs.userAgent,
}

const NUMBERS = 5
/** Means null: no header can hold it. */
const NULL = '\0'

/**
 * A record as one line, its fields in the order of `LOG_COLUMNS`, separated by tabs: a third of the work of JSON, and
 * every answer waits for it. Tabs and line ends inside a field become blanks.
 */
export function packCall(call: CallRecord): string {
  const { at, key_id, status, latency_us, bytes, method, ip, request_id, user_agent } = call
  const agent = user_agent === null ? NULL : oneField(user_agent)
  const path = oneField(call.path)
  const query = oneField(call.query)
  // Joined, it is one text in one piece; a template would stay a tree of pieces until it is read.
  return [at, key_id, status, latency_us, bytes, method, path, query, ip, request_id, agent].join('\t')
}

/** The values of a line, in the order of `LOG_COLUMNS`. */
export function unpackCall(line: string): (number | string | null)[] {
  const fields = line.split('\t')
  const texts = fields.slice(NUMBERS)
  const agent = texts.pop()!
  return [...fields.slice(0, NUMBERS).map(Number), ...texts, agent === NULL ? null : agent]
}

function oneField(text: string): string {
  return text.includes('\t') || text.includes('\n') ? text.replace(/[\t\n]/g, ' ') : text
}

export function toLogRecord(row: LogRow): LogRecord {
  const { id, at, key_id, method, path, query, status, latency_us, bytes, ip, user_agent, request_id } = row
  const shown = { id, at: formatTimestamp(new Date(at * 1000)), key_id, method, path, query, status }
  return { ...shown, latency_ms: latency_us / 1000, bytes, ip, user_agent, request_id }
}
