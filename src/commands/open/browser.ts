/** Opens an address in the browser of this machine's user. */

import { existsSync } from 'node:fs'
import { childEnvironment } from '../../base/process/child.ts'
import { type Language, terminalLanguage } from '../../base/text/language.ts'
import type { Cli } from '../cli/cli.ts'

/** Of each system: opens an address with the program that is chosen for its kind. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  darwin: ['open'],
}
const OF_DESKTOPS = ['xdg-open']

/**
 * Starts the browser: `$BROWSER`, the first of its commands, with `%s` for the address; else the system's.
 * @returns whether one could be started; one that ends with a failure counts as none
 */
export async function openInBrowser({ env }: Pick<Cli, 'env'>, address: string): Promise<boolean> {
  const command = browserCommand(env.BROWSER ?? '', address) ?? [...openerOf(process.platform), address]
  try {
    const stdio = ['ignore', 'ignore', 'ignore'] as const
    // In a group of its own: Ctrl-C on the terminal of the service must not end the browser.
    const child = Bun.spawn(command, { env: childEnvironment(), stdio: [...stdio], detached: true })
    child.unref()
    return (await Promise.race([child.exited, Bun.sleep(STARTED_MS)])) === 0 || child.exitCode === null
  } catch {
    return false
  }
}

/** What runs for so long is a browser. */
const STARTED_MS = 3000

const openerOf = (platform: NodeJS.Platform) => OPENERS[platform] ?? OF_DESKTOPS

/** Undefined where the variable names none. */
function browserCommand(given: string, address: string): string[] | undefined {
  const first = (process.platform === 'win32' ? given : given.split(':')[0]!).trim()
  if (first === '') return undefined
  // The path of a program may hold blanks.
  const words = existsSync(first) ? [first] : first.split(/\s+/)
  if (!words.some((word) => word.includes('%s'))) return [...words, address]
  return words.map((word) => word.replaceAll('%s', address))
}

/** The language of this machine's user. Where no variable says it, the system does (Windows, macOS). */
export function desktopLanguage({ env }: Pick<Cli, 'env'>): Language {
  return terminalLanguage(env)
}
