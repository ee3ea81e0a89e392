/**
 * One log line per answer: JSON as pino writes it, with the pattern of the route instead of the address, so that it holds
 * no query and no secret. The lines are composed here because pino takes longer for one than an answer from memory takes
 * for everything else.
 */

import type { Logger } from 'pino'
import { hideKeys } from '../../accounts/keys/key-format.ts'
import { isHead } from '../../http/plain-requests.ts'
import type { RouteMap } from '../routing.ts'
import type { Answer, AnswersListener } from './answers.ts'

const LEVELS = { info: 30, error: 50 } as const

/**
 * @param log its level decides what is written: failures of the service are errors, everything else is information
 * @param write takes whole lines, each with its line end
 */
export function accessLog(log: Logger, routes: RouteMap, write: (lines: string) => void): AnswersListener {
  // The fields of every log line.
  const bindings = Object.entries(log.bindings())
    .map(([name, value]) => `,"${name}":${JSON.stringify(value)}`)
    .join('')
  return (answers) => {
    const all = log.isLevelEnabled('info')
    if (!all && !log.isLevelEnabled('error')) return
    let lines = ''
    for (const answer of answers) {
      if (all || answer.status >= 500) lines += lineOf(answer, routes, bindings)
    }
    if (lines !== '') write(lines)
  }
}

function lineOf(answer: Answer, routes: RouteMap, bindings: string): string {
  const { call, status, bytes, milliseconds } = answer
  const { request, requestId, key, publisher, dataset, rows, cache } = call
  const level = status >= 500 ? LEVELS.error : LEVELS.info
  const method = isHead(request) ? 'HEAD' : request.method
  // The caller may have pasted a key into the header of the id.
  const id = requestId.includes('rok_') ? hideKeys(requestId) : requestId
  let line =
    `{"level":${level},"time":${call.startedAt.getTime()}${bindings},"request_id":"${id}",` +
    `"method":"${method}","route":"${routes.patternOf(call.path)}","status":${status},` +
    `"ms":${Math.round(milliseconds * 1000) / 1000},"bytes":${bytes}`
  if (key !== undefined) line += `,"key_id":${key.keyId}`
  if (publisher !== undefined) line += `,"by":"${publisher.by}"`
  if (dataset !== undefined) line += `,"dataset":"${dataset}"`
  if (rows !== undefined) line += `,"rows":${rows}`
  if (cache !== undefined) line += `,"cache":"${cache}"`
  return `${line},"msg":"answered"}\n`
}
