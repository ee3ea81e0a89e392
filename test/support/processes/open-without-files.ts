/** Opens a version file when no file is left to open, and again when there is one; prints the names of both results. */

import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { saysFilesShort } from '../../../src/base/process/open-files.ts'
import { VersionFile } from '../../../src/store/files/open-version.ts'

const [path = ''] = process.argv.slice(2)

function tryOpening(): string {
  try {
    VersionFile.open(path).close()
    return 'opened'
  } catch (error) {
    return saysFilesShort(error) ? 'no files' : (error as Error).name
  }
}

const before = tryOpening()
const taken: number[] = []
try {
  for (;;) taken.push(openSync(devNull, 'r'))
} catch {
  // None is left.
}
const during = tryOpening()
for (const file of taken) closeSync(file)
console.log(JSON.stringify([before, during, tryOpening()]))
