/** Opens an address in the browser of this machine's user. */

import { existsSync } from 'node:fs'
import { childEnvironment } from '../../base/process/child.ts'
import type { Cli } from '../cli/cli.ts'

/** Each system's command that opens an address with the program chosen for it. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  darwin: ['open'],
}
const OF_DESKTOPS = ['xdg-open']

/**
 * Starts the browser: the first command in `$BROWSER`, with `%s` for the address, or else the system's.
 * @returns whether it started; one that ends with a failure did not
 */
export async function openInBrowser({ env }: Pick<Cli, 'env'>, address: string): Promise<boolean> {
  const command = browserCommand(env.BROWSER ?? '', address) ?? [...openerOf(process.platform), address]
  try {
    const stdio = ['ignore', 'ignore', 'ignore'] as const
    // Detached, so that Ctrl-C on the service's terminal does not end the browser.
    const child = Bun.spawn(command, { env: childEnvironment(), stdio: [...stdio], detached: true })
    child.unref()
    return (await Promise.race([child.exited, Bun.sleep(STARTED_MS)])) === 0 || child.exitCode === null
  } catch {
    return false
  }
}

/** A command that runs this long is a browser. */
const STARTED_MS = 3000

const openerOf = (platform: NodeJS.Platform) => OPENERS[platform] ?? OF_DESKTOPS

/** @returns undefined if the variable names no command */
function browserCommand(given: string, address: string): string[] | undefined {
  const first = (process.platform === 'win32' ? given : given.split(':')[0]!).trim()
  if (first === '') return undefined
  // The path of a program may hold blanks.
  const words = existsSync(first) ? [first] : first.split(/\s+/)
  if (!words.some((word) => word.includes('%s'))) return [...words, address]
  return words.map((word) => word.replaceAll('%s', address))
}
