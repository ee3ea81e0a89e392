/** What every command guarantees: exit codes, streams, help, settings, and where it runs. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { asNobody, canBeRefused, isRoot, NOBODY } from '../support/nobody.ts'
import { tempDir } from '../support/temp-dir.ts'
import { bodyOf, izvor, JOURNEY_TIMEOUT, mint, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

/** Whether another user exists and can read the program, which is not so in a clone below a private folder. */
const canBeNobody = isRoot && canBeRefused

const COMMANDS = [
  ['serve'],
  ['demo'],
  ['ingest'],
  ['datasets', 'list'],
  ['datasets', 'show'],
  ['datasets', 'remove'],
  ['datasets', 'rollback'],
  ['datasets', 'verify'],
  ['datasets', 'quarantine'],
  ['datasets', 'diff'],
  ['datasets', 'canonical'],
  ['backup'],
  ['backup', 'verify'],
  ['restore'],
  ['keys', 'mint'],
  ['keys', 'list'],
  ['keys', 'rotate'],
  ['keys', 'revoke'],
  ['keys', 'delete'],
  ['openapi'],
  ['config'],
  ['healthcheck'],
  ['version'],
  ['licenses'],
]

test('every command explains itself on standard output with --help', async () => {
  const overview = await succeed(['--help'])
  const texts = await Promise.all(COMMANDS.map((command) => succeed([...command, '--help'])))
  for (const [i, command] of COMMANDS.entries()) {
    expect(overview).toContain(command[0] as string)
    expect(texts[i]).toContain(`Usage: izvor ${command.join(' ')}`)
  }
})

describe('wrong usage ends with 2, says what is wrong on standard error, and prints no data', () => {
  const cases: [string[], string][] = [
    [['sevre'], 'serve'],
    [['serve', '--prot', '1'], '--port'],
    [['serve', '--port', 'x'], '--port'],
    [['serve', '--port', '70000'], '--port'],
    [['ingest'], 'file'],
    [['ingest', 'a.csv', '--header-row', '4-3'], '--header-row'],
    [['ingest', 'a.csv', 'b.csv'], 'arguments'],
    [['datasets'], 'Usage'],
    [['datasets', 'show'], 'id'],
    [['keys', 'mint'], '--plan'],
    [['keys', 'revoke', 'one', '--yes'], 'one'],
    [['keys', 'delete', '0', '--yes'], '0'],
  ]
  test.each(cases)('izvor %p', async (args, named) => {
    const { code, stdout, stderr } = await izvor(args, { cwd: tempDir() })
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(named)
  })
})

test('an unknown plan is wrong usage, and the message lists the plans', async () => {
  const { code, stderr } = await izvor(['keys', 'mint', '--plan', 'gold', '--data', join(tempDir(), 'data')])
  expect(code).toBe(2)
  expect(stderr).toMatch(/free.*institution.*unlimited/)
})

test('naming something that does not exist fails with its name', async () => {
  const data = join(tempDir(), 'data')
  await mint(data)
  for (const [args, named] of [
    [['datasets', 'show', 'nothing'], 'nothing'],
    [['datasets', 'rollback', 'nothing'], 'nothing'],
    [['datasets', 'remove', 'nothing', '--yes'], 'nothing'],
    [['datasets', 'verify', 'nothing'], 'nothing'],
    [['keys', 'rotate', '77'], 'keys list'],
    [['users', 'show', 'ana@example.org'], 'users list'],
    [['ingest', 'missing.csv', '--domain', 'd'], 'missing.csv'],
  ] as const) {
    const { code, stdout, stderr } = await izvor([...args, '--data', data])
    expect([args, code, stdout]).toEqual([args, 1, ''])
    expect(stderr).toContain(named)
  }
})

test('a misspelt dataset is refused with the name of a similar one', async () => {
  const data = join(tempDir(), 'data')
  const options = ['--domain', 'economy', '--data', data]
  await succeed(['ingest', '-', '--id', 'foreign_trade', ...options], { input: 'a\n1\n' })
  for (const args of [
    ['datasets', 'show', 'foreing_trade'],
    ['datasets', 'rollback', 'foreing_trade'],
    ['datasets', 'remove', 'foreing_trade', '--yes'],
    ['datasets', 'verify', 'foreing_trade'],
  ]) {
    const { code, stderr } = await izvor([...args, '--data', data])
    expect([code, stderr]).toEqual([1, expect.stringContaining('did you mean foreign_trade?')])
  }
})

test('a command that only reads does not create a data folder', async () => {
  const folder = tempDir()
  for (const args of [
    ['datasets', 'list'],
    ['keys', 'list'],
    ['datasets', 'verify'],
    ['plans', 'list'],
    ['users', 'list'],
    ['audit', 'list'],
  ]) {
    const { code, stderr } = await izvor(args, { cwd: folder })
    expect(code).toBe(1)
    expect(stderr).toContain('izvor-data')
  }
  expect(readdirSync(folder)).toEqual([])
})

