/** With a missing, new, old or broken catalog nothing is deleted, and every command says what happened. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { izvor, JOURNEY_TIMEOUT, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const DAMAGED = 6

async function publish(data: string, id: string): Promise<void> {
  await succeed(['ingest', '-', '--id', id, '--domain', 'test', '--data', data], { input: 'a,b\n1,2\n3,4\n' })
}

function loseCatalog(data: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(data, `catalog.db${suffix}`), { force: true })
}

const versionFiles = (data: string) =>
  readdirSync(join(data, 'datasets'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.db'),
  )

for (const how of ['missing', 'empty'] as const) {
  test(`a ${how} catalog beside version files stops every command and deletes nothing`, async () => {
    const data = join(tempDir(), 'data')
    await publish(data, 'one')
    await publish(data, 'two')
    loseCatalog(data)
    if (how === 'empty') {
      const other = join(tempDir(), 'data')
      await succeed(['keys', 'mint', '--plan', 'free', '--data', other])
      copyFileSync(join(other, 'catalog.db'), join(data, 'catalog.db'))
    }
    for (const args of [
      ['serve', '--port', '0'],
      ['demo', '--port', '0'],
      ['ingest', '-', '--id', 'one', '--domain', 'test'],
      ['datasets', 'list'],
      ['datasets', 'remove', 'one', '--yes'],
    ]) {
      const { code, stdout, stderr } = await izvor([...args, '--data', data], { input: 'a,b\n1,2\n' })
      expect([args, code, stdout]).toEqual([args, DAMAGED, ''])
      expect(stderr).toMatch(
        /^izvor: .*catalog\.db .* holds 2 version files .*Restore catalog\.db from a backup/,
      )
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    }
    expect(versionFiles(data).toSorted()).toEqual([join('one', '1.db'), join('two', '1.db')])

    const verified = await izvor(['datasets', 'verify', '--data', data, '--json'])
    expect(verified.code).toBe(DAMAGED)
    const findings = JSON.parse(verified.stdout)
    const problem = expect.stringContaining('holds 2 version files')
    expect(findings).toContainEqual(expect.objectContaining({ file: join(data, 'catalog.db'), problem }))
    expect(findings).toContainEqual(expect.objectContaining({ dataset: 'one', version: 1, problem: null }))
    expect(findings).toContainEqual(expect.objectContaining({ dataset: 'two', version: 1, problem: null }))
  })
}

test('verify reports files that an older catalog does not know as damage, and serving keeps them', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, 'one')
  const backup = join(tempDir(), 'catalog.db')
  copyFileSync(join(data, 'catalog.db'), backup)
  await publish(data, 'two')
  loseCatalog(data)
  copyFileSync(backup, join(data, 'catalog.db'))

  const { code, stderr } = await izvor(['datasets', 'verify', '--data', data])
  expect(code).toBe(DAMAGED)
  expect(stderr).toContain(`${join('two', '1.db')} is not known to the catalog`)
  expect((await izvor(['datasets', 'verify', 'one', '--data', data])).code).toBe(0)
  expect((await izvor(['datasets', 'verify', 'two', '--data', data])).code).toBe(DAMAGED)
  const service = await serve(data)
  expect(service.output()).toContain(join('two', '1.db'))
  service.signal('SIGTERM')
  await service.exited
  expect(versionFiles(data)).toHaveLength(2)
})

test('a catalog with overwritten pages is named without a stack trace, and verify still checks the files', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, 'one')
  await publish(data, 'two')
  const catalog = join(data, 'catalog.db')
  const file = openSync(catalog, 'r+')
  // All pages except the first, which holds the schema, so the file still opens.
  const size = statSync(catalog).size - 4096
  writeSync(file, new Uint8Array(size).fill(0xa5), 0, size, 4096)
  closeSync(file)

  for (const args of [
    ['datasets', 'list'],
    ['datasets', 'show', 'one'],
    ['datasets', 'rollback', 'one'],
    ['ingest', '-', '--id', 'three', '--domain', 'test'],
    ['serve', '--port', '0'],
  ]) {
    const { code, stderr } = await izvor([...args, '--data', data], { input: 'a\n1\n' })
    expect([args, code]).toEqual([args, DAMAGED])
    expect(stderr).toContain('catalog.db')
    expect(stderr).not.toMatch(/ at .*\.ts|SqliteError/)
  }
  writeFileSync(join(data, 'datasets', 'two', '1.db'), 'no database')
  const verified = await izvor(['datasets', 'verify', '--data', data, '--json'])
  expect(verified.code).toBe(DAMAGED)
  const findings: { dataset: string | null; file: string; problem: string | null }[] = JSON.parse(
    verified.stdout,
  )
  const problemOf = (path: string) =>
    findings.filter((finding) => finding.file === path).map(({ problem }) => problem)
  expect(problemOf(catalog)).toEqual([expect.stringContaining('malformed')])
  expect(problemOf(join(data, 'datasets', 'one', '1.db'))).toEqual([null])
  expect(problemOf(join(data, 'datasets', 'two', '1.db'))).toEqual([expect.stringContaining('damaged')])
  expect(versionFiles(data)).toHaveLength(2)
})
