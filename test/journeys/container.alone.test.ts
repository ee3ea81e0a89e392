/** The image that `bun run package` makes, unpacked by hand and started as compose.yaml starts it. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { readCompose, startContainer, unpackImage, whyNoContainer } from '../support/container.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { workersOf } from '../support/workers.ts'
import { JOURNEY_TIMEOUT } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const EXECUTABLE = resolve(process.env.IZVOR_BINARY ?? 'dist/izvor')
const OBSTACLE = whyNoContainer()
if (OBSTACLE !== null) console.warn(`skipped: no container by hand: ${OBSTACLE}`)

test('compose.yaml gives the service no right that it does not need', () => {
  const { read_only, cap_drop, security_opt, tmpfs } = readCompose()
  expect([read_only, cap_drop, security_opt]).toEqual([true, ['ALL'], ['no-new-privileges']])
  expect(tmpfs).toEqual([expect.stringMatching(/^\/tmp:exec,/)])
})

/** The libraries that a program asks the loader for. */
function needs(path: string): string[] {
  const { stdout } = Bun.spawnSync(['ldd', path])
  return [...String(stdout).matchAll(/^\s+(\S+)/gm)]
    .map(([, name]) => basename(name as string))
    .filter((name) => name !== 'linux-vdso.so.1')
}

test.skipIf(OBSTACLE !== null)(
  'the executable and the addon need no library that the image lacks',
  async () => {
    const addons = join(import.meta.dir, '../../node_modules/better-sqlite3')
    const addon = (readdirSync(addons, { recursive: true }) as string[]).find((name) =>
      name.endsWith(`/linux-${process.arch}.node`),
    )
    const { root } = await unpackImage(EXECUTABLE)
    const known = new Set((readdirSync(root, { recursive: true }) as string[]).map((path) => basename(path)))
    const needed = [EXECUTABLE, join(addons, addon as string)].flatMap(needs)
    expect(needed).toContain('libc.so.6')
    expect(needed.filter((name) => !known.has(name))).toEqual([])
  },
)

/** A volume with the owner and mode of the image's folder, as a container engine creates it. */
function newVolume(root: string, path: string): string {
  const { uid, gid, mode } = statSync(join(root, path))
  const store = join(tempDir(), 'volume')
  mkdirSync(store)
  Bun.spawnSync(['chown', `${uid}:${gid}`, store])
  Bun.spawnSync(['chmod', (mode & 0o777).toString(8), store])
  return store
}

test.skipIf(OBSTACLE !== null)(
  'in the image the service gets ready, ingests, answers, stops on request and keeps its data',
  async () => {
    const image = await unpackImage(EXECUTABLE)
    const store = newVolume(image.root, image.volume)
    for (const shell of ['/bin/sh', '/usr/bin/sh', '/bin/busybox'])
      expect(existsSync(join(image.root, shell))).toBe(false)
    const [program] = image.entrypoint as [string]
    const container = startContainer(image, store)
    const { address } = await container.listening()
    expect(address).toEndWith(`:${image.env.IZVOR_PORT}`)
    expect(await container.exec(image.healthcheck)).toEqual({ code: 0, stdout: 'ready\n', stderr: '' })
    const words = ['ingest', '-', '--id', 'towns', '--domain', 'test']
    expect(await container.exec([program, ...words], 'name,people\nCluj,300\nDej,30\n')).toMatchObject({
      code: 0,
    })
    expect((await container.exec([program, 'datasets', 'list'])).stdout).toContain('towns')
    const minted = await container.exec([program, 'keys', 'mint', '--plan', 'unlimited', '--json'])
    const { secret } = JSON.parse(minted.stdout)
    const list = `http://127.0.0.1:${image.env.IZVOR_PORT}/v1/test/towns?sort=-people`
    const { status, body } = await container.fetch(list, secret)
    expect([status, JSON.parse(body).data[0]]).toEqual([200, { name: 'Cluj', people: 300 }])
    const doctor = await container.exec([program, 'doctor', '--json'])
    const problems = JSON.parse(doctor.stdout).filter(({ state }: { state: string }) => state === 'problem')
    expect([doctor.code, problems]).toEqual([0, []])
    expect(await container.exec([program, 'backup', '/usr/local/izvor.tar'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/read-only|no rights/),
    })
    container.stop()
    expect(await container.child.exited).toBe(0)
    const files = readdirSync(store, { recursive: true }) as string[]
    expect(files).toContain('accounts.db')
    for (const file of ['', ...files]) {
      const { uid, mode } = statSync(join(store, file))
      expect([file, uid, mode & 0o077]).toEqual([file, 65_532, 0])
    }
    const again = startContainer(image, store)
    await again.listening()
    expect((await again.fetch(list, secret)).status).toBe(200)
  },
)

test.skipIf(OBSTACLE !== null)(
  'with workers the first process forwards signals, replaces a worker, and reaps orphaned processes',
  async () => {
    const image = await unpackImage(EXECUTABLE)
    const store = newVolume(image.root, image.volume)
    const container = startContainer(image, store, ['serve', '--workers', '2'])
    await container.listening()
    const pid = container.pid()
    const children = () =>
      readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
    const workers = children()
    expect(workers).toEqual(workersOf(pid))
    // The parent ends at once, and the first process inherits the child.
    const orphan = ['nsenter', '--target', String(pid), '--pid', '--', '/bin/sh', '-c', 'sleep 1 &']
    expect(Bun.spawnSync(orphan, { stdio: ['ignore', 'ignore', 'ignore'] }).exitCode).toBe(0)
    expect(children()).toHaveLength(3)
    process.kill(workers[0]!, 'SIGKILL')
    await until(
      () => children().length === 2 && workersOf(pid).length === 2 && !children().includes(workers[0]!),
    )
    expect((await container.exec(image.healthcheck)).code).toBe(0)
    container.stop()
    expect(await container.child.exited).toBe(0)
  },
)

test.skipIf(OBSTACLE !== null)('the health check of a container without a service fails', async () => {
  const image = await unpackImage(EXECUTABLE)
  const store = newVolume(image.root, image.volume)
  const { child } = startContainer(image, store, image.healthcheck.slice(1))
  expect(await child.exited).toBe(3)
})
