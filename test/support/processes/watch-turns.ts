/**
 * Loaded before the program (`BUN_OPTIONS=--preload=…`): answers, on its own socket, the longest time in ms of processor time
 * that the main thread worked without a pause since the last question.
 */

import { rmSync } from 'node:fs'

let longest = 0
let before = used()

function used(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function note(): void {
  const now = used()
  longest = Math.max(longest, now - before)
  before = now
}

if (Bun.isMainThread) {
  const unix = process.env.WATCH_TURNS!
  // The program replaces its process once.
  rmSync(unix, { force: true })
  setInterval(note, 1)
  Bun.serve({
    unix,
    fetch() {
      note()
      const answer = String(longest)
      longest = 0
      return new Response(answer)
    },
  })
}
