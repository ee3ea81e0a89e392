/** Removes the files that an ingest copied or fetched when a signal ends it. */

import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** While it is in use, a signal that ends the process empties the folder first. */
export function emptiedAtSignal(folder: string): Disposable {
  const end = (signal: NodeJS.Signals) => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true })
    leave()
    process.kill(process.pid, signal)
  }
  const leave = () => {
    for (const signal of SIGNALS) process.off(signal, end)
  }
  for (const signal of SIGNALS) process.on(signal, end)
  return { [Symbol.dispose]: leave }
}
