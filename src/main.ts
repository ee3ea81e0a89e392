/** The start of the program, which may restart itself before it loads the rest. */

import './base/process/fast-memories.ts'
import { CONVERTER, DRAFT_WORKER } from './base/process/own-command.ts'

const word = process.argv[2]
if (word === CONVERTER || word === DRAFT_WORKER) await import('./run-helper.ts')
else await import('./run-program.ts')
