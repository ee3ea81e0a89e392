/** Pipes and devices where files are expected. */

import { expect, test } from 'bun:test'
import { readdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { izvor, start } from './program.ts'

const data = () => join(tempDir(), 'data')

function pipeIn(folder: string, name: string): string {
  const path = join(folder, name)
  Bun.spawnSync(['mkfifo', path])
  return path
}

/** Files in work folders, except locks. */
function workFiles(folder: string): string[] {
  const found = readdirSync(join(folder, 'tmp'), { recursive: true, encoding: 'utf8' })
  return found.filter((name) => name.endsWith('source'))
}

test.skipIf(process.platform === 'win32')(
  'a pipe in place of a settings file, a secret or a definition is refused with a clear message',
  async () => {
    const folder = tempDir()
    const pipe = pipeIn(folder, 'izvor.toml')
    const csv = join(folder, 'a.csv')
    writeFileSync(csv, 'a,b\n1,2\n')
    for (const [args, options] of [
      [['config'], { cwd: folder }],
      [['config'], { env: { IZVOR_SMTP_URL_FILE: pipe } }],
      [['ingest', csv, '--definition', pipe, '--data', data()], {}],
      [['serve', '--tls-cert', pipe, '--tls-key', pipe, '--data', data()], {}],
    ] as [string[], object][]) {
      const { code, stderr } = await izvor(args, options)
      expect([args, code === 0]).toEqual([args, false])
      expect(stderr).toContain('it is a pipe or a device: a regular file is needed')
    }
  },
)

test.skipIf(process.platform !== 'linux')(
  'an endless device is refused before it takes the space that disk_floor reserves, and leaves nothing behind',
  async () => {
    const folder = data()
    const { bavail, bsize } = statfsSync(tempDir())
    // All free space except 64 MB.
    const env = { IZVOR_DISK_FLOOR: String(bavail * bsize - 64 * 2 ** 20) }
    const args = ['--domain', 'd', '--id', 'zeros', '--data', folder]
    for (const [file, input] of [
      ['/dev/zero', undefined],
      ['-', new Blob([new Uint8Array(2 ** 26)]).stream()],
    ] as const) {
      const { code, stderr } = await izvor(['ingest', file, ...args], { env, ...(input && { input }) })
      expect([file, code]).toEqual([file, 1])
      expect(stderr).toContain('above disk_floor')
      expect(workFiles(folder)).toEqual([])
    }
  },
)

test.skipIf(process.platform !== 'linux').each(['SIGINT', 'SIGTERM'] as const)(
  'the copy of a device is deleted if %s ends the command',
  async (signal) => {
    const folder = data()
    const child = start(['ingest', '/dev/zero', '--domain', 'd', '--id', 'zeros', '--data', folder])
    await until(() => {
      try {
        return workFiles(folder).length > 0
      } catch {
        return false
      }
    })
    child.kill(signal)
    await child.exited
    expect(child.signalCode).toBe(signal)
    expect(workFiles(folder)).toEqual([])
  },
)