test('a command that creates a data folder in an unexpected place says so once', async () => {
  const folder = tempDir()
  for (const args of [
    ['keys', 'mint', '--plan', 'free', '--json'],
    ['users', 'create', 'ana@example.org', '--json'],
    ['plans', 'set', 'free', '--per-minute', '5', '--json'],
  ]) {
    const options = { cwd: folder, env: { IZVOR_DATA: `./${args[0]}` } }
    const first = await izvor(args, options)
    expect([args, first.code]).toEqual([args, 0])
    expect(first.stderr).toContain(`${join(folder, args[0] as string)}: a new, empty data directory`)
    expect(first.stderr).toContain('--data')
    expect(() => JSON.parse(first.stdout)).not.toThrow()
    expect((await izvor(args, options)).stderr).not.toContain('new, empty')
  }
})

test('no command creates a data folder inside or around another one', async () => {
  const around = tempDir()
  const data = join(around, 'data')
  await mint(data)
  const archive = join(tempDir(), 'a.tar')
  await succeed(['backup', archive, '--data', data])
  const before = readdirSync(around, { recursive: true })
  for (const args of [
    ['keys', 'mint', '--plan', 'free'],
    ['ingest', '-', '--id', 'a', '--domain', 'd'],
    ['serve', '--port', '0'],
    ['restore', archive, '--yes'],
  ]) {
    const { code, stdout, stderr } = await izvor([...args, '--data', around], { input: 'x\n1\n' })
    expect([args, code, stdout]).toEqual([args, 1, ''])
    expect(stderr).toContain(`${around} is not an Izvor data directory, but ${data} is`)
  }
  expect(readdirSync(around, { recursive: true })).toEqual(before)
})

test('a system error is explained in plain words, with what to do', async () => {
  const folder = tempDir()
  const file = join(folder, 'file')
  writeFileSync(file, '')
  mkdirSync(join(folder, 'data', 'accounts.db'), { recursive: true })
  mkdirSync(join(folder, 'settings', 'izvor.toml'), { recursive: true })
  const cases: [string[], { cwd?: string; env?: Record<string, string> }, number, string][] = [
    [['serve', '--data', file], {}, 1, 'it is a file, not a folder'],
    [['keys', 'mint', '--plan', 'free', '--data', join(folder, 'data')], {}, 1, 'it is a folder'],
    [['serve', '--host', '192.0.2.1', '--data', join(folder, 'a')], {}, 1, 'not an address of this machine'],
    [['demo', '--host', 'no.such.invalid', '--data', join(folder, 'b')], {}, 1, 'check --host'],
    [['version'], { env: { IZVOR_SMTP_URL_FILE: join(folder, 'none') } }, 0, ''],
    [['config'], { env: { IZVOR_SMTP_URL_FILE: join(folder, 'none') } }, 2, 'it does not exist'],
    [['config'], { cwd: join(folder, 'settings') }, 2, 'it is a folder, not a file'],
  ]
  for (const [args, options, code, said] of cases) {
    const ended = await izvor(args, options)
    expect([args, ended.code]).toEqual([args, code])
    expect(ended.stderr).toContain(said)
    expect(ended.stderr).not.toMatch(/\b(E[A-Z]{4,}|SQLITE_\w+|errno)\b|\.ts:/)
  }
})

describe('settings', () => {
  const portOf = async (args: string[], cwd: string, env = {}) => {
    const settings = JSON.parse(await succeed(['config', '--json', ...args], { cwd, env }))
    const { value, origin } = settings.find(({ name }: { name: string }) => name === 'port')
    return [value, origin]
  }

  test('an option overrides a variable, which overrides izvor.toml, which overrides the default', async () => {
    const folder = tempDir()
    expect(await portOf([], folder)).toEqual([3000, 'default'])
    writeFileSync(join(folder, 'izvor.toml'), 'port = 4001\n')
    expect(await portOf([], folder)).toEqual([4001, 'izvor.toml'])
    expect(await portOf([], folder, { IZVOR_PORT: '4002' })).toEqual([4002, 'IZVOR_PORT'])
    expect(await portOf(['--port', '4003'], folder, { IZVOR_PORT: '4002' })).toEqual([4003, '--port'])
  })

  test('an unknown variable or key stops every command and is named', async () => {
    const folder = tempDir()
    const variable = await izvor(['serve'], { cwd: folder, env: { IZVOR_PROT: '1' } })
    expect([variable.code, variable.stderr.includes('IZVOR_PROT')]).toEqual([2, true])
    writeFileSync(join(folder, 'izvor.toml'), 'prot = 1\n')
    const key = await izvor(['datasets', 'list'], { cwd: folder })
    expect([key.code, key.stderr.includes('prot')]).toEqual([2, true])
  })

  test('every command refuses an izvor.toml that other users own or can write', async () => {
    const folder = tempDir()
    const file = join(folder, 'izvor.toml')
    writeFileSync(file, 'port = 4001\n')
    const isRefused = async (why: string) => {
      const { code, stdout, stderr } = await izvor(['config'], { cwd: folder })
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain(why)
    }
    for (const mode of [0o666, 0o664, 0o602]) {
      chmodSync(file, mode)
      await isRefused('chmod go-w izvor.toml')
    }
    chmodSync(file, 0o644)
    expect(await portOf([], folder)).toEqual([4001, 'izvor.toml'])
    if (!isRoot) return
    chownSync(file, NOBODY, NOBODY)
    await isRefused(`belongs to user ${NOBODY}`)
    // So is a link that they own.
    renameSync(file, join(folder, 'theirs.toml'))
    chownSync(join(folder, 'theirs.toml'), 0, 0)
    symlinkSync('theirs.toml', file)
    lchownSync(file, NOBODY, NOBODY)
    await isRefused(`belongs to user ${NOBODY}`)
  })

  test('.env and bunfig.toml in the current folder change nothing', async () => {
    const folder = tempDir()
    writeFileSync(join(folder, '.env'), 'IZVOR_PORT=4004\n')
    writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./missing.ts"]\n')
    // When run from sources, Bun reads these files before we start; only the executable can guarantee this.
    if (process.env.IZVOR_BINARY) expect(await portOf([], folder)).toEqual([3000, 'default'])
    else console.log('skipped without IZVOR_BINARY: only the executable ignores .env')
  })
})

