/** Opens a version file, a database and a work folder before, while and after file descriptors run out; prints the results. */

import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { saysFilesShort } from '../../../src/base/process/open-files.ts'
import { openDatabase } from '../../../src/db/open.ts'
import { VersionFile } from '../../../src/store/files/open-version.ts'
import { claimWorkFolder } from '../../../src/store/files/work-folder.ts'

const [path = '', folder = ''] = process.argv.slice(2)

const openings = [
  () => VersionFile.open(path).close(),
  () => openDatabase(join(folder, 'new.db')).close(),
  () => claimWorkFolder(join(folder, 'tmp')).release(),
]

function tryOpening(open: () => void): string {
  try {
    open()
    return 'opened'
  } catch (error) {
    return saysFilesShort(error) ? 'no files' : (error as Error).name
  }
}

const before = openings.map(tryOpening)
const taken: number[] = []
try {
  for (;;) taken.push(openSync(devNull, 'r'))
} catch {
  // None is left.
}
const during = openings.map(tryOpening)
for (const file of taken) closeSync(file)
console.log(JSON.stringify([before, during, openings.map(tryOpening)]))
