/** What the program was asked to do: its arguments, or `open` where a file manager started it. */

import { isatty } from 'node:tty'

const MESSAGES = 2
const STANDARD_STREAMS = [0, 1, MESSAGES]

/**
 * Whether this process has a console to itself: the system made it for a program that a file manager started. A console of
 * a shell has the shell beside it.
 */
async function hasOwnConsole(): Promise<boolean> {
  try {
    const { dlopen } = await import('bun:ffi')
    const { symbols, close } = dlopen('kernel32.dll', {
      GetConsoleProcessList: { args: ['ptr', 'u32'], returns: 'u32' },
    })
    const processes = new Uint32Array(2)
    const count = symbols.GetConsoleProcessList(processes, processes.length)
    close()
    return count === 1
  } catch {
    // A runtime without foreign functions, as on some processors: it prints the help.
    return false
  }
}

/** Elsewhere a file manager gives its programs no terminal; services and schedules have no display either. */
function hasDisplayAlone({ DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): boolean {
  const hasDisplay = process.platform === 'darwin' || Boolean(DISPLAY) || Boolean(WAYLAND_DISPLAY)
  return hasDisplay && !STANDARD_STREAMS.some((stream) => isatty(stream))
}

/** A file manager gives nothing, or the path of a file that was dropped on the program; it may be gone by then. */
function isOfFileManager(args: readonly string[]): boolean {
  const [first] = args
  return args.length === 0 || (args.length === 1 && /^(?!-).*([\\/]|\.\w+$)/.test(first!))
}

async function startedByFileManager(args: readonly string[]): Promise<boolean> {
  if (!isOfFileManager(args)) return false
  return process.platform === 'win32' ? await hasOwnConsole() : hasDisplayAlone(process.env)
}

const given = process.argv.slice(2)
const isByFileManager = await startedByFileManager(given)

/** The arguments without the program, beginning with the command. */
export const ownArguments: readonly string[] = isByFileManager ? ['open', ...given] : given

/** Whether nobody reads its messages: it was opened on a desktop, and has no terminal that stays. */
export const isUnread = isByFileManager || (given[0] === 'open' && !isatty(MESSAGES))
