/** Backups as files: after each kind of damage, from older and newer programs, and after a crash. */

import { expect, onTestFinished, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { pino } from 'pino'
import { CommandError } from '../../src/base/errors.ts'
import { openAccounts } from '../../src/db/accounts.ts'
import { latest } from '../../src/db/migrate.ts'
import { SCHEMAS } from '../../src/db/migrations.ts'
import { openDatabase } from '../../src/db/open.ts'
import { Catalog } from '../../src/store/catalog/catalog.ts'
import type { DataDir } from '../../src/store/files/data-dir.ts'
import { claimFolder, swapContents } from '../../src/store/files/folder-use.ts'
import { backUp } from '../../src/upkeep/backup/backup.ts'
import { checkBackup } from '../../src/upkeep/backup/check.ts'
import { partOf } from '../../src/upkeep/backup/manifest.ts'
import {
  type BackupRecord,
  BackupSchedule,
  describeBackups,
  isBackupDue,
  readBackupRecord,
  recordBackupFailure,
} from '../../src/upkeep/backup/record.ts'
import { restoreBackup } from '../../src/upkeep/backup/restore.ts'
import { openSource } from '../../src/upkeep/backup/source.ts'
import { runs } from '../support/property-runs.ts'
import { publishTable } from '../support/publish-table.ts'
import { tempDataDir, tempDir } from '../support/temp-dir.ts'

const NOON = new Date('2025-01-31T12:00:00Z')
const never = new AbortController().signal
const nobody = async () => {}

const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)

/** A folder with two datasets and the databases of an instance. */
async function openFolder(): Promise<{
  dataDir: DataDir
  publish: (id: string, values: number[]) => Promise<void>
}> {
  const dataDir = tempDataDir()
  const catalog = Catalog.open(dataDir)
  onTestFinished(() => catalog.close())
  openAccounts(dataDir.accountsDb).close()
  const publish = async (id: string, values: number[]) => {
    const table = { columns: [{ name: 'n', type: 'integer' as const }], rows: values.map((n) => [n]) }
    await publishTable(catalog, dataDir, { id, domain: 'test', table })
  }
  await publish('numbers', [1, 2, 3])
  await publish('towns', [4])
  return { dataDir, publish }
}

function save(
  dataDir: DataDir,
  target: string,
  options: { now?: Date; keep?: number; replace?: boolean } = {},
) {
  const { now = NOON, keep = null, replace = false } = options
  return backUp(dataDir, {
    ...{ target, replace, keep, stream: nobody, bySchedule: false, floor: 0, now: () => now, signal: never },
  })
}

const restore = (dataDir: DataDir, path: string) =>
  restoreBackup(dataDir, openSource(path), { floor: 0, now: () => NOON, signal: never })

const check = (path: string) => checkBackup(openSource(path).entries, { label: path })

async function refusalOf(work: Promise<unknown>): Promise<CommandError> {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  )
  if (!(error instanceof CommandError)) throw new Error(`no refusal, but ${error}`)
  return error
}

function flip(file: string, position: number, bit = 1): void {
  const bytes = readFileSync(file)
  bytes[position]! ^= bit
  writeFileSync(file, bytes)
}

test('a changed byte anywhere in an archive is noticed, or lies outside what is restored', async () => {
  const { dataDir } = await openFolder()
  const folder = tempDir()
  const archive = join(folder, 'a.tar')
  await save(dataDir, archive)
  const sound = JSON.stringify(await check(archive))
  const bytes = readFileSync(archive)
  const copy = join(folder, 'copy.tar')
  const position = fc.oneof(
    fc.integer({ min: 0, max: bytes.length - 1 }),
    // The manifest, the checksums and their headers come last.
    fc.integer({ min: bytes.length - 6000, max: bytes.length - 1 }),
  )
  await fc.assert(
    fc.asyncProperty(position, fc.integer({ min: 0, max: 7 }), async (place, bit) => {
      const harmed = Buffer.from(bytes)
      harmed[place]! ^= 1 << bit
      writeFileSync(copy, harmed)
      const found = await check(copy).then(JSON.stringify, (error: CommandError) => error.kind)
      expect(['damaged', sound]).toContain(found)
    }),
    { numRuns: runs(200) },
  )
  for (const length of [0, 1, 511, 512, 5000, bytes.length >> 1, bytes.length - 2000]) {
    writeFileSync(copy, bytes.subarray(0, length))
    expect([length, (await refusalOf(check(copy))).kind]).toEqual([length, 'damaged'])
  }
})

