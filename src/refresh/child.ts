/** One refresh in a process of its own. */

import { type EndedProgram, type RunningProgram, startProgram } from '../process/child.ts'

export type RunningRefresh = RunningProgram
export type EndedRefresh = EndedProgram

/** A fetch gives up after an hour; an ingest that takes longer than another one hangs. */
const LONGEST_RUN_MS = 7_200_000

/**
 * @param program how this program is started @param data the data folder
 * @param dataset refreshed if it is due by then
 */
export function startRefresh(program: readonly string[], data: string, dataset: string): RunningRefresh {
  const command = [...program, 'datasets', 'refresh', dataset, '--if-due', '--data', data]
  return startProgram(command, LONGEST_RUN_MS)
}
