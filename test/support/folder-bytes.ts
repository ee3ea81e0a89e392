/** All bytes of a folder, as a thief of the disk would read them. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every byte of every file below a folder, one file after the other. */
export function bytesBelow(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return Buffer.concat(files.map((file) => readFileSync(join(file.parentPath, file.name))))
}
