/** Programs for Windows run by Wine, with what Wine 8 lacks (`bcryptprimitives.c`). */

import { onTestFinished } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../find-program.ts'
import { tempDir } from '../temp-dir.ts'

const COMPILER = 'x86_64-w64-mingw32-gcc'

export interface Wine {
  /** The words before the program. */
  readonly through: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Tells all processes of a program that their console is closed. @param name of its file */
  closeConsole(name: string): Promise<void>
}

/** Whether Wine and a compiler for Windows are installed; prints which is missing. */
export function hasWine(): boolean {
  return ['wine', 'wineserver', COMPILER].every((name) => findProgram(name) !== null)
}

/** A new Windows installation, which ends with the test. */
export async function startWine(): Promise<Wine> {
  const prefix = join(tempDir(), 'windows')
  const env = {
    WINEPREFIX: prefix,
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'bcryptprimitives=n;mscoree,mshtml=',
  }
  const run = async (...command: string[]) => {
    const child = Bun.spawn(command, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    return await child.exited
  }
  const compile = (name: string, target: string, ...options: string[]) =>
    run(COMPILER, ...options, '-O2', '-o', target, join(import.meta.dir, `${name}.c`), '-ladvapi32')
  await run('wineboot', '--init')
  onTestFinished(async () => {
    await run('wineserver', '--kill')
    await run('wineserver', '--wait')
  })
  const library = join(prefix, 'drive_c', 'windows', 'system32', 'bcryptprimitives.dll')
  const closer = join(prefix, 'drive_c', 'close-console.exe')
  await compile('bcryptprimitives', library, '-shared')
  await compile('close-console', closer, '-municode')
  if (!existsSync(library) || !existsSync(closer)) throw new Error('Wine could not be set up')
  return {
    through: ['wine'],
    env,
    async closeConsole(name) {
      if ((await run('wine', closer, name)) !== 0) throw new Error(`no process of ${name}`)
    },
  }
}
