import { expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../src/base/errors.ts'
import { DataDir } from '../../src/store/files/data-dir.ts'
import { startScript } from '../support/run-script.ts'
import { tempDataDir, tempDir, versionPaths } from '../support/temp-dir.ts'

const isRoot = process.getuid?.() === 0

test('a new data directory belongs to its owner alone', () => {
  if (process.platform === 'win32') return
  const dataDir = new DataDir(join(tempDir(), 'a', 'b'))
  dataDir.create()
  dataDir.create()
  for (const path of [dataDir.root, dataDir.datasetsDir, dataDir.tmpDir]) {
    expect(statSync(path).mode & 0o777).toBe(0o700)
  }
})

test('a folder that cannot be used says why', () => {
  const folder = tempDir()
  writeFileSync(join(folder, 'file'), '')
  const create = (path: string) => () => new DataDir(join(folder, path)).create()
  expect(create('file')).toThrow(
    new CommandError(
      'failed',
      `the data directory ${folder}/file cannot be used: it is a file, not a folder`,
    ),
  )
  expect(create('file/below')).toThrow(/a file stands where file should be a folder/)
  if (isRoot || process.platform === 'win32') return // Permissions do not stop root.
  mkdirSync(join(folder, 'locked'))
  chmodSync(join(folder, 'locked'), 0o500)
  expect(create('locked/below')).toThrow(/this user has no rights to it/)
})

test('a command that needs a data directory refuses one without a catalog', () => {
  const dataDir = tempDataDir()
  expect(() => dataDir.requireExisting()).toThrow(/is not an Izvor data directory/)
  writeFileSync(dataDir.catalogDb, '')
  dataDir.requireExisting()
})

test('a version is placed under its id and number, and listed', () => {
  const dataDir = tempDataDir()
  const finished = join(dataDir.tmpDir, 'finished')
  writeFileSync(finished, 'bytes')
  writeFileSync(join(dataDir.datasetsDir, 'stray'), '')
  dataDir.placeVersion(finished, 'siruta', 12)
  writeFileSync(join(dataDir.datasetsDir, 'siruta', 'notes.txt'), '')
  expect(existsSync(finished)).toBe(false)
  expect(versionPaths(dataDir)).toEqual([dataDir.versionFile('siruta', 12)])
  dataDir.discard([dataDir.versionFile('siruta', 12), dataDir.versionFile('siruta', 13)])
  expect(versionPaths(dataDir)).toEqual([])
})

test('a sweep keeps the folders of running processes and deletes those of killed ones', async () => {
  const dataDir = tempDataDir()
  const own = dataDir.claimWorkFolder()
  const { child, firstLine: other } = await startScript('hold-work-folder.ts', dataDir.root)
  mkdirSync(join(dataDir.tmpDir, 'left-without-lock'))

  dataDir.sweep()
  expect(
    readdirSync(dataDir.tmpDir, { withFileTypes: true }).filter((entry) => entry.isDirectory()),
  ).toHaveLength(2)
  expect(existsSync(join(other, 'half-made.db'))).toBe(true)

  child.kill('SIGKILL')
  await child.exited
  dataDir.sweep()
  expect(existsSync(other)).toBe(false)
  expect(existsSync(own.path)).toBe(true)

  own.release()
  own.release()
  expect(existsSync(own.path)).toBe(false)
})

test('free space is what the disk reports', () => {
  expect(tempDataDir().freeBytes()).toBeGreaterThan(0)
})
