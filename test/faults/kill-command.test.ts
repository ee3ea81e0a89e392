/** kill -9 of a command at random moments leaves the old or the new state, complete, and no leftovers after the next start. */

import { Database as Sqlite } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { generateKey } from '../../src/accounts/keys/key-format.ts'
import { sha256 } from '../../src/base/crypto/sha256.ts'
import { openAccounts } from '../../src/db/accounts.ts'
import { migrate } from '../../src/db/migrate.ts'
import { SCHEMAS } from '../../src/db/migrations.ts'
import { openDatabase } from '../../src/db/open.ts'
import { bodyOf, mint, type RunningService, serve, start, succeed } from '../journeys/program.ts'
import { countMoment, FAULT_TIMEOUT, MOMENTS, randomMoments } from '../support/fault-moments.ts'
import { tempDir } from '../support/temp-dir.ts'

setDefaultTimeout(FAULT_TIMEOUT)

const LIST = '/v1/test/numbers'

function csv(rows: number): string {
  let text = 'n,name,amount\n'
  for (let i = 0; i < rows; i++) text += `${i},name of ${i % 9001},${(i * 7919) % 1_000_003}\n`
  return text
}

async function ingest(data: string, rows: number): Promise<void> {
  const args = ['ingest', '-', '--id', 'numbers', '--domain', 'test', '--accept-shrink', '--data', data]
  await succeed(args, { input: csv(rows) })
}

/** Expects no work in progress, and no version files except those in the catalog. */
function expectNoLitter(data: string): void {
  const left = readdirSync(join(data, 'tmp'), { recursive: true }).filter(
    (name) => !/^\w+\.db$/.test(`${name}`),
  )
  expect(left).toEqual([])
  expect(existsSync(join(data, 'restoring'))).toBe(false)
  const catalog = new Sqlite(join(data, 'catalog.db'), { readonly: true })
  const versions = catalog.query<{ version: number }, []>('SELECT version FROM versions').all()
  catalog.close()
  const kept = versions.map(({ version }) => `${version}.db`)
  expect(readdirSync(join(data, 'datasets', 'numbers')).toSorted()).toEqual(kept.toSorted())
}

/** Starts the service after the fault, runs the check, and kills it as the command was killed. */
async function afterwards(data: string, look: (service: RunningService) => Promise<void>): Promise<void> {
  const service = await serve(data)
  await look(service)
  expectNoLitter(data)
  service.signal('SIGKILL')
  await service.exited
  await succeed(['datasets', 'verify', '--data', data])
}

interface Fault {
  readonly kind: string
  readonly args: (data: string) => string[]
  /** @param ended whether the command had ended before the kill, and so acknowledged its work */
  readonly look: (data: string, ended: boolean) => Promise<void>
}

/** Runs a command on copies of a folder: once to its end to measure its duration, then killed at random moments. */
async function killAtRandom(pristine: string, { kind, args, look }: Fault): Promise<void> {
  const random = randomMoments(kind)
  let takes = 0
  for (let moment = 0; moment <= MOMENTS; moment++) {
    const data = join(pristine, '..', `copy-${moment}`)
    cpSync(pristine, data, { recursive: true })
    const began = performance.now()
    const child = start(args(data))
    if (moment > 0) {
      // Every command begins with the start of the program, which changes nothing.
      await Promise.race([child.exited, Bun.sleep(takes * (0.3 + 0.75 * random()))])
      child.kill('SIGKILL')
    }
    const code = await child.exited
    // A command that ended before the kill is checked as well.
    if (child.signalCode === 'SIGKILL') countMoment(kind)
    takes ||= performance.now() - began
    if (code !== 0 && child.signalCode === null) throw new Error(await child.stderr.text())
    if (moment > 0) await look(data, code === 0)
    rmSync(data, { recursive: true })
  }
}

async function rowsOf(service: RunningService, secret: string): Promise<number> {
  return (await bodyOf(await service.get(`${LIST}?count=true`, secret))).pagination.total
}

test('an ingest killed at any moment leaves the old or the new version served, and complete', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  await ingest(data, 10)
  const { secret } = await mint(data)
  const file = join(folder, 'big.csv')
  await Bun.write(file, csv(60_000))
  await killAtRandom(data, {
    kind: 'ingest and publish',
    args: (copy) => ['ingest', file, '--id', 'numbers', '--domain', 'test', '--data', copy],
    look: (copy, ended) =>
      afterwards(copy, async (service) => {
        expect(ended ? [60_000] : [10, 60_000]).toContain(await rowsOf(service, secret))
      }),
  })
})

