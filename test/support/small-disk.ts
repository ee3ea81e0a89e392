/** A disk of a few megabytes (tmpfs), for tests of a full one. To be called inside a test. */

import { onTestFinished } from 'bun:test'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Its path, or null where none can be made: that takes root on Linux. */
export function smallDisk(megabytes: number): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const path = mkdtempSync(join(tmpdir(), 'izvor-disk-'))
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path])
  onTestFinished(() => {
    if (mounted.success) Bun.spawnSync(['umount', '--lazy', path])
    rmdirSync(path)
  })
  return mounted.success ? path : null
}
