/** Which file system a path is on (Linux: proc(5), `/proc/self/mountinfo`). */

import { readFileSync, realpathSync } from 'node:fs'

export interface Mount {
  readonly path: string
  /** `ext4`, `nfs4`, `overlay` … */
  readonly kind: string
  /** `rw`, `noexec` … */
  readonly options: readonly string[]
}

/** Undefined on systems without `/proc`. */
export function mountOf(path: string): Mount | undefined {
  try {
    return findMount(readFileSync('/proc/self/mountinfo', 'utf8'), realpathSync(path))
  } catch {
    return undefined
  }
}

/** The mount of a path: the one with the longest matching path; of equal ones the last, which covers the others. */
export function findMount(mountinfo: string, path: string): Mount | undefined {
  let found: Mount | undefined
  for (const line of mountinfo.split('\n')) {
    const mount = readMount(line)
    if (mount === undefined || !holds(mount.path, path)) continue
    if (found === undefined || mount.path.length >= found.path.length) found = mount
  }
  return found
}

/** `36 35 98:0 /root /mount rw,noatime [optional fields] - ext4 /dev/sda1 rw,errors=continue` */
function readMount(line: string): Mount | undefined {
  const [own = '', filesystem = ''] = line.split(' - ')
  const [, , , , path, options] = own.split(' ')
  const [kind] = filesystem.split(' ')
  if (path === undefined || options === undefined || kind === undefined || kind === '') return undefined
  return { path: readEscapes(path), kind, options: options.split(',') }
}

/** Spaces and similar characters are written as octal numbers. */
function readEscapes(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  )
}

function holds(mount: string, path: string): boolean {
  return mount === '/' || path === mount || path.startsWith(`${mount}/`)
}
