/** How this program was started, to start it again. */

import { basename, join } from 'node:path'

/** Whether Bun runs the sources; otherwise this is the compiled executable. */
export const fromSources = /^bun(\.exe)?$/.test(basename(process.execPath))

/** Arguments that start the program as its own helper (`run-helper.ts`). */
export const CONVERTER = '--convert'
export const DRAFT_WORKER = '--work-on-draft'

/** Starts this program even when Bun runs a test or a script; for the helpers' arguments. */
export const ownProgram: readonly string[] = fromSources
  ? [process.execPath, join(import.meta.dir, '..', '..', 'main.ts')]
  : [process.execPath]

/** The command as this process was started, without its arguments. */
export const ownCommand: readonly string[] = fromSources ? [process.execPath, Bun.main] : [process.execPath]
