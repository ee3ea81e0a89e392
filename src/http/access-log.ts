/**
 * One line of the log per answer: JSON as pino writes it, with the pattern of the route instead of the address, so that
 * nothing of what was asked for, and no secret, can be in it. Lines are put together here: pino itself takes longer over
 * one than the rest of an answer from memory.
 */

import { type Logger, symbols } from 'pino'
import { hideKeys } from '../keys/key-format.ts'
import type { Answer, AnswersListener } from './answers.ts'
import { isHead } from './plain-requests.ts'
import type { RouteMap } from './routing.ts'

const LEVELS = { info: 30, error: 50 } as const

/**
 * @param log decides by its level what is written: failures of ours are errors, everything else is information
 * @param write takes whole lines, each with its end
 */
export function accessLog(log: Logger, routes: RouteMap, write: (lines: string) => void): AnswersListener {
  // What pino puts into every line: the process and the machine.
  const bindings = (log as unknown as Record<symbol, string>)[symbols.chindingsSym as symbol] ?? ''
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
  const { exchange, status, bytes, milliseconds } = answer
  const { request, requestId, key, dataset, rows, cache } = exchange
  const level = status >= 500 ? LEVELS.error : LEVELS.info
  const method = isHead(request) ? 'HEAD' : request.method
  // A caller's own id may be a key that was pasted into the wrong header.
  const id = requestId.includes('rok_') ? hideKeys(requestId) : requestId
  let line =
    `{"level":${level},"time":${exchange.startedAt.getTime()}${bindings},"request_id":"${id}",` +
    `"method":"${method}","route":"${routes.patternOf(exchange.path)}","status":${status},` +
    `"ms":${Math.round(milliseconds * 1000) / 1000},"bytes":${bytes}`
  if (key !== undefined) line += `,"key_id":${key.keyId}`
  if (dataset !== undefined) line += `,"dataset":"${dataset}"`
  if (rows !== undefined) line += `,"rows":${rows}`
  if (cache !== undefined) line += `,"cache":"${cache}"`
  return `${line},"msg":"answered"}\n`
}
