/**
 * What data/ops/Dockerfile describes, made by hand where no container engine is: a root of its own with the libraries that
 * the base image has (taken from the same packages of this machine), read-only, without a shell, for one user without
 * rights, in namespaces of its own. It takes root on a Debian-like Linux.
 */

import { onTestFinished } from 'bun:test'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { listening } from '../journeys/program.ts'
import { tempDir } from './temp-dir.ts'

/** Of those that gcr.io/distroless/cc-debian12 is made of, the ones that a program of ours may need. */
const BASE_PACKAGES = ['libc6', 'libgcc-s1', 'libstdc++6']
/** As the base image has them. */
const BASE_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', SSL_CERT_FILE: '/etc/ssl/certs/ca-certificates.crt' }
const NAMESPACES = ['--mount', '--net', '--pid', '--ipc', '--uts', '--fork']
const DEVICES = ['null', 'zero', 'random', 'urandom']
const PROGRAMS = ['unshare', 'nsenter', 'setpriv', 'ip', 'dpkg', 'ldd']

export interface Dockerfile {
  /** Instructions of the last stage, in order. */
  readonly steps: readonly { readonly name: string; readonly words: string }[]
  /** Command lines of the stages before it. */
  readonly runs: readonly string[]
  /** The line that its first comment gives for running it. */
  readonly runLine: string
}

/** Reads what is in ours; other Dockerfiles may say more. */
export function readDockerfile(text: string): Dockerfile {
  const lines = text.split('\n').filter((line) => /^[A-Z]/.test(line))
  const steps = lines.map((line) => {
    const [name = '', ...words] = line.split(' ')
    return { name, words: words.join(' ') }
  })
  const last = steps.findLastIndex(({ name }) => name === 'FROM')
  const runs = steps.slice(0, last).filter(({ name }) => name === 'RUN')
  const runLine = /^# +(docker run .*?[^\\])$/ms.exec(text)?.[1] ?? ''
  return { steps: steps.slice(last), runs: runs.map(({ words }) => words), runLine }
}

/** Why none can be made here, or null. */
export function whyNoContainer(): string | null {
  if (!process.env.IZVOR_BINARY) return 'an image holds the executable: IZVOR_BINARY does not name it'
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux'
  const missing = PROGRAMS.filter((program) => Bun.which(program) === null)
  if (missing.length > 0) return `${missing.join(', ')} not installed`
  return Bun.spawnSync(['unshare', ...NAMESPACES, 'true']).success ? null : 'no namespaces can be made'
}

/** Paths of the libraries of the base image, on this machine. */
export function baseLibraries(): string[] {
  const { stdout } = Bun.spawnSync(['dpkg', '-L', ...BASE_PACKAGES])
  return String(stdout)
    .split('\n')
    .filter((path) => /\.so(?:\.\d+)*$/.test(path) && !path.includes('/gconv/') && existsSync(path))
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

/** Follows the steps of a Dockerfile. @param executable what is in dist/ */
export function buildImage({ steps, runs }: Dockerfile, executable: string): Image {
  const root = join(tempDir(), 'root')
  placeBase(root)
  for (const run of runs) placeFolder(root, JSON.parse(run))
  const one = (name: string) => steps.find((step) => step.name === name)?.words ?? ''
  const copy = /--chown=(\d+):(\d+) --chmod=(\d+) dist\/izvor (\S+)/.exec(one('COPY'))
  if (copy === null) throw new Error('the Dockerfile does not copy dist/izvor')
  const [, uid, gid, mode, path] = copy as unknown as [string, string, string, string, string]
  place(root, path, executable)
  chmodSync(join(root, path), Number.parseInt(mode, 8))
  chownSync(join(root, path), Number(uid), Number(gid))
  const pairs = one('ENV')
    .split(' ')
    .map((pair) => pair.split('='))
  return {
    ...{ root, user: one('USER'), env: { ...BASE_ENV, ...Object.fromEntries(pairs) } },
    entrypoint: JSON.parse(one('ENTRYPOINT')),
    command: JSON.parse(one('CMD')),
    healthcheck: JSON.parse(one('HEALTHCHECK').replace(/^.*?CMD /, '')),
    stopSignal: one('STOPSIGNAL') as NodeJS.Signals,
    volume: JSON.parse(one('VOLUME'))[0],
  }
}

function placeBase(root: string): void {
  for (const path of baseLibraries()) place(root, path, realpathSync(path))
  place(root, '/etc/ssl/certs/ca-certificates.crt', '/etc/ssl/certs/ca-certificates.crt')
  for (const folder of ['dev', 'proc', 'tmp', 'home/nonroot'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const device of DEVICES) writeFileSync(join(root, 'dev', device), '')
  writeFileSync(join(root, 'etc/passwd'), 'nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n')
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n')
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n')
}

function place(root: string, path: string, source: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  // Certificates are missing on some machines, and are not asked for by what runs in here.
  if (existsSync(source)) copyFileSync(source, join(root, path))
}

/** `install -d …`, below another root. */
function placeFolder(root: string, words: string[]): void {
  const command = [...words.slice(0, -1), join(root, words.at(-1) as string)]
  if (words[0] !== 'install' || !Bun.spawnSync(command).success)
    throw new Error(`not done: ${words.join(' ')}`)
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
 * As `docker run`, with the options of the Dockerfile's own line.
 * @param store a folder of this machine, in the volume's place
 * @param words instead of CMD
 */
export function startContainer(image: Image, tmpfs: string, store: string, words = image.command) {
  const { root, env, user, volume, entrypoint } = image
  // The programs that go in are found on this machine's path; no setting of the test's environment comes along.
  const outside = { ...env, PATH: process.env.PATH, HOME: '/home/nonroot' }
  const child = Bun.spawn(['unshare', ...NAMESPACES, '/bin/sh', '-c', ENTER, 'sh', ...entrypoint, ...words], {
    env: { ...outside, ROOT: root, TMPFS: tmpfs, STORE: store, VOLUME: volume, OWNER: user },
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
    // All of the container ends with its first process; to end `unshare` alone would leave it, as it changed its user.
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
    /** A request to an address within the container. */
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
