/** One authenticated answer in the request log: as it is recorded, stored and shown. */

import { formatTimestamp } from '../text/timestamp.ts'

/** What is recorded. Texts are free of secrets: whoever makes this hides them. */
export interface AnsweredCall {
  readonly keyId: number
  readonly at: Date
  readonly method: string
  readonly path: string
  readonly query: string
  readonly status: number
  readonly latencyMs: number
  /** Of the body, as sent. */
  readonly bytes: number
  readonly ip: string
  readonly userAgent: string | null
  readonly requestId: string
}

/** A record as answers show it. */
export interface LogRecord {
  readonly id: number
  readonly at: string
  readonly key_id: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly status: number
  readonly latency_ms: number
  readonly bytes: number
  readonly ip: string
  readonly user_agent: string | null
  readonly request_id: string
}

/** Columns of `request_logs` but its id, in the order of `PackedCall`. */
export const LOG_COLUMNS =
  'at, key_id, status, latency_us, bytes, method, path, query, ip, request_id, user_agent'

export type PackedCall = [
  at: number,
  keyId: number,
  status: number,
  latencyUs: number,
  bytes: number,
  method: string,
  path: string,
  query: string,
  ip: string,
  requestId: string,
  userAgent: string | null,
]

const NUMBERS = 5
/** Stands for null: no header can hold it. */
const NULL = '\0'

/**
 * A call as one line, its fields in the order of `PackedCall`, separated by tabs: a third of the work of JSON, and every
 * answer waits for it. What would break the line is a blank in it.
 */
export function packCall(call: AnsweredCall): string {
  const { at, keyId, status, latencyMs, bytes, method, ip, requestId, userAgent } = call
  const second = Math.floor(at.getTime() / 1000)
  const latencyUs = Math.max(0, Math.round(latencyMs * 1000))
  const agent = userAgent === null ? NULL : oneField(userAgent)
  const path = oneField(call.path)
  const query = oneField(call.query)
  // Joined, it is one text in one piece; a template would be a tree of pieces until somebody reads it.
  return [second, keyId, status, latencyUs, bytes, method, path, query, ip, requestId, agent].join('\t')
}

export function unpackCall(line: string): PackedCall {
  const fields = line.split('\t')
  const texts = fields.slice(NUMBERS)
  const userAgent = texts.pop()
  return [
    ...fields.slice(0, NUMBERS).map(Number),
    ...texts,
    userAgent === NULL ? null : userAgent,
  ] as PackedCall
}

function oneField(text: string): string {
  return text.includes('\t') || text.includes('\n') ? text.replace(/[\t\n]/g, ' ') : text
}

/** A row of `request_logs`: its id, then `LOG_COLUMNS`. */
export type LogRow = [id: number, ...PackedCall]

export function toLogRecord(row: LogRow): LogRecord {
  const [id, at, key_id, status, latencyUs, bytes, method, path, query, ip, request_id, user_agent] = row
  return {
    id,
    at: formatTimestamp(new Date(at * 1000)),
    key_id,
    method,
    path,
    query,
    status,
    latency_ms: latencyUs / 1000,
    bytes,
    ip,
    user_agent,
    request_id,
  }
}
