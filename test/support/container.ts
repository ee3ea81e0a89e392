/**
 * The image that `bun run package` makes, run without a container engine: its layers are unpacked, mounted read-only and
 * entered as its user, in separate namespaces. It needs root on a Debian-like Linux, whose own libraries go into the image
 * instead of those that are downloaded.
 */

import { onTestFinished } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unpackTar } from 'modern-tar'
import { readLibraries } from '../../build/packages/base-libraries.ts'
import type { Architecture } from '../../build/packages/entries.ts'
import { makeImage } from '../../build/packages/image.ts'
import { listening } from '../journeys/program.ts'
import { tempDir } from './temp-dir.ts'

/** This machine's architecture, as images name it. */
const ARCHITECTURE: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
const NAMESPACES = ['--mount', '--net', '--pid', '--ipc', '--uts', '--fork']
const DEVICES = ['null', 'zero', 'random', 'urandom']
const PROGRAMS = ['unshare', 'nsenter', 'setpriv', 'ip', 'tar', 'ldd']
const COMPOSE = join(import.meta.dir, '../../data/ops/compose.yaml')

/** Why no container can be made here, or null. */
export function whyNoContainer(): string | null {
  if (!process.env.IZVOR_BINARY) return 'an image holds the executable: IZVOR_BINARY does not name it'
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux'
  if (!existsSync('/var/lib/dpkg')) return 'the libraries are found on a Debian-like system'
  const missing = PROGRAMS.filter((program) => Bun.which(program) === null)
  if (missing.length > 0) return `${missing.join(', ')} not installed`
  return Bun.spawnSync(['unshare', ...NAMESPACES, 'true']).success ? null : 'no namespaces can be made'
}

/** The one service of compose.yaml. */
interface ComposeService {
  readonly environment: Readonly<Record<string, string>>
  readonly tmpfs: readonly string[]
  readonly read_only: boolean
  readonly cap_drop: readonly string[]
  readonly security_opt: readonly string[]
}

export function readCompose(): ComposeService {
  const { services } = Bun.YAML.parse(readFileSync(COMPOSE, 'utf8')) as {
    services: { izvor: ComposeService }
  }
  return services.izvor
}

export interface Image {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly user: string
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly healthcheck: readonly string[]
  readonly stopSignal: NodeJS.Signals
  readonly volume: string
}

/** The unpacked image, made once: it takes seconds, and tests only read it. */
let made: ReturnType<typeof readLayout> | undefined

async function makeOwnImage(executable: string) {
  const parts = {
    ...{ architecture: ARCHITECTURE, executable: await Bun.file(executable).bytes() },
    libraries: await readLibraries('/', ARCHITECTURE),
  }
  return await readLayout(await makeImage([parts], 'NOTICE', { version: '1.2.3', date: new Date(0) }))
}

/** The image for this machine, unpacked as an engine unpacks it. @param executable what is in dist/ */
export async function unpackImage(executable: string): Promise<Image> {
  made ??= makeOwnImage(executable)
  const layout = await made
  const root = join(tempDir(), 'root')
  mkdirSync(root)
  for (const layer of layout.layers) {
    const { exitCode, stderr } = Bun.spawnSync(['tar', '-xzpf', '-', '--numeric-owner', '-C', root], {
      stdin: layer,
    })
    if (exitCode !== 0) throw new Error(`a layer could not be unpacked: ${stderr}`)
  }
  placeEngineFiles(root)
  const { User, Env, Entrypoint, Cmd, Healthcheck, StopSignal, Volumes } = layout.config
  return {
    ...{ root, user: User, entrypoint: Entrypoint, command: Cmd, stopSignal: StopSignal },
    env: Object.fromEntries(Env.map((pair) => pair.split(/=(.*)/s) as [string, string])),
    healthcheck: Healthcheck.Test.slice(1),
    volume: Object.keys(Volumes)[0] as string,
  }
}

interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly Healthcheck: { readonly Test: readonly string[] }
  readonly StopSignal: NodeJS.Signals
  readonly Volumes: Readonly<Record<string, object>>
}

