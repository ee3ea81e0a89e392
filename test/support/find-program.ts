/** Finds third-party programs: a test that needs a missing one is skipped with a message. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Its path, or null if it is not installed. The `sbin` folders are searched even if they are not on the path. */
export function findProgram(name: string): string | null {
  const path =
    Bun.which(name) ?? ['/usr/sbin', '/usr/local/sbin'].map((folder) => join(folder, name)).find(existsSync)
  if (path === undefined) console.warn(`skipped: ${name} is not installed`)
  return path ?? null
}