test('damage is reported with its file, by a check and by a restore, and the data directory stays as it was', async () => {
  const { dataDir } = await openFolder()
  const folder = tempDir()
  const { target } = await save(dataDir, `${folder}/backups/`)
  const cases: [string, string, (copy: string) => void][] = [
    ['accounts.db', 'SHA-256', (copy) => flip(join(copy, 'accounts.db'), 5000)],
    ['catalog.db', 'SHA-256', (copy) => flip(join(copy, 'catalog.db'), 20)],
    ['datasets/numbers/1.db', 'SHA-256', (copy) => flip(join(copy, 'datasets/numbers/1.db'), 900)],
    ['datasets/towns/1.db', 'missing', (copy) => rmSync(join(copy, 'datasets/towns/1.db'))],
    [
      'datasets/towns/2.db',
      'not in the manifest',
      (copy) => writeFileSync(join(copy, 'datasets/towns/2.db'), 'x'),
    ],
    ['manifest.json', 'SHA256SUMS', (copy) => flip(join(copy, 'manifest.json'), 20)],
    ['SHA256SUMS', 'does not hash', (copy) => rmSync(join(copy, 'SHA256SUMS'))],
  ]
  const before = readdirSync(dataDir.root, { recursive: true })
  for (const [name, problem, harm] of cases) {
    const copy = join(folder, 'copy')
    rmSync(copy, { recursive: true, force: true })
    cpSync(target, copy, { recursive: true })
    harm(copy)
    for (const work of [check, (path: string) => restore(dataDir, path)]) {
      const { kind, message } = await refusalOf(work(copy))
      expect([name, kind, message]).toEqual([name, 'damaged', expect.stringContaining(problem)])
      expect(message).toContain(name)
    }
  }
  expect(readdirSync(dataDir.root, { recursive: true })).toEqual(before)
  writeFileSync(join(folder, 'other'), 'a,b\n1,2\n'.repeat(1000))
  expect((await refusalOf(check(join(folder, 'other')))).message).toContain('not a backup of Izvor')
  expect((await refusalOf(save(dataDir, join(folder, 'other')))).message).toContain('not a backup of Izvor')
})

test('an earlier backup is replaced only on request', async () => {
  const { dataDir } = await openFolder()
  const archive = join(tempDir(), 'a.tar')
  await save(dataDir, archive)
  const { kind, message } = await refusalOf(save(dataDir, archive, { now: at(1) }))
  expect([kind, message]).toEqual(['usage', expect.stringContaining(archive)])
  expect(message).toContain('--replace')
  expect((await check(archive)).created_at).toBe('2025-01-31T12:00:00Z')
  await save(dataDir, archive, { now: at(1), replace: true })
  expect((await check(archive)).created_at).toBe('2025-01-31T12:01:00Z')
})

test('a backup that this user may not read is not called damaged', async () => {
  const refused = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
  // biome-ignore lint/correctness/useYield: it fails before there is anything
  const unreadable = (async function* () {
    throw refused
  })()
  const failure = await checkBackup(unreadable, { label: '/backup/x.tar' }).catch((error) => error)
  expect([failure.kind, failure.message]).toEqual([
    'failed',
    '/backup/x.tar cannot be read: this user has no rights to it',
  ])
})