test('a backup killed at any moment is complete or missing, and the next one cleans up', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  await ingest(data, 60_000)
  // A separate target for each moment: two backups in the same second would have the same name.
  const targetOf = (copy: string) => {
    const target = `${copy}-backups`
    mkdirSync(target, { recursive: true })
    return target
  }
  await killAtRandom(data, {
    kind: 'backup',
    args: (copy) => ['backup', `${targetOf(copy)}/`, '--data', copy],
    look: async (copy, ended) => {
      const target = targetOf(copy)
      const whole = readdirSync(target).filter((name) => !name.includes('.partial-'))
      if (ended) expect(whole.length).toBeGreaterThan(0)
      if (whole.length > 0) await succeed(['backup', 'verify', target])
      await succeed(['backup', join(target, 'next.tar'), '--data', copy])
      expect(readdirSync(target).toSorted()).toEqual([...whole, 'next.tar'])
      await afterwards(copy, async () => {})
    },
  })
})

test('a restore killed at any moment leaves all of the old data or all of the backup', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  await ingest(data, 30_000)
  const { secret } = await mint(data)
  const archive = join(folder, 'backup.tar')
  await succeed(['backup', archive, '--data', data])
  await ingest(data, 20)
  const later = await mint(data)
  await killAtRandom(data, {
    kind: 'restore',
    args: (copy) => ['restore', archive, '--yes', '--data', copy],
    look: (copy, ended) =>
      afterwards(copy, async (service) => {
        const rows = await rowsOf(service, secret)
        expect(ended ? [30_000] : [20, 30_000]).toContain(rows)
        // The accounts are from the same moment as the data.
        expect((await service.get(LIST, later.secret)).status).toBe(rows === 20 ? 200 : 401)
      }),
  })
})

const OLD_KEYS = 20_000

/** Gives a folder many keys, a request count and the catalog of an older version of the program. */
function makeOld(data: string): string[] {
  const accounts = openAccounts(join(data, 'accounts.db'))
  const insert = accounts.writing.prepare(
    "INSERT INTO api_keys (label, plan, state, secret_hash, hint, created_at) VALUES ('portal', 'unlimited', 'active', ?, 'rok_…', '')",
  )
  const secrets = Array.from({ length: OLD_KEYS }, generateKey)
  accounts.writing.transaction(() => {
    for (const secret of secrets) insert.run(sha256(secret))
  })()
  accounts.close()
  const usage = openDatabase(join(data, 'usage.db'))
  migrate(usage, SCHEMAS.usage)
  usage.exec("INSERT INTO daily_totals VALUES ('2025-01-01', 7)")
  usage.close()
  const catalog = openDatabase(join(data, 'catalog.db'))
  catalog.exec(`
    DROP TABLE search_words; DROP TABLE search; CREATE VIRTUAL TABLE search USING fts5(title);
    ALTER TABLE versions DROP COLUMN search_texts; ALTER TABLE datasets DROP COLUMN dropped;
    PRAGMA user_version = 9`)
  catalog.close()
  return secrets
}

test('a migration killed at any moment is done completely or not at all, and the next start completes it', async () => {
  const data = join(tempDir(), 'data')
  await ingest(data, 10)
  const secrets = makeOld(data)
  await killAtRandom(data, {
    kind: 'migration',
    args: (copy) => ['keys', 'revoke', '1', '--yes', '--data', copy],
    look: (copy, ended) =>
      afterwards(copy, async (service) => {
        for (const secret of [secrets[1], secrets.at(-1)])
          expect(await rowsOf(service, secret ?? '')).toBe(10)
        const first = (await service.get(LIST, secrets[0] ?? '')).status
        expect(ended ? [401] : [200, 401]).toContain(first)
        const stats = await bodyOf(await fetch(`${service.address}/stats`))
        expect(stats.active_keys).toBe(first === 401 ? OLD_KEYS - 1 : OLD_KEYS)
        expect(stats.requests_total).toBeGreaterThanOrEqual(7)
        expect(readdirSync(join(copy, 'before-upgrade')).toSorted()).toEqual(['catalog.schema-9.db'])
      }),
  })
})

test('an account deletion killed at any moment deletes everything or nothing', async () => {
  const data = join(tempDir(), 'data')
  await ingest(data, 10)
  await succeed(['users', 'create', 'ana@example.org', '--data', data])
  const keys: { secret: string }[] = []
  for (let i = 0; i < 2; i++) {
    const args = ['keys', 'mint', '--email', 'ana@example.org', '--label', 'x', '--json', '--data', data]
    keys.push(JSON.parse(await succeed(args)))
  }
  await killAtRandom(data, {
    kind: 'account deletion',
    args: (copy) => ['users', 'delete', 'ana@example.org', '--yes', '--data', copy],
    look: (copy, ended) =>
      afterwards(copy, async (service) => {
        const statuses = []
        for (const { secret } of keys) statuses.push((await service.get(LIST, secret)).status)
        const users = JSON.parse(await succeed(['users', 'list', '--json', '--data', copy]))
        const gone = users.length === 0
        if (ended) expect(gone).toBe(true)
        expect(statuses).toEqual(gone ? [401, 401] : [200, 200])
        const database = new Sqlite(join(copy, 'accounts.db'), { readonly: true })
        expect(database.query('SELECT count(*) AS n FROM api_keys').get()).toEqual({ n: gone ? 0 : 2 })
        database.close()
      }),
  })
})
