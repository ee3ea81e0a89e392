/** A process and the one that supervises it: messages in both directions, and the end of either noticed by the other. */

export interface Supervisor {
  /** Never fails: a supervisor that is gone ends `gone`. */
  readonly send: (message: unknown) => void
  /** Fulfils when the supervisor has ended, however it ended. */
  readonly gone: Promise<void>
}

/**
 * The process that started this one to supervise it; undefined when nobody did.
 * @param receive gets its messages, all from the first one on
 */
export function openSupervisor(receive: (message: unknown) => void): Supervisor | undefined {
  if (process.send === undefined) return undefined
  const gone = new Promise<void>((resolve) => {
    process.on('disconnect', resolve)
  })
  process.on('message', receive)
  const send = (message: unknown) => {
    try {
      process.send?.(message)
    } catch {
      // It is gone.
    }
  }
  return { send, gone }
}
