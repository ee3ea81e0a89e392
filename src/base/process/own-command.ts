/** How this program was started, to start it again. */

import { basename, join } from 'node:path'

/** Whether Bun runs the sources; else this is the executable. */
export const fromSources = /^bun(\.exe)?$/.test(basename(process.execPath))

/** Words that make the program a helper of itself (`run-helper.ts`). */
export const CONVERTER = '--convert'
export const DRAFT_WORKER = '--work-on-draft'

/** The same program, also where a test or a script of ours is what Bun runs: for words that no command has. */
export const ownProgram: readonly string[] = fromSources
  ? [process.execPath, join(import.meta.dir, '..', '..', 'main.ts')]
  : [process.execPath]

/** The command that its own arguments follow. */
export const ownCommand: readonly string[] = fromSources ? [process.execPath, Bun.main] : [process.execPath]
