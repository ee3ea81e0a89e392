/** The log of a service, on standard output: lines of JSON, or readable lines on a terminal. */

import { hostname } from 'node:os'
import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Cli } from './cli.ts'

const STANDARD_OUTPUT = 1
/** The most written at once: several hundred lines of answers. */
const PIECE_BYTES = 2 ** 18

export interface ServiceLog {
  readonly log: Logger
  /** Adds finished lines: JSON as pino writes it, each with its line end. */
  readonly write: (lines: string) => void
}

/** The system writes up to this to a pipe in one piece, so that lines of several processes do not mix. */
const SHARED_PIECE_BYTES = 4096

/** Readable lines on a terminal, else JSON. @param worker its number, if others share the output */
export function openServiceLog(
  level: string,
  { terminal, colored }: Pick<Cli, 'terminal' | 'colored'>,
  worker?: number,
): ServiceLog {
  const stream = terminal.output
    ? pretty({
        destination: STANDARD_OUTPUT,
        sync: true,
        colorize: colored,
        singleLine: true,
        ignore: 'pid,hostname',
        translateTime: 'HH:MM:ss',
      })
    : pino.destination({ dest: STANDARD_OUTPUT, maxWrite: PIECE_BYTES })
  if (worker === undefined)
    return { log: pino({ level }, stream), write: (lines) => void stream.write(lines) }
  const base = { pid: process.pid, hostname: hostname(), worker }
  const write = (lines: string) => {
    for (const piece of piecesOf(lines)) stream.write(piece)
  }
  return { log: pino({ level, base }, stream), write }
}

/** Whole lines, as many as fit into a piece, and at least one. */
function* piecesOf(lines: string): Generator<string> {
  for (let from = 0; from < lines.length; ) {
    let to = from + SHARED_PIECE_BYTES
    if (to < lines.length) to = lines.lastIndexOf('\n', to - 1) + 1
    if (to <= from) to = lines.indexOf('\n', from) + 1
    if (to <= from) to = lines.length
    yield lines.slice(from, to)
    from = to
  }
}
