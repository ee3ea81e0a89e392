/** Output to a pipe arrives complete however slowly it is read, and a reader that leaves early is not a failure. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { izvor, JOURNEY_TIMEOUT, start, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

/** Uses a pipe whose reader starts only after a program that does not wait for it would have ended. */
const SLOWLY = { through: ['sh', '-c', '{ "$0" "$@" || echo "ended with $?" >&2; } | (sleep 1; cat)'] }

async function refusedRows(data: string, count: number): Promise<void> {
  const good = Array.from({ length: count }, (_, row) => `${row},x`)
  const bad = Array.from({ length: count }, (_, row) => `${row},x,one cell too many, and it is a long one`)
  const options = ['--id', 'refused', '--domain', 'test', '--max-quarantine', '60%', '--data', data]
  await succeed(['ingest', '-', ...options], { input: `a,b\n${[...good, ...bad].join('\n')}\n` })
}

test('a slow reader gets a complete report of 4,000 columns', async () => {
  const folder = tempDir()
  const names = Array.from({ length: 4000 }, (_, column) => `column_${column}`)
  const file = join(folder, 'wide.csv')
  writeFileSync(file, `${names.join(',')}\n${names.map((_, column) => column).join(',')}\n`)
  const args = ['ingest', file, '--domain', 'test', '--data', join(folder, 'data'), '--dry-run', '--json']
  const { stdout, stderr } = await izvor(args, SLOWLY)
  expect(stderr).toBe('')
  expect(JSON.parse(stdout).columns).toHaveLength(names.length)
})

test('a slow reader gets a complete long quarantine', async () => {
  const data = join(tempDir(), 'data')
  await refusedRows(data, 20_000)
  const { stdout, stderr } = await izvor(
    ['datasets', 'quarantine', 'refused', '--json', '--data', data],
    SLOWLY,
  )
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toHaveLength(20_000)
})

test('a reader that leaves early causes no error and no message', async () => {
  const data = join(tempDir(), 'data')
  await refusedRows(data, 20_000)
  const child = start(['datasets', 'quarantine', 'refused', '--json', '--data', data])
  const reader = child.stdout.getReader()
  await reader.read()
  await reader.cancel()
  expect(await child.exited).toBe(0)
  expect(await child.stderr.text()).toBe('')
})

test('output that cannot be written is a failure with a message', async () => {
  if (!existsSync('/dev/full')) return console.log('skipped: there is no /dev/full')
  const { code, stderr } = await izvor(['version'], { through: ['sh', '-c', 'exec "$0" "$@" > /dev/full'] })
  expect(code).toBe(1)
  expect(stderr).toContain('cannot be written')
})
