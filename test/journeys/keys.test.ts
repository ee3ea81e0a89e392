/** Changes to keys on the command line apply from the next request to a service in another process. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { errorCodeOf, izvor, JOURNEY_TIMEOUT, mint, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

test('a revoked key is refused at the next request', async () => {
  const data = join(tempDir(), 'data')
  const { key_id, secret } = await mint(data)
  const service = await serve(data)
  expect((await service.get('/v1/datasets', secret)).status).toBe(200)
  await succeed(['keys', 'revoke', String(key_id), '--yes', '--data', data])
  const refused = await service.get('/v1/datasets', secret)
  expect(refused.status).toBe(401)
  expect(await errorCodeOf(refused)).toBe('api_key_revoked')
})

test('a rotated key keeps its id, the old secret is refused at once and the new one is accepted', async () => {
  const data = join(tempDir(), 'data')
  const { key_id, secret } = await mint(data)
  const service = await serve(data)
  expect((await service.get('/v1/datasets', secret)).status).toBe(200)
  const rotated = JSON.parse(await succeed(['keys', 'rotate', String(key_id), '--data', data, '--json']))
  expect([rotated.key_id, rotated.state]).toEqual([key_id, 'active'])
  expect(rotated.secret).toMatch(/^rok_[0-9A-Za-z]{38}$/)
  const refused = await service.get('/v1/datasets', secret)
  expect(await errorCodeOf(refused)).toBe('api_key_invalid')
  expect((await service.get('/v1/datasets', rotated.secret)).status).toBe(200)
})

test('a key minted while the service runs is accepted at once, and the list shows its last use', async () => {
  const data = join(tempDir(), 'data')
  await mint(data)
  const service = await serve(data)
  const { key_id, secret } = await mint(data)
  expect((await service.get('/v1/datasets', secret)).status).toBe(200)
  service.signal('SIGTERM')
  await service.exited
  const keys = JSON.parse(await succeed(['keys', 'list', '--data', data, '--json'])) as Record<
    string,
    unknown
  >[]
  expect(keys.find((key) => key.key_id === key_id)?.last_used_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  expect(JSON.stringify(keys)).not.toContain(secret)
})

test('only a revoked key can be deleted, and its number is not reused', async () => {
  const data = join(tempDir(), 'data')
  const { key_id } = await mint(data)
  const active = await izvor(['keys', 'delete', String(key_id), '--yes', '--data', data])
  expect(active.code).toBe(1)
  expect(active.stderr).toContain('revoke')
  await succeed(['keys', 'revoke', String(key_id), '--yes', '--data', data])
  const deleted = await succeed(['keys', 'delete', String(key_id), '--yes', '--json', '--data', data])
  expect(JSON.parse(deleted)).toEqual({ deleted: true, key_id })
  expect(JSON.parse(await succeed(['keys', 'list', '--data', data, '--json']))).toEqual([])
  expect((await mint(data)).key_id).toBeGreaterThan(key_id)
})

test('revoking and deleting without --yes and without a terminal is wrong usage and changes nothing', async () => {
  const data = join(tempDir(), 'data')
  const { key_id } = await mint(data)
  for (const verb of ['revoke', 'delete']) {
    const refused = await izvor(['keys', verb, String(key_id), '--data', data])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('--yes')
  }
  const [key] = JSON.parse(await succeed(['keys', 'list', '--data', data, '--json']))
  expect(key.state).toBe('active')
})

test('no file in the data folder contains the secret of a key', async () => {
  const data = join(tempDir(), 'data')
  const { secret } = await mint(data)
  for (const name of readdirSync(data, { recursive: true, withFileTypes: true })) {
    if (name.isFile()) expect(readFileSync(join(name.parentPath, name.name)).includes(secret)).toBe(false)
  }
})
