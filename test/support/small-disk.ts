/** Disks of a few megabytes (tmpfs), and functions that fill them. */

import { onTestFinished } from 'bun:test'
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Mounts a small disk. Call it inside a test.
 * @param names how many files and folders it can hold; 0: any number
 * @returns its path, or null if it cannot be made, which needs root on Linux
 */
export function smallDisk(megabytes: number, names = 0): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const path = mkdtempSync(join(tmpdir(), 'izvor-disk-'))
  const mounted = Bun.spawnSync([
    'mount',
    '-t',
    'tmpfs',
    '-o',
    `size=${megabytes}m,nr_inodes=${names}`,
    'tmpfs',
    path,
  ])
  onTestFinished(() => {
    if (mounted.success) Bun.spawnSync(['umount', '--lazy', path])
    rmdirSync(path)
  })
  return mounted.success ? path : null
}

/** Leaves no byte free; returns a function that frees them. */
export function fillDisk(disk: string): () => void {
  const filler = join(disk, 'filler')
  for (const bytes of [65_536, 4096, 1]) {
    const block = new Uint8Array(bytes)
    try {
      for (;;) writeFileSync(filler, block, { flag: 'a' })
    } catch {
      // Full for blocks of this size.
    }
  }
  return () => rmSync(filler)
}

/** Leaves inodes for this many new files and folders; returns a function that frees the others. */
export function takeNames(disk: string, left: number): () => void {
  const free = Number(String(Bun.spawnSync(['stat', '-f', '-c', '%d', disk]).stdout))
  const taken = Array.from({ length: free - left }, (_, i) => join(disk, `taken-${i}`))
  for (const path of taken) writeFileSync(path, '')
  return () => {
    for (const path of taken) rmSync(path)
  }
}
