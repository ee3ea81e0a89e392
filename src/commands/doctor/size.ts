import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes of all files in a folder and those below it. */
export function sizeOf(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
