/**
 * To be imported before anything else (`main.ts`): what this module does, it does when it is loaded.
 *
 * Every open dataset has a WebAssembly memory of its own (`engine/regions.ts`). JavaScriptCore gives eight of them all
 * the addresses they could ever have; each further one stops the process for a full garbage collection, is checked at
 * every access, and is copied whenever it grows: sorts then take three times as long. How many there may be is an
 * option that is read before our first line, so commands that open datasets replace their process by the same one with
 * that option, once. It keeps its process id and its files. Whoever starts children hands the option on, which does them no
 * harm.
 */

import { fromSources, ownCommand } from './own-command.ts'

const OPTION = 'BUN_JSC_maxNumWasmFastMemories'
/** Each takes 4 GiB of addresses, of which some kernels for arm64 give a process 512 GiB. */
const MOST_MEMORIES = process.arch === 'arm64' ? 96 : 1000
const OPENS_DATASETS = ['serve', 'demo', 'bench']

function restart(args: readonly string[]): void {
  const env = { ...process.env, [OPTION]: String(MOST_MEMORIES) }
  const ofBun = fromSources ? process.execArgv : []
  try {
    process.execve?.(process.execPath, [process.argv0, ...ofBun, ...ownCommand.slice(1), ...args], env)
  } catch {
    // Slower with many datasets, and right all the same.
  }
}

const args = process.argv.slice(2)
// Windows cannot replace a process.
if (process.platform !== 'win32' && process.env[OPTION] === undefined) {
  if (OPENS_DATASETS.includes(args.find((arg) => !arg.startsWith('-')) ?? '')) restart(args)
}
