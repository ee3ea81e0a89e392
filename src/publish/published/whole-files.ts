/**
 * Work that reads whole version files: serving another version, which is verified first, and comparing two. It takes
 * seconds, so a separate process does it, by running the command, and no request is delayed.
 */

import { atEnd } from '../../base/closing.ts'
import { ApiError } from '../../base/errors.ts'
import { LIMITS, refuseBy } from '../../base/limits.ts'
import { printedBy } from '../../base/process/child.ts'
import type { VersionDiff } from '../edition/version-diff.ts'

/** A connection without a byte is closed after two minutes. */
const LONGEST_MS = 100_000
/** Exit code of a command that found a damaged file. */
const DAMAGED = 6
const RETRY_S = 5

export type WholeFiles = ReturnType<typeof openWholeFiles>

/**
 * @param program the command line of this program @param data the data directory
 * @param workers processes that share the limit @param variables added to the program's environment
 */
export function openWholeFiles(
  program: readonly string[],
  data: string,
  workers: number,
  variables: Readonly<Record<string, string>> = {},
) {
  const most = Math.ceil(LIMITS.whole_files.most / workers)
  let running = 0
  const drawing = new Map<string, Promise<unknown>>()
  const run = async (verb: string, ...given: string[]) => {
    if (running >= most) {
      const message = `The service already reads as many whole versions as it can beside its requests; try again in ${RETRY_S} s.`
      throw refuseBy('whole_files', message, RETRY_S)
    }
    running++
    using _ = atEnd(() => running--)
    const command = [...program, 'datasets', verb, ...given, '--data', data]
    const ended = await printedBy(command, LONGEST_MS, variables)
    if (ended.code === DAMAGED)
      throw new ApiError(
        'service_unavailable',
        'The file of this version is damaged. The served version stays.',
      )
    if (ended.code !== 0) throw new Error(`datasets ${verb} ${given.join(' ')}: ${ended.message}`)
    return ended
  }
  return {
    /**
     * Serves a kept version after verifying its whole file.
     * @throws ApiError `service_unavailable` when the file is damaged, or too much such work is running; Error when the
     * command fails
     */
    async serve(id: string, version: number): Promise<void> {
      await run('serve', id, String(version), '--by-service')
    },
    /** Draws the pictures of the served version; concurrent calls share one run. @throws as `serve` */
    async draw(id: string): Promise<void> {
      const known = drawing.get(id) ?? run('picture', id).finally(() => drawing.delete(id))
      drawing.set(id, known)
      await known
    },
    /** @throws as `serve` */
    async compare(id: string, from: number, to: number): Promise<VersionDiff> {
      const { output } = await run('diff', id, String(from), String(to), '--json')
      return JSON.parse(output) as VersionDiff
    },
  }
}
