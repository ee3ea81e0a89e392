/** The log of a service is its standard output: lines of JSON, or lines for a person at a terminal. */

import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

const STANDARD_OUTPUT = 1
/** Written at once: several hundred lines of answers. */
const PIECE_BYTES = 2 ** 18

export interface ServiceLog {
  readonly log: Logger
  /** Adds lines that are ready: JSON as pino writes it, each with its end. */
  readonly write: (lines: string) => void
}

export function openServiceLog(
  level: string,
  { pretty: forPerson, colored }: { pretty: boolean; colored: boolean },
): ServiceLog {
  const stream = forPerson
    ? pretty({
        destination: STANDARD_OUTPUT,
        sync: true,
        colorize: colored,
        singleLine: true,
        ignore: 'pid,hostname',
        translateTime: 'HH:MM:ss',
      })
    : pino.destination({ dest: STANDARD_OUTPUT, maxWrite: PIECE_BYTES })
  return { log: pino({ level }, stream), write: (lines) => void stream.write(lines) }
}