/** What an OCI layout says about its first image; each blob is compared with its name. */
export async function readLayout(tar: Uint8Array<ArrayBuffer>) {
  const files = new Map((await unpackTar(tar)).map(({ header, data }) => [header.name, data]))
  const read = (path: string): Uint8Array<ArrayBuffer> => {
    const bytes = files.get(path)
    if (bytes === undefined) throw new Error(`${path} is not in the layout`)
    return bytes
  }
  const blob = ({ digest }: { digest: string }) => {
    const bytes = read(`blobs/${digest.replace(':', '/')}`)
    const sum = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
    if (digest !== `sha256:${sum}`) throw new Error(`${digest} is the name of ${sum}`)
    return bytes
  }
  const json = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes))
  const index = json(blob(json(read('index.json')).manifests[0]))
  const manifest = json(blob(index.manifests[0]))
  const described = json(blob(manifest.config))
  return {
    platforms: index.manifests.map(({ platform }: { platform: object }) => platform) as object[],
    config: described.config as ImageConfig,
    diffs: described.rootfs.diff_ids as string[],
    layers: (manifest.layers as { digest: string }[]).map(blob),
    forDocker: json(read('manifest.json')) as { RepoTags: string[]; Layers: string[]; Config: string }[],
    files: [...files.keys()],
  }
}

/** What an engine adds to a root: mount points, and the names of this machine. */
function placeEngineFiles(root: string): void {
  for (const folder of ['dev', 'proc']) mkdirSync(join(root, folder), { recursive: true })
  for (const device of DEVICES) writeFileSync(join(root, 'dev', device), '')
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n')
}

/** The container's own view, then the program as its first process. */
const ENTER = `
set -e
mount --bind "$ROOT" "$ROOT"
mount -t tmpfs -o "$TMPFS,nosuid,nodev" tmpfs "$ROOT/tmp"
mount --bind "$STORE" "$ROOT$VOLUME"
mount -t proc -o nosuid,nodev,noexec proc "$ROOT/proc"
for device in ${DEVICES.join(' ')}; do mount --bind "/dev/$device" "$ROOT/dev/$device"; done
mount -o remount,bind,ro "$ROOT"
ip link set lo up
exec setpriv --no-new-privs chroot --userspec="$OWNER" --groups= "$ROOT" "$@"
`

export interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Starts it as Compose does with compose.yaml.
 * @param store a folder of this machine, in the volume's place
 * @param words instead of CMD
 */
export function startContainer(image: Image, store: string, words = image.command) {
  const { root, user, volume, entrypoint } = image
  const { environment, tmpfs } = readCompose()
  const [, options = ''] = /^\/tmp:(\S+)$/.exec(tmpfs[0] ?? '') ?? []
  const env = { ...image.env, ...environment }
  // Programs are found on this machine's path; no setting of the test's environment is passed on.
  const outside = { ...env, PATH: process.env.PATH, HOME: '/nonexistent' }
  const child = Bun.spawn(['unshare', ...NAMESPACES, '/bin/sh', '-c', ENTER, 'sh', ...entrypoint, ...words], {
    env: { ...outside, ROOT: root, TMPFS: options, STORE: store, VOLUME: volume, OWNER: user },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  /** Its first process, seen from outside; empty once it has ended. */
  const first = () => {
    const children = `/proc/${child.pid}/task/${child.pid}/children`
    return existsSync(children) ? readFileSync(children, 'utf8').trim() : ''
  }
  onTestFinished(async () => {
    // The container ends with its first process; ending `unshare` alone would leave that running, as it changed its user.
    if (first() !== '') process.kill(Number(first()), 'SIGKILL')
    await child.exited
  })
  const run = async (command: readonly string[], input?: string): Promise<Finished> => {
    const inside = Bun.spawn([...command], {
      ...{ env: outside, stdout: 'pipe', stderr: 'pipe' },
      stdin: input === undefined ? 'ignore' : new Blob([input]),
    })
    const [stdout, stderr] = await Promise.all([inside.stdout.text(), inside.stderr.text()])
    return { code: await inside.exited, stdout, stderr }
  }
  const [uid, gid] = user.split(':') as [string, string]
  return {
    child,
    listening: () => listening(child),
    /** Of its first process, seen from outside. */
    pid: () => Number(first()),
    stop: () => process.kill(Number(first()), image.stopSignal),
    /** As `docker exec`. */
    exec: (command: readonly string[], input?: string) =>
      run(
        [
          'nsenter',
          '--target',
          first(),
          '--mount',
          '--net',
          '--pid',
          '--root',
          '--wd',
          '--setuid',
          uid,
        ].concat([...['--setgid', gid, '--', ...command]]),
        input,
      ),
    /** A request to an address in the container. */
    fetch: async (address: string, secret: string): Promise<{ status: number; body: string }> => {
      const ask = `const answer = await fetch(Bun.argv[2], { headers: { authorization: 'Bearer ' + Bun.argv[3] } })
        console.log(JSON.stringify({ status: answer.status, body: await answer.text() }))`
      const script = join(tempDir(), 'ask.ts')
      writeFileSync(script, ask)
      const words = ['nsenter', '--target', first(), '--net', '--', process.execPath, script, address, secret]
      const { stdout, stderr } = await run(words)
      if (stdout === '') throw new Error(stderr)
      return JSON.parse(stdout)
    },
  }
}