test('nothing outside the layout is ever unpacked, into any folder', () => {
  for (const path of [
    '../accounts.db',
    '/etc/accounts.db',
    'a/../accounts.db',
    'a/b/accounts.db',
    'datasets/../1.db',
  ])
    expect([path, partOf(path)]).toEqual([path, null])
  for (const path of [
    'reference/../../x.csv',
    'reference/a\\b.csv',
    'datasets/a/0.db',
    'accounts.db-wal',
    '',
  ])
    expect([path, partOf(path)]).toEqual([path, null])
  for (const path of ['x/datasets/a/1.db', './datasets/a/1.db', 'datasets/a/1.db', './x/datasets/a/1.db'])
    expect([path, partOf(path)]).toEqual([path, 'datasets/a/1.db'])
})

test('a folder of backups copies no version file twice, copies no damaged one, and keeps as many as configured', async () => {
  const { dataDir, publish } = await openFolder()
  const backups = join(tempDir(), 'backups')
  const first = await save(dataDir, `${backups}/`)
  const foreign = join(backups, 'izvor-20200101T000000Z')
  cpSync(first.target, foreign, { recursive: true })
  const manifest = readFileSync(join(foreign, 'manifest.json'), 'utf8')
  writeFileSync(join(foreign, 'manifest.json'), manifest.replace(/"origin": "\w+"/, '"origin": "another"'))
  await publish('towns', [5])

  const second = await save(dataDir, backups, { now: at(1), keep: 2 })
  const shared = 'datasets/numbers/1.db'
  const inode = (folder: string) => statSync(join(folder, shared)).ino
  expect([second.linked, second.removed]).toEqual([2, []])
  expect(inode(second.target)).toBe(inode(first.target))
  expect(inode(second.target)).not.toBe(inode(dataDir.root))

  flip(join(second.target, shared), 900)
  const third = await save(dataDir, backups, { now: at(2), keep: 2 })
  expect([third.linked, third.removed]).toEqual([2, [first.target]])
  expect((await refusalOf(check(second.target))).message).toContain(shared)
  expect((await check(backups)).created_at).toBe('2025-01-31T12:02:00Z')
  expect(readdirSync(backups).toSorted()).toEqual([
    'izvor-20200101T000000Z',
    'izvor-20250131T120100Z',
    'izvor-20250131T120200Z',
  ])
})

test('a damaged version file is backed up as it is, reported, and costs no older backup', async () => {
  const { dataDir } = await openFolder()
  const backups = join(tempDir(), 'backups')
  await save(dataDir, `${backups}/`)
  flip(dataDir.versionFile('numbers', 1), 900)
  rmSync(dataDir.versionFile('towns', 1))
  const archive = join(tempDir(), 'a.tar')
  const { manifest } = await save(dataDir, archive, { now: at(1) })
  expect(manifest.damaged.map(({ name }) => name)).toEqual(['datasets/towns/1.db', 'datasets/numbers/1.db'])
  expect((await save(dataDir, backups, { now: at(1), keep: 1 })).removed).toEqual([])
  const elsewhere = tempDataDir()
  const report = await restore(elsewhere, archive)
  expect([report.aside, report.manifest.damaged.length]).toEqual([null, 2])
  expect(existsSync(elsewhere.versionFile('numbers', 1))).toBe(true)

  const accounts = readFileSync(dataDir.accountsDb)
  writeFileSync(dataDir.accountsDb, accounts.fill(7, 4096, 60_000))
  const refused = await refusalOf(save(dataDir, archive, { replace: true }))
  expect([refused.kind, refused.message]).toEqual(['damaged', expect.stringContaining(dataDir.accountsDb)])
  expect((await check(archive)).created_at).toBe('2025-01-31T12:01:00Z')
})

