/** The process that reads workbooks, JSON and archives: what it leaves behind when it is interrupted. */

import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONVERTER } from '../../src/base/process/own-command.ts'
import type { IngestProgress } from '../../src/read/report/progress.ts'
import { convertFile } from '../../src/read/source/decode-source.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { xlsx, zip } from '../support/workbooks.ts'

const onLinux = process.platform === 'linux'

/** The converter that works in a folder, found among the children of a process. */
function converterIn(folder: string, parent: number | 'self' = 'self'): number | undefined {
  const tasks = readdirSync(`/proc/${parent}/task`)
  const children = tasks.flatMap((task) => {
    return readFileSync(`/proc/${parent}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean)
  })
  return children.map(Number).find((pid) => {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return command.includes(CONVERTER) && command.includes(folder)
  })
}

/** A source on which the converter's first read waits without end: nothing is written to it. */
function endlessSource(): { folder: string; path: string } {
  const folder = tempDir()
  const path = join(folder, 'pipe')
  expect(Bun.spawnSync(['mkfifo', path]).exitCode).toBe(0)
  return { folder, path }
}

test.skipIf(!onLinux)('killing a converter gives a plain error, and this process goes on', async () => {
  const { folder, path } = endlessSource()
  const converting = convertFile('table.xlsx', { path, folder })
  process.kill(await until(() => converterIn(folder)), 'SIGKILL')
  await expect(converting).rejects.toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('(table.xlsx: the process that reads it ended with signal SIGKILL)'),
  })
})

test("a source that cannot be read is an error of the converter, without a word of the program's own", async () => {
  const folder = tempDir()
  const converting = convertFile('table.xlsx', { path: join(folder, 'gone'), folder })
  await expect(converting).rejects.toThrow(
    /^Reading the file broke off\. [^(]*\(table\.xlsx: the process that reads it ended with exit code 1\)$/,
  )
})

test.skipIf(!onLinux)('a converter is ended after its time, even in the middle of a step', async () => {
  const converting = convertFile('table.xlsx', { ...endlessSource(), limits: { seconds: 0.1 } })
  await expect(converting).rejects.toMatchObject({
    kind: 'refused',
    message: 'Reading the file took too long. Save the table alone, as CSV, and use that. (table.xlsx)',
  })
})

test.skipIf(!onLinux)('a converter is ended when it takes more memory than allowed', async () => {
  const converting = convertFile('table.xlsx', { ...endlessSource(), limits: { memoryBytes: 1 << 20 } })
  await expect(converting).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringMatching(
      /^The file needs more memory than a file may take\. Save.*\(table\.xlsx\)$/,
    ),
  })
})

test.skipIf(!onLinux)('a converter does not outlive an ingest that was killed', async () => {
  const request = endlessSource()
  const script = `import { convertFile } from ${JSON.stringify(CONVERT)}
    await convertFile('table.xlsx', ${JSON.stringify(request)})`
  const ingest = Bun.spawn([process.execPath, '-e', script], { stdout: 'ignore', stderr: 'ignore' })
  const converter = await until(() => converterIn(request.folder, ingest.pid))
  ingest.kill('SIGKILL')
  await ingest.exited
  await until(() => !existsSync(`/proc/${converter}`) || isDefunct(converter) || undefined)
})

const CONVERT = join(import.meta.dir, '..', '..', 'src', 'read', 'source', 'decode-source.ts')

/** A process that has ended but has not been reaped. */
function isDefunct(pid: number): boolean {
  return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
}

test('the converter reports its progress to the ingest, for workbooks, JSON and archives', async () => {
  const objects = JSON.stringify({
    rows: Array.from({ length: 50_000 }, (_, id) => ({ id, name: `name ${id}` })),
  })
  const workbook = xlsx([
    { name: 'Towns', rows: [['id', 'name'], ...Array.from({ length: 500 }, (_, id) => [id, `name ${id}`])] },
  ])
  const sources: [string, Uint8Array, IngestProgress['phase'][]][] = [
    ['towns.xlsx', workbook, ['converting']],
    ['towns.xlsx.gz', Bun.gzipSync(workbook as Uint8Array<ArrayBuffer>), ['unpacking', 'converting']],
    ['rows.json', Buffer.from(objects), ['converting']],
    ['rows.zip', zip({ 'rows.json': objects }), ['unpacking', 'converting']],
  ]
  for (const [name, bytes, phases] of sources) {
    const folder = tempDir()
    const path = join(folder, name)
    writeFileSync(path, bytes)
    const steps: IngestProgress[] = []
    await convertFile(name, { path, folder }, (step) => steps.push(step))
    expect([...new Set(steps.map(({ phase }) => phase))]).toEqual(phases)
    for (const phase of phases) {
      const read = steps.filter((step) => step.phase === phase)
      expect(read.map((step) => step.bytes)).toEqual(read.map((step) => step.bytes).toSorted((a, b) => a - b))
      expect(read.every((step) => step.bytes > 0 && step.bytes <= (step.totalBytes ?? 0))).toBe(true)
    }
  }
})
