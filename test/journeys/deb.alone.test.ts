/** The Debian package as an operator uses it: installed, started by its unit, upgraded, removed and purged. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeDeb } from '../../build/packages/deb.ts'
import type { Architecture } from '../../build/packages/entries.ts'
import { enterDebian, whyNoDebian } from '../support/debian-root.ts'
import { findProgram } from '../support/find-program.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { JOURNEY_TIMEOUT } from './program.ts'

setDefaultTimeout(3 * JOURNEY_TIMEOUT)

const ARCHITECTURE: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
const BINARY = process.env.IZVOR_BINARY
const OBSTACLE = BINARY === undefined ? 'IZVOR_BINARY names no executable' : whyNoDebian()
if (OBSTACLE !== null) console.warn(`skipped: no package is installed: ${OBSTACLE}`)
const LINTIAN = findProgram('lintian')

async function writeDeb(folder: string, version: string): Promise<string> {
  const executable = await Bun.file(BINARY as string).bytes()
  const path = join(folder, `izvor_${version}_${ARCHITECTURE}.deb`)
  await Bun.write(
    path,
    await makeDeb(executable, ARCHITECTURE, { version, date: new Date('2026-11-01T12:00:00Z') }),
  )
  return path
}

/** A separate root folder, with the packages of two versions. */
async function prepare() {
  const folder = tempDir()
  const [place, packages] = [join(folder, 'place'), join(folder, 'packages')]
  for (const path of [place, packages]) mkdirSync(path)
  for (const version of ['1.0.0', '1.1.0']) await writeDeb(packages, version)
  const debian = await enterDebian(place, packages)
  const asService = { user: 'izvor', cwd: '/etc/izvor' }
  return {
    ...debian,
    install: (version: string) =>
      debian.succeed(['dpkg', '--install', `/run/packages/izvor_${version}_${ARCHITECTURE}.deb`]),
    /** Runs a command as the operator types it: in the settings folder, as the service's user. */
    izvor: (words: readonly string[], input = '') =>
      debian.succeed(['izvor', ...words], { ...asService, input }),
    exists: async (path: string) => (await debian.run(['test', '-e', path])).code === 0,
    asService,
  }
}

type Debian = Awaited<ReturnType<typeof prepare>>

/** Does what systemd would do for the package's unit. */
async function startUnit({ succeed, start, asService }: Debian) {
  const unit = await succeed(['cat', '/usr/lib/systemd/system/izvor.service'])
  const one = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] as string
  expect([one('User'), one('WorkingDirectory'), one('StateDirectory')]).toEqual([
    'izvor',
    '/etc/izvor',
    'izvor',
  ])
  await succeed([
    'install',
    '-d',
    '-o',
    'izvor',
    '-g',
    'izvor',
    '-m',
    '0700',
    `/run/${one('RuntimeDirectory')}`,
  ])
  const env = Object.fromEntries(
    [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value as string]),
  )
  const command = ['sh', '-c', 'echo $$ >/run/izvor/pid; exec "$@"', 'sh', ...one('ExecStart').split(' ')]
  return start(command, { ...asService, env })
}

test.skipIf(OBSTACLE !== null)(
  'the package installs, its unit serves, and settings and data survive upgrade, removal and purge',
  async () => {
    const debian = await prepare()
    const { install, izvor, exists, run, succeed } = debian
    await install('1.0.0')
    expect(await succeed(['stat', '-c', '%U %a', '/var/lib/izvor', '/etc/izvor/izvor.toml'])).toBe(
      'izvor 700\nroot 644\n',
    )
    expect(await exists('/etc/systemd/system/multi-user.target.wants/izvor.service')).toBe(true)
    expect(await succeed(['getent', 'passwd', 'izvor'])).toMatch(/:\/usr\/sbin\/nologin$/m)

    const entry = await succeed(['cat', '/usr/share/applications/izvor.desktop'])
    const [, words = ''] = /^Exec=(.*) %f$/m.exec(entry) ?? []
    expect(await succeed([...words.split(' '), '--help'])).toContain('izvor open [options] [file]')

    const service = await startUnit(debian)
    await until(async () => (await run(['izvor', 'healthcheck'], debian.asService)).code === 0)
    await izvor(['ingest', '-', '--id', 'towns', '--domain', 'test'], 'name,people\nCluj,300\nDej,30\n')
    const findings = JSON.parse(await izvor(['doctor', '--json'])) as { state: string }[]
    expect(findings.filter(({ state }) => state === 'problem')).toEqual([])
    await succeed(['sh', '-c', 'kill -TERM $(cat /run/izvor/pid)'])
    expect(await service.exited).toBe(0)

    await succeed(['tee', '-a', '/etc/izvor/izvor.toml'], { input: 'publisher = "Primăria Dej"\n' })
    await install('1.1.0')
    expect(await succeed(['dpkg-query', '--show', 'izvor'])).toContain('1.1.0')
    expect(await izvor(['config'])).toContain('Primăria Dej')
    expect(await izvor(['datasets', 'list'])).toContain('towns')

    await succeed(['dpkg', '--remove', 'izvor'])
    expect([await exists('/usr/bin/izvor'), await exists('/etc/izvor/izvor.toml')]).toEqual([false, true])
    await install('1.1.0')
    expect(await izvor(['datasets', 'list'])).toContain('towns')

    // Nobody is there to answer questions.
    const { stderr } = await run(['dpkg', '--purge', 'izvor'], { env: { DEBCONF_DEBUG: 'developer' } })
    expect(stderr).toContain('INPUT critical izvor/purge-data')
    expect([await exists('/etc/izvor'), await exists('/var/lib/izvor/data/catalog.db')]).toEqual([
      false,
      true,
    ])

    await install('1.1.0')
    await succeed(['debconf-set-selections'], { input: 'izvor izvor/purge-data boolean true\n' })
    await succeed(['dpkg', '--purge', 'izvor'])
    expect(await exists('/var/lib/izvor')).toBe(false)
  },
)

test.skipIf(BINARY === undefined)(
  'the executable contains no folder name of the machine that built it',
  async () => {
    const bytes = Buffer.from(await Bun.file(BINARY as string).arrayBuffer())
    const root = join(import.meta.dir, '../..')
    expect(bytes.indexOf(`${root}/node_modules`)).toBe(-1)
    expect(bytes.indexOf(`${root}/src`)).toBe(-1)
  },
)

test.skipIf(BINARY === undefined || LINTIAN === null)('lintian finds no error in the package', async () => {
  const path = await writeDeb(tempDir(), '1.0.0')
  const { exitCode, stdout } = Bun.spawnSync([
    LINTIAN as string,
    '--fail-on',
    'error',
    '--tag-display-limit',
    '0',
    path,
  ])
  expect(String(stdout).match(/^E: .*$/gm) ?? []).toEqual([])
  expect(exitCode).toBe(0)
})