test('the interface description and the definition schema are printed as JSON', async () => {
  const description = JSON.parse(await succeed(['openapi']))
  expect(description.openapi).toMatch(/^3\./)
  expect(description.info.version).toBe('0.1.0')
  const schema = JSON.parse(await succeed(['openapi', '--definition-schema']))
  expect(schema.required).toEqual(['id', 'domain'])
})

test('the version is printed plainly and as JSON', async () => {
  for (const args of ['version', '--version', '-V'])
    expect(await succeed([args])).toMatch(/^izvor 0\.1\.0( \([0-9a-f]{12}(-dirty)?\))?\n$/)
  const said = JSON.parse(await succeed(['version', '--json']))
  expect(said).toMatchObject({ version: '0.1.0' })
  // Builds of one version differ in the description that git gives of their sources.
  const git = Bun.spawnSync(['git', 'log', '-1', '--format=%H %ct'])
  if (git.exitCode !== 0) return
  const [hash = '', seconds] = git.stdout.toString().trim().split(' ')
  expect(said.commit).toStartWith(hash)
  expect(Date.parse(said.date)).toBe(Number(seconds) * 1000)
})

test('healthcheck ends with 0 beside a ready service and with 3 where none answers', async () => {
  const data = join(tempDir(), 'data')
  const service = await serve(data)
  const port = new URL(service.address).port
  expect(await succeed(['healthcheck', '--port', port])).toBe('ready\n')
  service.signal('SIGTERM')
  await service.exited
  const gone = await izvor(['healthcheck', '--port', port])
  expect(gone.code).toBe(3)
  expect(gone.stderr).toContain(port)
  expect(gone.stderr).toContain('nothing listens there')
})

test('a port in use is named, and the command ends with 1', async () => {
  const service = await serve(join(tempDir(), 'data'))
  const port = new URL(service.address).port
  const second = await izvor(['serve', '--port', port, '--data', join(tempDir(), 'data')])
  expect(second.code).toBe(1)
  expect(second.stderr).toContain(`port ${port} on 127.0.0.1 is taken`)
  expect(second.stderr).not.toContain('EADDRINUSE')
})

test('the program serves and ingests in a read-only current folder with an empty PATH', async () => {
  const folder = tempDir()
  const current = join(folder, 'read-only')
  const data = join(folder, 'data')
  mkdirSync(current)
  mkdirSync(data)
  chmodSync(current, 0o555)
  chmodSync(folder, 0o755)
  const options = {
    cwd: current,
    env: { PATH: '/nonexistent' },
    through: canBeNobody ? asNobody : [],
  }
  if (canBeNobody) chownSync(data, NOBODY, NOBODY)
  else if (isRoot) console.log('run as root: another user cannot read the program in this clone')
  await succeed(['ingest', '-', '--id', 'a', '--domain', 'd', '--data', data], {
    ...options,
    input: 'x\n1\n',
  })
  const minted = JSON.parse(
    await succeed(['keys', 'mint', '--plan', 'free', '--data', data, '--json'], options),
  )
  const service = await serve(data, ['serve'], options)
  expect((await bodyOf(await service.get('/v1/d/a', minted.secret))).pagination.total).toBe(1)
  expect(readdirSync(current)).toEqual([])
})

test('a data folder owned by another user is refused, even to root', async () => {
  if (!isRoot) return console.log('skipped: only root can create a folder owned by another user')
  const data = join(tempDir(), 'data')
  await mint(data)
  chownSync(data, NOBODY, NOBODY)
  for (const args of [
    ['serve'],
    ['keys', 'list'],
    ['datasets', 'list'],
    ['keys', 'mint', '--plan', 'free'],
  ]) {
    const { code, stderr } = await izvor([...args, '--data', data])
    expect(code).toBe(1)
    expect(stderr).toContain(String(NOBODY))
  }
})

test('the data folder and its files are readable only by their owner', async () => {
  const data = join(tempDir(), 'data')
  await mint(data)
  const listing = Bun.spawnSync(['find', data, '-perm', '/077'])
  expect(listing.stdout.toString()).toBe('')
})
