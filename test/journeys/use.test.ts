/** How data is used, as operators see it in the shell and in the metrics. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { izvor, JOURNEY_TIMEOUT, mint, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

test('calls, rows and bytes of a key, an account and a dataset are shown while the service runs', async () => {
  const data = join(tempDir(), 'data')
  const input = 'name,people\nCluj,286598\nDej,31475\n'
  await succeed(['ingest', '-', '--id', 'towns', '--domain', 'd', '--data', data], { input })
  await succeed(['users', 'create', 'ana@example.org', '--data', data])
  const json = async (...args: string[]) => JSON.parse(await succeed([...args, '--data', data, '--json']))
  const key = await json('keys', 'mint', '--email', 'ana@example.org', '--label', 'portal')
  expect(await json('keys', 'list', '--usage')).toMatchObject([{ key_id: key.key_id, usage: [] }])
  const service = await serve(data, ['serve', '--admin-port', '0'])
  const plain = { 'accept-encoding': 'identity' }
  await (await service.get('/v1/d/towns?limit=1', key.secret, plain)).text()
  const file = await (await service.get('/v1/d/towns/export', key.secret, plain)).text()
  await (await fetch(`${service.address}/datasets/towns/download?format=ndjson`)).text()
  const metrics = /"metrics":"([^"]+)"/.exec(service.output())?.[1] ?? ''
  const counted = await until(
    async () => await (await fetch(metrics)).text(),
    (text) => text.includes('via="pages"'),
  )
  const labels = 'dataset="towns",format="csv",via="key"'
  expect(counted).toContain(`izvor_dataset_calls_total{${labels}} 1\n`)
  expect(counted).toContain(`izvor_dataset_rows_sent_total{${labels}} 2\n`)
  expect(counted).toContain(`izvor_dataset_bytes_sent_total{${labels}} ${file.length}\n`)
  expect(counted).toContain('izvor_dataset_rows_sent_total{dataset="towns",format="ndjson",via="pages"} 2\n')

  const [listed] = await json('keys', 'list', '--usage')
  expect(listed.usage).toEqual([
    { dataset: 'towns', format: 'csv', calls: 1, rows: 2, bytes: file.length },
    { dataset: 'towns', format: 'json', calls: 1, rows: 1, bytes: expect.any(Number) },
  ])
  expect(await succeed(['keys', 'list', '--usage', '--data', data])).toMatch(/ calls +rows +sent\n.* 2 +3 /)
  expect((await izvor(['keys', 'list', '--data', data])).stdout).not.toContain('calls')
  expect((await json('users', 'show', 'ana@example.org')).usage).toMatchObject([
    { via: 'key', key_id: key.key_id, label: 'portal', dataset: 'towns', format: 'csv' },
    { via: 'key', format: 'json' },
  ])
  expect(await succeed(['users', 'show', 'ana@example.org', '--data', data])).toContain('portal')
  expect((await json('datasets', 'show', 'towns')).usage).toMatchObject([
    { via: 'pages', format: 'ndjson', rows: 2 },
    { label: 'portal', format: 'csv' },
    { label: 'portal', format: 'json' },
  ])
  const shown = await succeed(['datasets', 'show', 'towns', '--data', data])
  expect(shown).toMatch(/the open pages +ndjson +1 +2 /)
  expect(shown).toContain(`key ${key.key_id}, portal`)

  await succeed(['users', 'delete', 'ana@example.org', '--yes', '--data', data])
  const after = await succeed(['datasets', 'show', 'towns', '--data', data])
  expect(after).toMatch(/keys deleted since +csv +1 +2 /)
  expect(after).not.toContain('portal')
})

test('datasets in use are loaded again after a restart, before any request', async () => {
  const data = join(tempDir(), 'data')
  await succeed(['ingest', '-', '--id', 'towns', '--domain', 'd', '--data', data], { input: 'a\n1\n2\n' })
  const { secret } = await mint(data)
  const first = await serve(data)
  await (await first.get('/v1/d/towns', secret)).text()
  first.signal('SIGTERM')
  await first.exited
  const again = await serve(data, ['serve', '--admin-port', '0'])
  const metrics = /"metrics":"([^"]+)"/.exec(again.output())?.[1] ?? ''
  const open = async () => /open_datasets_bytes (\d+)/.exec(await (await fetch(metrics)).text())?.[1]
  expect(Number(await until(open, (bytes) => bytes !== '0'))).toBeGreaterThan(0)
})
