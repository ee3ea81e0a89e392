/** The first lines of the program: it may start itself over before it loads the rest. */

import './base/process/fast-memories.ts'
import { isHelperWord } from './base/process/own-command.ts'

if (isHelperWord(process.argv[2])) await import('./run-helper.ts')
else await import('./run-program.ts')