test('a backup of an older version is migrated; one of a newer version is refused with its numbers', async () => {
  const { dataDir } = await openFolder()
  const archive = join(tempDir(), 'a.tar')
  const old = openDatabase(dataDir.catalogDb)
  old.exec(
    'ALTER TABLE datasets DROP COLUMN dropped; ALTER TABLE versions DROP COLUMN search_texts; DROP TABLE search_words; ' +
      'PRAGMA user_version = 9',
  )
  old.close()
  await save(dataDir, archive)
  const elsewhere = tempDataDir()
  mkdirSync(join(elsewhere.root, 'before-upgrade'))
  writeFileSync(join(elsewhere.root, 'before-upgrade', 'catalog.schema-8.db'), 'of its own upgrade')
  const { migrated } = await restore(elsewhere, archive)
  expect(readdirSync(join(elsewhere.root, 'before-upgrade'))).toEqual(['catalog.schema-8.db'])
  expect(migrated).toEqual([{ database: 'catalog', from: 9, to: latest(SCHEMAS.catalog) }])
  openAccounts(elsewhere.accountsDb).close()

  const newer = openDatabase(dataDir.accountsDb)
  newer.pragma('user_version = 99')
  newer.close()
  await save(dataDir, archive, { replace: true })
  const { kind, message } = await refusalOf(restore(elsewhere, archive))
  expect([kind, message]).toEqual([
    'failed',
    expect.stringMatching(/newer version of Izvor.* schema of accounts\.db 99, and this program knows \d+\./),
  ])

  const first = openDatabase(dataDir.accountsDb)
  first.pragma('user_version = 3')
  first.close()
  await save(dataDir, archive, { replace: true })
  expect((await refusalOf(restore(elsewhere, archive))).message).toMatch(
    /accounts\.db of .*a\.tar was made by a build from before the first release/,
  )
})

test('a backup is refused before it starts when the disk lacks room, saying how much it needs', async () => {
  const { dataDir } = await openFolder()
  const folder = tempDir()
  const floor = 1e15
  const options = {
    ...{ target: join(folder, 'a.tar'), replace: false, keep: null, stream: nobody, bySchedule: false },
  }
  const refused = backUp(dataDir, { ...options, floor, now: () => NOON, signal: never })
  expect((await refusalOf(refused)).message).toMatch(/MB free, and \d+ MB are needed for .*disk_floor/)
  expect(readdirSync(folder)).toEqual([])
})

test('an exchange of contents interrupted at any step is finished by the process that opens the folder next', () => {
  const prepare = () => {
    const dataDir = tempDataDir()
    for (const name of ['accounts.db', 'accounts.db-wal', 'catalog.db'])
      writeFileSync(join(dataDir.root, name), 'old')
    mkdirSync(join(dataDir.datasetsDir, 'a'))
    const prepared = join(dataDir.tmpDir, 'prepared')
    mkdirSync(join(prepared, 'datasets', 'b'), { recursive: true })
    for (const name of ['accounts.db', 'catalog.db', 'usage.db']) writeFileSync(join(prepared, name), 'new')
    return { dataDir, prepared }
  }
  const read = ({ root }: DataDir) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.name !== 'in-use.db')
      .map(
        (entry) =>
          `${join(entry.parentPath, entry.name).slice(root.length)} ${entry.isFile() ? readFileSync(join(entry.parentPath, entry.name)) : ''}`,
      )
      .toSorted()
  const whole = prepare()
  swapContents(whole.dataDir, whole.prepared, 'aside')
  const expected = read(whole.dataDir)
  expect(expected).toContain('/aside/accounts.db-wal old')
  expect(expected).toContain('/accounts.db new')

  const old = ['accounts.db', 'accounts.db-wal', 'catalog.db', 'datasets']
  for (let steps = 0; steps <= 8; steps++) {
    const { dataDir, prepared } = prepare()
    writeFileSync(join(prepared, 'plan.json'), JSON.stringify({ aside: 'aside', old }))
    renameSync(prepared, dataDir.restoringDir)
    mkdirSync(join(dataDir.root, 'aside'))
    const moves = [
      ...old.map((name) => [join(dataDir.root, name), join(dataDir.root, 'aside', name)]),
      ...readdirSync(dataDir.restoringDir)
        .filter((name) => name !== 'plan.json')
        .map((name) => [join(dataDir.restoringDir, name), join(dataDir.root, name)]),
    ] as [string, string][]
    for (const [from, to] of moves.slice(0, steps)) renameSync(from, to)
    // As `serve` does: it creates what is missing before it looks.
    dataDir.create()
    claimFolder(dataDir)?.release()
    expect([steps, read(dataDir)]).toEqual([steps, expected])
  }
})

