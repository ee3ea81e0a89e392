/** Starts the converter and waits for its outcome. Whatever becomes of it, this process goes on. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError, type Reason } from '../../base/errors.ts'
import { childEnvironment } from '../../base/process/child.ts'
import { CONVERTER, ownProgram } from '../../base/process/own-command.ts'
import { because } from '../report/reasons.ts'
import {
  type Conversion,
  type ConversionOutcome,
  type ConversionRequest,
  LIMIT_FILE,
  OUTCOME_FILE,
} from './conversion.ts'
import { followSteps, type OnStep } from './conversion-progress.ts'

const LIMIT_REASONS: Readonly<Record<string, readonly Reason[]>> = {
  memory: because('needs_memory', {}),
  time: because('took_too_long', {}),
}
const LIMITS: Readonly<Record<string, string>> = {
  memory: 'it needs more memory than a file may take; save the table alone, as CSV, and ingest that',
  time: 'it took too long to be read; save the table alone, as CSV, and ingest that',
}
const LAST_WORDS = 2000

/**
 * Unpacks a file and makes records of it.
 * @param name of the file, for messages
 * @throws CommandError `refused` when it cannot be read or goes beyond the limits, `usage` for a sheet that is not
 * there, `failed` when the converter itself fails or the disk is full
 */
export async function convertFile(
  name: string,
  request: ConversionRequest,
  onStep: OnStep = () => {},
): Promise<Conversion> {
  const child = Bun.spawn([...ownProgram, CONVERTER, JSON.stringify(request)], {
    env: childEnvironment(),
    // Held open, and never written to: its end tells the converter that nobody waits any more.
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [words] = await Promise.all([child.stderr.text(), followSteps(child.stdout, onStep)])
  await child.exited
  const outcome = readOutcome(request.folder)
  if (outcome && 'done' in outcome) return outcome.done
  if (outcome) {
    const { kind, message, override, reasons } = outcome.refused
    throw new CommandError(kind, `${name}: ${message}`, override, reasons)
  }
  const limit = readIfThere(join(request.folder, LIMIT_FILE))
  if (limit !== null)
    throw new CommandError('refused', `${name}: ${LIMITS[limit] ?? limit}`, null, LIMIT_REASONS[limit])
  const how = child.signalCode === null ? `exit code ${child.exitCode}` : `signal ${child.signalCode}`
  const failure = new CommandError(
    'failed',
    `${name} could not be read: the process that reads it ended with ${how}`,
    null,
    because('work_ended', {}),
  )
  // What it said is for the log: publishers read the message.
  failure.cause = words.trim().slice(-LAST_WORDS)
  throw failure
}

function readOutcome(folder: string): ConversionOutcome | null {
  const text = readIfThere(join(folder, OUTCOME_FILE))
  return text === null ? null : (JSON.parse(text) as ConversionOutcome)
}

function readIfThere(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
