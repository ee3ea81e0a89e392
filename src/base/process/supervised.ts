/** A process and the one that supervises it: messages in both directions, and the end of either noticed by the other, or by the first process. */

import { dlopen, FFIType } from 'bun:ffi'
import { readdirSync, readFileSync } from 'node:fs'

/**
 * The process that started this one to supervise it; undefined when nobody did.
 * @param receive gets its messages, all from the first one on
 */
export function openSupervisor(receive: (message: unknown) => void) {
  if (process.send === undefined) return undefined
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  process.on('disconnect', resolve)
  process.on('message', receive)
  /** Never fails: a supervisor that is gone ends `gone`. */
  const send = (message: unknown) => {
    try {
      process.send?.(message)
    } catch {
      // It is gone.
    }
  }
  return { send, gone }
}

const LOOK_MS = 2000
/** `WNOHANG`: return at once. */
const AT_ONCE = 1

/**
 * Asks every few seconds for the ends of processes that this one did not start, where it is the first process (Linux). That
 * of a container inherits processes whose parents were killed, which stay in the table of processes until it asks; Bun asks
 * for its own alone.
 * @param isOwn whether Bun asks for the end of a process
 */
export function reapOrphans(isOwn: (pid: number) => boolean): void {
  if (process.pid !== 1 || process.platform !== 'linux') return
  const { symbols } = dlopen('libc.so.6', {
    waitpid: { args: [FFIType.i32, FFIType.ptr, FFIType.i32], returns: FFIType.i32 },
  })
  const reap = () => {
    for (const pid of endedChildren()) if (!isOwn(pid)) symbols.waitpid(pid, null, AT_ONCE)
  }
  setInterval(reap, LOOK_MS).unref()
}

/** Children of this process that have ended and were not asked for. */
function endedChildren(): number[] {
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
  return pids.filter((pid) => {
    try {
      // The name may hold spaces and braces; state and parent come after it.
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return state === 'Z' && parent === String(process.pid)
    } catch {
      return false
    }
  })
}
