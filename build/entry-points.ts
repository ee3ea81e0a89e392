/** The entry points of the executable, for the build and for the list of licences. */

import { join } from 'node:path'
import type { BunPlugin } from 'bun'

export const ROOT = join(import.meta.dir, '..')

/** The program, then its worker threads: an executable holds only these and what they import. */
export const ENTRY_POINTS = [
  'main.ts',
  'accounts/usage/log-worker.ts',
  'engine/kernel/kernel-worker.ts',
  'accounts/people/passwords/password-judge-worker.ts',
  'read/source/conversion/limits-worker.ts',
  'read/cells/second-thread-worker.ts',
].map((file) => join(ROOT, 'src', file))

/** @param subpath the one of better-sqlite3 that embeds the addon of one platform */
export function embedSqlite(subpath: string): BunPlugin {
  return {
    name: 'better-sqlite3 of one platform',
    setup(build) {
      build.onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: Bun.resolveSync(subpath, ROOT) }))
    },
  }
}
