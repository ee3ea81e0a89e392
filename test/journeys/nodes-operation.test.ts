/** Operating several nodes: the doctor checks what they share, and a backup moves one folder to nodes and back. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Postgres } from '../../src/db/postgres/open.ts'
import { nodeTable } from '../../src/db/postgres/shared-catalog.ts'
import type { Finding } from '../../src/upkeep/desk-work.ts'
import { hasObjectStore, STORE_CREDENTIALS, startObjectStore } from '../support/object-store.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { tempDir } from '../support/temp-dir.ts'
import { bodyOf, izvor, JOURNEY_TIMEOUT, mint, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

let server: TestPostgres
beforeAll(async () => {
  if (hasPostgres && hasObjectStore) server = await startPostgres()
})
afterAll(() => server?.stop())

async function settingsOfNodes(): Promise<Record<string, string>> {
  const store = await startObjectStore()
  return {
    ...STORE_CREDENTIALS,
    IZVOR_DATABASE_URL: await server.createDatabase(),
    IZVOR_OBJECT_STORE: store.address,
    IZVOR_OBJECT_STORE_ENDPOINT: store.endpoint,
  }
}

/** A folder with two versions of a dataset, a reference table, a plan, an account and a key. */
async function filledFolder(root: string): Promise<{ data: string; secret: string }> {
  const data = join(root, 'one')
  const file = join(root, 'towns.csv')
  for (const edition of [1, 2]) {
    writeFileSync(file, `town,edition\nȚăndărei,${edition}\nAiud,${edition}\n`)
    await succeed(['ingest', file, '--id', 'towns', '--domain', 'geo', '--title', 'Orașe', '--data', data])
  }
  mkdirSync(join(data, 'reference'))
  writeFileSync(join(data, 'reference', 'places.csv'), 'Aiud,Strassburg am Mieresch\n')
  await succeed(['users', 'create', 'ana@example.org', '--data', data])
  await succeed(['plans', 'set', 'free', '--monthly-quota', '7', '--data', data])
  const { secret } = await mint(data)
  const service = await serve(data)
  for (let call = 0; call < 3; call++) expect((await service.get('/v1/geo/towns', secret)).status).toBe(200)
  service.signal('SIGTERM')
  await service.exited
  return { data, secret }
}

describe.skipIf(!hasPostgres || !hasObjectStore)('the doctor', () => {
  test('checks the database, the object store and the nodes', async () => {
    const env = await settingsOfNodes()
    const data = join(tempDir(), 'node')
    mkdirSync(data, { mode: 0o700 })
    const findings = async (more: Record<string, string> = {}) => {
      const { stdout } = await izvor(['doctor', '--json', '--port', '1', '--data', data], {
        env: { ...env, ...more },
      })
      const all = JSON.parse(stdout) as Finding[]
      return Object.fromEntries(all.map(({ check, state, what }) => [check, `${state}: ${what}`]))
    }
    expect(await findings()).toMatchObject({
      database: expect.stringMatching(/^ok: .*\*\*\*.* answers in [\d.]+ ms, and its clock agrees/),
      'object store': expect.stringContaining('ok: s3://izvor-test'),
      nodes: 'note: No node is running.',
    })
    const postgres = await Postgres.open(env.IZVOR_DATABASE_URL!)
    const waitsFor = { towns: 'the object is missing' }
    await nodeTable(postgres).beat({
      id: 'x',
      name: 'machine-a',
      program: '0.1.0',
      revision: 0,
      waitsFor,
    })
    postgres.close()
    expect(await findings({ AWS_SECRET_ACCESS_KEY: 'wrong' })).toMatchObject({
      'object store': expect.stringContaining('problem: The object store cannot be used'),
      nodes: expect.stringContaining('machine-a has no towns (the object is missing)'),
    })
    const elsewhere = env.IZVOR_DATABASE_URL!.replace(/\w+$/, 'nowhere')
    expect(await findings({ IZVOR_DATABASE_URL: elsewhere })).toMatchObject({
      database: expect.stringContaining('problem: The database cannot be used'),
    })
  })
})

/** Ingests on a node with a new folder, using the reference table from the backup. */
async function ingestPlaces(root: string, data: string, env: Record<string, string>): Promise<void> {
  const [file, definition] = [join(root, 'places.csv'), join(root, 'places.json')]
  writeFileSync(file, 'place\nStrassburg am Mieresch\nAiud\n')
  const about = { id: 'places', domain: 'geo', title: 'Places' }
  const columns = [{ name: 'place', type: 'string', canonical: 'places' }]
  writeFileSync(definition, JSON.stringify({ ...about, columns }))
  await succeed(['ingest', file, '--definition', definition, '--data', data], { env })
  const review = await succeed(['datasets', 'canonical', 'places', '--json', '--data', data], { env })
  expect(JSON.parse(review).columns[0]).toMatchObject({ own_table: true, unmatched: [] })
}

