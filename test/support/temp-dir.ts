/** Folders for tests, deleted at the end of the test. Use it inside a test. */

import { onTestFinished } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataDir } from '../../src/store/files/data-dir.ts'

export function tempDir(): string {
  const path = mkdtempSync(join(tmpdir(), 'izvor-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** An empty data folder. */
export function tempDataDir(): DataDir {
  const dataDir = new DataDir(join(tempDir(), 'data'))
  dataDir.create()
  return dataDir
}

/** Paths of the version files in a data folder. */
export function versionPaths(dataDir: DataDir): string[] {
  return dataDir.versionFiles().map(({ path }) => path)
}
