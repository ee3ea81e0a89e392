/** Starts the attackers of a storm, one process per kind, so that they do not disturb what is measured beside them. */

import { join } from 'node:path'
import { withoutSettings } from './child-environment.ts'

/** One kind of attackers, as passed to its process. */
export interface Storm {
  /**
   * `bodies` and `heads` never end; `people` sign up and in; `queries` are long; so are `groups`, without a key and from
   * many networks; `exports` are read slowly.
   */
  readonly kind: 'bodies' | 'heads' | 'people' | 'queries' | 'groups' | 'exports'
  readonly address: string
  /** How many clients there are at the same time. */
  readonly clients: number
  /** Keys of the clients that ask for rows; they share them evenly. */
  readonly secrets: readonly string[]
  /** Accounts whose passwords are guessed. */
  readonly emails: readonly string[]
  /** How long each of them rests between its calls, in ms; by default as usual for its kind. */
  readonly pause?: number
}

const PROGRAM = join(import.meta.dir, 'processes', 'storm.ts')

export function startAttackers(storm: Storm) {
  const child = Bun.spawn([process.execPath, PROGRAM, JSON.stringify(storm)], {
    ...{ stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' },
    env: { ...withoutSettings(), BUN_CONFIG_MAX_HTTP_REQUESTS: '1000' },
  } as const)
  return {
    pid: child.pid,
    /** Ends it and returns the answers that it got. */
    end: async () => {
      await child.stdin.end()
      return `${storm.kind}: ${await child.stdout.text()}`
    },
  }
}
