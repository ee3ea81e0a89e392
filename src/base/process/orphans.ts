/**
 * The first process of a container inherits the processes whose parents were killed, and has to ask for their ends or they
 * stay in the table of processes. Bun asks for those that it started alone.
 */

import { dlopen, FFIType } from 'bun:ffi'
import { readdirSync, readFileSync } from 'node:fs'

const LOOK_MS = 2000
/** `WNOHANG`: return at once. */
const AT_ONCE = 1

/**
 * Asks every few seconds for the ends of processes that this one did not start, where it is the first process (Linux).
 * @param isOwn whether Bun asks for the end of a process
 */
export function reapOrphans(isOwn: (pid: number) => boolean): void {
  if (process.pid !== 1 || process.platform !== 'linux') return
  const { symbols } = openLibrary()
  const reap = () => {
    for (const pid of endedChildren()) if (!isOwn(pid)) symbols.waitpid(pid, null, AT_ONCE)
  }
  setInterval(reap, LOOK_MS).unref()
}

/** The C library, which the program needs in any case. */
function openLibrary() {
  return dlopen('libc.so.6', {
    waitpid: { args: [FFIType.i32, FFIType.ptr, FFIType.i32], returns: FFIType.i32 },
  })
}

/** Children of this process that have ended and were not asked for. */
function endedChildren(): number[] {
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
  return pids.filter((pid) => {
    try {
      // The name may hold spaces and braces; state and parent stand behind it.
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return state === 'Z' && parent === String(process.pid)
    } catch {
      return false
    }
  })
}
