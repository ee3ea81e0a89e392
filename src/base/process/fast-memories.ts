/**
 * Import this before anything else (`main.ts`): it acts when it is loaded.
 *
 * Every open dataset has a WebAssembly memory of its own (`engine/memory/regions.ts`). JavaScriptCore reserves the full
 * address range for eight of them. Each further one costs a full garbage collection, a check at every access and a copy
 * whenever it grows: sorts take three times as long. The number is an option that JavaScriptCore reads before our first
 * line runs, so commands that open datasets replace their process once with the same program and that option. Process id
 * and open files stay. Child processes inherit the option, which is harmless.
 */

import { ownArguments } from './own-arguments.ts'
import { fromSources, ownCommand } from './own-command.ts'

const OPTION = 'BUN_JSC_maxNumWasmFastMemories'
/** Each takes 4 GiB of addresses, of which some kernels for arm64 give a process 512 GiB. */
const MOST_MEMORIES = process.arch === 'arm64' ? 96 : 1000
const OPENS_DATASETS = ['serve', 'demo', 'open']

function restart(args: readonly string[]): void {
  const env = { ...process.env, [OPTION]: String(MOST_MEMORIES) }
  const ofBun = fromSources ? process.execArgv : []
  try {
    process.execve?.(process.execPath, [process.argv0, ...ofBun, ...ownCommand.slice(1), ...args], env)
  } catch {
    // Then many open datasets are slower; nothing else changes.
  }
}

// Windows cannot replace a process.
if (process.platform !== 'win32' && process.env[OPTION] === undefined) {
  if (OPENS_DATASETS.includes(ownArguments.find((arg) => !arg.startsWith('-')) ?? '')) restart(ownArguments)
}
