/** A process and its supervisor: messages in both directions, and how the end of a process is noticed. */

import { dlopen, FFIType } from 'bun:ffi'
import { readdirSync, readFileSync } from 'node:fs'

/**
 * The process that started this one to supervise it; undefined when there is none.
 * @param receive gets all its messages, from the first one on
 */
export function openSupervisor(receive: (message: unknown) => void) {
  if (process.send === undefined) return undefined
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  process.on('disconnect', resolve)
  process.on('message', receive)
  /** Never throws: `gone` resolves when the supervisor has ended. */
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
 * Reaps orphaned processes every few seconds if this is process 1 (Linux). The first process of a container inherits
 * processes whose parents were killed, and they stay in the process table until it waits for them; Bun waits only for
 * its own children.
 * @param isOwn whether Bun waits for a process
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

/** Children of this process that have ended and were not waited for. */
function endedChildren(): number[] {
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
  return pids.filter((pid) => {
    try {
      // The name may hold spaces and brackets; state and parent come after it.
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return state === 'Z' && parent === String(process.pid)
    } catch {
      return false
    }
  })
}
