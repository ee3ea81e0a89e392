/** The first lines of the program: before it loads the others, it may start itself over. */

import './process/fast-memories.ts'

await import('./run-program.ts')
