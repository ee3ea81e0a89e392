/** What the program was asked to do: its arguments, or `open` if a file manager started it. */

import { isatty } from 'node:tty'

const MESSAGES = 2
const STANDARD_STREAMS = [0, 1, MESSAGES]

/**
 * Whether this process has a console to itself, which the system makes for a program that a file manager starts. In a
 * shell's console the shell runs too.
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
    // On some processors the runtime has no foreign functions; then the program prints its help.
    return false
  }
}

/** Elsewhere a file manager gives programs a display but no terminal; services and scheduled jobs have neither. */
function hasDisplayAlone({ DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): boolean {
  const hasDisplay = process.platform === 'darwin' || Boolean(DISPLAY) || Boolean(WAYLAND_DISPLAY)
  return hasDisplay && !STANDARD_STREAMS.some((stream) => isatty(stream))
}

/** A file manager passes nothing, or the path of a file dropped on the program, which may be gone by then. */
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

/** Whether nobody reads its messages: it was opened on a desktop, without a terminal that stays. */
export const isUnread = isByFileManager || (given[0] === 'open' && !isatty(MESSAGES))
