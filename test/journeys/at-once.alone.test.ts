/**
 * Changes that must hold at once (specification 5.4, contract 12): a call that begins after a change was acknowledged never
 * sees the state before it, even while callers keep the event loop busy; for one process, two workers and two nodes.
 */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { changeUnderLoad } from '../support/busy-callers.ts'
import { startCluster } from '../support/nodes/cluster.ts'
import { hasObjectStore } from '../support/object-store.ts'
import { PASSWORD } from '../support/passwords.ts'
import { hasPostgres } from '../support/postgres.ts'
import { tempDir } from '../support/temp-dir.ts'
import { bodyOf, JOURNEY_TIMEOUT, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

interface Place {
  /** One for each process that answers; people sign in at the first. */
  readonly addresses: readonly string[]
  /** Runs a command. */
  run(args: readonly string[], input?: string): Promise<string>
}

const ROWS = 3000
const MANY_CALLS = ['--per-minute', '10000000', '--monthly-quota', '100000000', '--max-active-keys', '50']

function tableOf(edition: string): string {
  const rows = Array.from({ length: ROWS }, (_, n) => `${n},${edition},place ${(n * 7919) % 1009}`)
  return `n,edition,place\n${rows.join('\n')}\n`
}

async function publish({ run }: Place, edition: string): Promise<void> {
  await run(['ingest', '-', '--id', 'towns', '--domain', 'test'], tableOf(edition))
}

/** Creates an account on a separate plan. */
async function openAccount({ addresses, run }: Place, name: string) {
  const email = `${name}@example.org`
  await run(['plans', 'set', name, ...MANY_CALLS])
  const headers = { 'content-type': 'application/json', connection: 'close' }
  const call = (method: string, path: string, more: Record<string, string>, body: object) =>
    fetch(`${addresses[0]}/account/api${path}`, {
      method,
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
      keepalive: false,
    })
  const answer = await call('POST', '/signup', {}, { email, password: PASSWORD })
  const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!
  const { csrf_token } = await bodyOf(answer)
  await run(['users', 'set-plan', email, name])
  return {
    email,
    /** A call of the console, over a new connection. */
    call: async (method: string, path: string, body: object = {}) => {
      const done = await call(method, path, { cookie, 'x-csrf-token': csrf_token }, body)
      if (!done.ok) throw new Error(`${method} ${path}: ${done.status} ${await done.text()}`)
      return done.status === 204 ? null : await done.json()
    },
  }
}

/** A list that no earlier call asked for. */
function anotherList(n: number): string {
  return `/v1/test/towns?limit=1000&n[gte]=${n % 1000}&n[lte]=${10_000 + n}`
}

function editionOf(body: unknown): string {
  return (body as { data: { edition: string }[] }).data[0]!.edition
}

async function changesOfKeys(place: Place): Promise<void> {
  const { addresses, run } = place
  const { email, call } = await openAccount(place, 'keys')
  const mint = (scopes: readonly string[] = ['read']) => call('POST', '/keys', { label: 'portal', scopes })
  const during = async (change: (keyId: number) => Promise<unknown>) => {
    const { key_id, secret } = await mint()
    return await changeUnderLoad({ addresses, secret, path: anotherList }, () => change(key_id))
  }
  const from200 = (after: string) => ({ before: ['200'], after: [after] })

  expect(await during((id) => call('POST', `/keys/${id}/revoke`))).toEqual(from200('401 api_key_revoked'))
  expect(await during((id) => call('POST', `/keys/${id}/rotate`))).toEqual(from200('401 api_key_invalid'))
  expect(await during((id) => call('PATCH', `/keys/${id}`, { scopes: ['publish:other'] }))).toEqual(
    from200('404 dataset_not_found'),
  )
  expect(await during((id) => run(['keys', 'revoke', String(id), '--yes']))).toEqual(
    from200('401 api_key_revoked'),
  )
  const less = ['plans', 'set', 'less', '--per-minute', '10000000', '--monthly-quota', '1']
  await run([...less, '--max-active-keys', '1'])
  expect(await during(() => run(['users', 'set-plan', email, 'less']))).toEqual(from200('429 quota_exceeded'))
  await run(['users', 'set-plan', email, 'keys'])
  expect(await during(() => call('DELETE', '/me', { password: PASSWORD }))).toEqual(
    from200('401 api_key_invalid'),
  )
}

async function changesOfRoles(place: Place): Promise<void> {
  const { addresses, run } = place
  const { email, call } = await openAccount(place, 'roles')
  await run(['users', 'set-role', email, 'publisher'])
  const { secret } = await call('POST', '/keys', { label: 'portal', scopes: ['publish'] })
  const caller = { addresses, secret, path: () => '/publish/api/datasets' }
  expect(await changeUnderLoad(caller, () => run(['users', 'set-role', email, 'reader']))).toEqual({
    before: ['200'],
    after: ['403 role_missing'],
  })
}

async function changesOfDatasets(place: Place): Promise<void> {
  const { addresses, run } = place
  const { secret } = JSON.parse(await run(['keys', 'mint', '--plan', 'unlimited', '--json']))
  const during = (change: () => Promise<unknown>) =>
    changeUnderLoad({ addresses, secret, path: anotherList, read: editionOf }, change)
  expect(await during(() => publish(place, 'second'))).toEqual({
    before: ['200 first'],
    after: ['200 second'],
  })
  expect(await during(() => run(['datasets', 'rollback', 'towns']))).toEqual({
    before: ['200 second'],
    after: ['200 first'],
  })
  expect(await during(() => run(['datasets', 'remove', 'towns', '--yes']))).toEqual({
    before: ['200 first'],
    after: ['404 dataset_not_found'],
  })
}

async function makeChanges(place: Place): Promise<void> {
  await publish(place, 'first')
  await changesOfKeys(place)
  await changesOfRoles(place)
  await changesOfDatasets(place)
}

for (const [what, command] of [
  ['one process', ['serve']],
  ['two workers', ['serve', '--workers', '2']],
] as const) {
  const isPossible = command.length === 1 || process.platform === 'linux'
  test.skipIf(!isPossible)(`with ${what}, a change holds for every call that begins after it`, async () => {
    const data = join(tempDir(), 'data')
    const run = (args: readonly string[], input?: string) =>
      succeed([...args, '--data', data], input === undefined ? {} : { input })
    const { address } = await serve(data, command)
    await makeChanges({ addresses: [address], run })
  })
}

test.skipIf(!hasPostgres || !hasObjectStore)(
  'with two nodes, a change holds for every call that begins after it',
  async () => {
    const { nodes, stop } = await startCluster(2)
    try {
      const run = (args: readonly string[], input?: string) => nodes[1]!.run(args, input)
      await makeChanges({ addresses: nodes.map(({ address }) => address), run })
    } finally {
      await stop()
    }
  },
)