test('an exchange left half done by an earlier program is finished, whatever both sides hold', () => {
  const dataDir = tempDataDir()
  const put = (folder: string, name: string, text: string) => {
    mkdirSync(join(folder, dirname(name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  put(dataDir.root, 'before-upgrade/accounts.schema-2.db', 'old')
  put(dataDir.root, 'datasets/a/1.db', 'old')
  put(dataDir.root, 'aside/datasets/b/1.db', 'older')
  put(dataDir.restoringDir, 'before-upgrade/accounts.schema-2.db', 'new')
  put(dataDir.restoringDir, 'datasets/a/1.db', 'new')
  put(dataDir.restoringDir, 'plan.json', JSON.stringify({ aside: 'aside', old: ['datasets'] }))
  claimFolder(dataDir)?.release()
  const read = (name: string) => readFileSync(join(dataDir.root, name), 'utf8')
  expect(existsSync(dataDir.restoringDir)).toBe(false)
  for (const name of ['before-upgrade/accounts.schema-2.db', 'datasets/a/1.db'])
    expect(read(name)).toBe('new')
  expect(read('aside/before-upgrade/accounts.schema-2.db')).toBe('old')
  expect([read('aside/datasets/b/1.db'), read('aside/datasets-2/a/1.db')]).toEqual(['older', 'old'])
})

test('backups are due at once, then by the pattern in UTC, and after failures at growing intervals', () => {
  const dataDir = tempDataDir()
  const record = readBackupRecord(dataDir)
  const done = { at: '2025-01-31T02:30:00Z', target: '/b', bytes: 1, damaged: [] }
  const daily = '30 2 * * *'
  expect(isBackupDue(record, daily, NOON)).toBe(true)
  const scheduled: BackupRecord = { ...record, last: done, scheduled: done }
  expect(isBackupDue(scheduled, daily, new Date('2025-02-01T02:29:59Z'))).toBe(false)
  expect(isBackupDue(scheduled, daily, new Date('2025-02-01T02:30:00Z'))).toBe(true)
  for (const minutes of [5, 10, 20]) {
    recordBackupFailure(dataDir, 'the disk is full', NOON)
    const failing = readBackupRecord(dataDir)
    expect(isBackupDue(failing, daily, at(minutes - 0.1))).toBe(false)
    expect(isBackupDue(failing, daily, at(minutes))).toBe(true)
    expect(describeBackups(failing, daily).message).toBe(
      'failing, at last 2025-01-31T12:00:00Z; there is none',
    )
  }
  const rotten = { ...scheduled, scheduled: { ...done, damaged: ['datasets/a/1.db'] } }
  expect(describeBackups(rotten, daily).status).toBe('degraded')
  expect(describeBackups(scheduled, null)).toEqual({
    ...{ status: 'ok', message: 'not scheduled; the last one: 2025-01-31T02:30:00Z' },
  })
})

test('if even the failure of a backup cannot be recorded, the next attempt still waits', async () => {
  const dataDir = tempDataDir()
  mkdirSync(dataDir.backupsFile)
  let time = NOON.getTime()
  let started = 0
  const startBackup = () => {
    started++
    const ended = Promise.resolve({ code: 1, interrupted: false, message: 'the disk is full' })
    return { ended, stop: () => {} }
  }
  const log = pino({ level: 'silent' })
  const schedule = new BackupSchedule({
    ...{ dataDir, schedule: '30 2 * * *', now: () => new Date(time), log, startBackup },
  })
  const startedAfter = async (minutes: number) => {
    time += minutes * 60_000
    await schedule.runDue()
    return started
  }
  expect([await startedAfter(0), await startedAfter(4.9), await startedAfter(0.1)]).toEqual([1, 1, 2])
  expect([await startedAfter(9.9), await startedAfter(0.1)]).toEqual([2, 3])
  expect(readBackupRecord(dataDir).failed).toBeNull()
})
