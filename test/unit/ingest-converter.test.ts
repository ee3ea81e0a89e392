/** The process that reads workbooks, JSON and archives: what it leaves behind when it does not end as it should. */

import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONVERTER } from '../../src/ingest/source/conversion.ts'
import { convertFile } from '../../src/ingest/source/convert.ts'
import { tempDir } from '../support/temp-dir.ts'

const onLinux = process.platform === 'linux'

/** The converter that works in a folder, found among this process's children. */
function converterIn(folder: string): number | undefined {
  const tasks = readdirSync('/proc/self/task')
  const children = tasks.flatMap((task) => {
    return readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean)
  })
  return children.map(Number).find((pid) => {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return command.includes(CONVERTER) && command.includes(folder)
  })
}

test.skipIf(!onLinux)(
  'a converter that is killed ends in a plain error, and this process goes on',
  async () => {
    const folder = tempDir()
    // Nobody writes to it: the converter waits in the first read.
    const path = join(folder, 'pipe')
    expect(Bun.spawnSync(['mkfifo', path]).exitCode).toBe(0)
    const converting = convertFile('table.xlsx', { path, folder })
    const converter = converterIn(folder)
    expect(converter).toBeNumber()
    process.kill(converter as number, 'SIGKILL')
    await expect(converting).rejects.toMatchObject({
      kind: 'failed',
      message: 'table.xlsx could not be read: the process that reads it ended with signal SIGKILL',
    })
  },
)

test('a source that cannot be read is an error of the converter, told with its words', async () => {
  const folder = tempDir()
  const converting = convertFile('table.xlsx', { path: join(folder, 'gone'), folder })
  await expect(converting).rejects.toThrow(/table\.xlsx could not be read: .*exit code 1: .*gone/s)
})
