/** How this program was started, to start it again. */

import { basename } from 'node:path'

/** Whether Bun runs the sources; else this is the executable. */
export const fromSources = /^bun(\.exe)?$/.test(basename(process.execPath))

/** The command that its own arguments follow. */
export const ownCommand: readonly string[] = fromSources ? [process.execPath, Bun.main] : [process.execPath]
