/** A second process that claims a work folder of the given data folder, prints its path, and waits to be killed. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DataDir } from '../../../src/store/files/data-dir.ts'

const folder = new DataDir(process.argv[2] ?? '').claimWorkFolder()
writeFileSync(join(folder.path, 'half-made.db'), 'x')
process.stdout.write(`${folder.path}\n`)
setInterval(() => {}, 1000)