describe.skipIf(!hasPostgres || !hasObjectStore)('the doctor beside running nodes', () => {
  test('recognises the node of its folder and that of another one, and counts nodes rather than workers', async () => {
    const env = await settingsOfNodes()
    const [a, b] = [join(tempDir(), 'a'), join(tempDir(), 'b')]
    const workers = await serve(a, ['serve', '--workers', '2'], { env })
    const other = await serve(b, ['serve'], { env })
    const { stdout } = await izvor(
      ['doctor', '--json', '--data', a, '--port', new URL(workers.address).port],
      {
        env: { ...env, IZVOR_BASE_URL: other.address },
      },
    )
    const findings = JSON.parse(stdout) as Finding[]
    const of = (name: string) => findings.filter(({ check }) => check === name).map(({ what }) => what)
    expect(of('service')).toEqual([`It answers at ${workers.address}.`])
    expect(of('base_url')).toEqual([])
    expect(of('proxy')).toEqual(['There is no proxy, and X-Forwarded-For of clients is ignored.'])
    expect(of('nodes')).toEqual([
      expect.stringMatching(/^2 nodes \([^,]+, [^,]+\) serve all that is published/),
    ])
  })
})

describe.skipIf(!hasPostgres || !hasObjectStore)('a backup', () => {
  test('moves one folder to several nodes and back, with all of its contents', async () => {
    const root = tempDir()
    const { data, secret } = await filledFolder(root)
    const env = await settingsOfNodes()
    const [first, second] = [join(root, 'first.tar'), join(root, 'second.tar')]
    await succeed(['backup', first, '--data', data])
    const node = join(root, 'node')
    await succeed(['restore', first, '--yes', '--data', node], { env })
    const postgres = await Postgres.open(env.IZVOR_DATABASE_URL!)
    const counted = '(SELECT count(*) FROM log_inbox), (SELECT count(*) FROM request_logs)'
    expect((await postgres.ask(`SELECT ${counted}`)).rows).toEqual([[0, 3]])
    postgres.close()
    const other = join(root, 'other')
    mkdirSync(other, { mode: 0o700 })
    await ingestPlaces(root, other, env)
    await succeed(['backup', second, '--data', other], { env })
    const back = join(root, 'back')
    await succeed(['restore', second, '--yes', '--data', back])
    expect(await succeed(['datasets', 'verify', '--data', back])).not.toContain('damaged')
    expect(readdirSync(join(back, 'reference'))).toEqual(['places.csv'])
    const service = await serve(back)
    const list = await bodyOf(await service.get('/v1/geo/towns?sort=town', secret))
    expect(list.data).toEqual([
      { town: 'Aiud', edition: 2 },
      { town: 'Țăndărei', edition: 2 },
    ])
    expect((await bodyOf(await service.get('/v1/search?q=orase', secret))).data).toHaveLength(1)
    expect(await succeed(['datasets', 'rollback', 'towns', '--data', back])).toContain('1')
    expect(await succeed(['users', 'list', '--data', back])).toContain('ana@example.org')
    expect(await succeed(['plans', 'list', '--data', back])).toMatch(/free +7 /)
    const keys = JSON.parse(await succeed(['keys', 'list', '--json', '--usage', '--data', back]))
    expect(JSON.stringify(keys)).toContain('towns')
    // Numbers are not reused: the next key gets the next number.
    expect((await mint(back)).key_id).toBe(2)
  })

  test('is not restored while a node is running', async () => {
    const root = tempDir()
    const data = join(root, 'one')
    await mint(data)
    writeFileSync(join(root, 'a.csv'), 'a,b\n1,2\n')
    await succeed(['ingest', join(root, 'a.csv'), '--id', 'a', '--domain', 'geo', '--data', data])
    const archive = join(root, 'backup.tar')
    await succeed(['backup', archive, '--data', data])
    const env = await settingsOfNodes()
    const postgres = await Postgres.open(env.IZVOR_DATABASE_URL!)
    await nodeTable(postgres).beat({
      id: 'x',
      name: 'machine-a',
      program: '0.1.0',
      revision: 0,
      waitsFor: {},
    })
    const restore = () => izvor(['restore', archive, '--yes', '--data', join(root, 'node')], { env })
    const refused = await restore()
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('stop machine-a first')])
    await nodeTable(postgres).leave('x')
    postgres.close()
    expect((await restore()).code).toBe(0)
  })
})
