/** With a missing, old or broken `accounts.db` no number is reused, nothing is changed, and every command says what to do. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { izvor, JOURNEY_TIMEOUT, mint, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const DAMAGED = 6

async function publish(data: string): Promise<void> {
  await succeed(['ingest', '-', '--id', 'one', '--domain', 'test', '--data', data], {
    input: 'a,b\n1,2\n3,4\n',
  })
}

/** The current `accounts.db` with its side files. */
function copyAccounts(from: string, to: string): void {
  for (const name of readdirSync(to)) if (name.startsWith('accounts.db')) rmSync(join(to, name))
  for (const name of readdirSync(from))
    if (name.startsWith('accounts.db')) cpSync(join(from, name), join(to, name))
}

async function expectRefusal(data: string, state: RegExp): Promise<void> {
  for (const args of [
    ['serve', '--port', '0'],
    ['keys', 'mint', '--plan', 'free'],
    ['users', 'create', 'ana@example.org'],
  ]) {
    const { code, stdout, stderr } = await izvor([...args, '--data', data])
    expect([args, code, stdout]).toEqual([args, DAMAGED, ''])
    expect(stderr).toMatch(state)
    expect(stderr).toMatch(/Put the latest accounts\.db back, or restore a backup .* move usage\.db/)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  }
}

for (const how of ['missing', 'cut to nothing'] as const) {
  test(`accounts that are ${how} beside a filled catalog stop the start until a backup is restored`, async () => {
    const data = join(tempDir(), 'data')
    await publish(data)
    const { secret } = await mint(data)
    const backup = join(tempDir(), 'backup.tar')
    await succeed(['backup', backup, '--data', data])
    if (how === 'missing') copyAccounts(tempDir(), data)
    else truncateSync(join(data, 'accounts.db'))
    await expectRefusal(data, /accounts\.db is missing or empty/)
    await succeed(['restore', backup, '--yes', '--data', data])
    expect((await (await serve(data)).get('/v1/test/one', secret)).status).toBe(200)
  })
}

test('accounts that are one change behind stop the start, also after a kill if the lost key was used', async () => {
  for (const isUsed of [false, true]) {
    const data = join(tempDir(), 'data')
    await publish(data)
    await mint(data)
    const older = tempDir()
    copyAccounts(data, older)
    if (isUsed) {
      const service = await serve(data)
      const { secret } = await mint(data)
      expect((await service.get('/v1/test/one', secret)).status).toBe(200)
      await expect(
        succeed(['keys', 'list', '--json', '--data', data]).then((text) => JSON.parse(text)[1].last_used_at),
      ).resolves.toBeString()
      service.signal('SIGKILL')
      await service.exited
    } else await mint(data)
    copyAccounts(older, data)
    await expectRefusal(
      data,
      /accounts\.db is too old: (it never gave out key 2|its last change is number \d+, not \d+)/,
    )
    // The remedy that the message gives.
    mkdirSync(join(data, '..', 'aside'))
    for (const name of readdirSync(data)) {
      if (name.startsWith('usage.db')) renameSync(join(data, name), join(data, '..', 'aside', name))
    }
    expect((await mint(data)).key_id).toBe(2)
    const service = await serve(data)
    expect((await fetch(`${service.address}/health/ready`)).status).toBe(200)
  }
})
