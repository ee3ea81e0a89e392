/**
 * A throw-away Debian to install packages in: this machine's root with a layer in memory above it, in separate namespaces, so
 * that no change by dpkg remains. It needs root on a Debian-like Linux.
 */

import { onTestFinished } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { until } from './until.ts'

const NAMESPACES = ['--mount', '--net', '--pid', '--ipc', '--uts', '--fork']
const PROGRAMS = [
  'unshare',
  'nsenter',
  'chroot',
  'setpriv',
  'ip',
  'dpkg',
  'debconf',
  'adduser',
  'deb-systemd-helper',
]

/** The first argument is where the root is visible from outside, the second the folder of packages. */
const ENTER = `
set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
for folder in run tmp var/tmp; do mount -t tmpfs tmpfs "$1/root/$folder"; done
mount -t proc proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
mkdir "$1/root/run/packages"
mount --bind "$2" "$1/root/run/packages"
ip link set lo up
echo entered
exec cat
`

/** Why no such root can be made here, or null. */
export function whyNoDebian(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux'
  if (existsSync('/var/lib/izvor')) return 'the package is installed on this machine'
  const missing = PROGRAMS.filter((program) => Bun.which(program, { PATH: SYSTEM_PATH }) === null)
  if (missing.length > 0) return `${missing.join(', ')} not installed`
  const overlay =
    'mount -t tmpfs t /mnt && mkdir /mnt/u /mnt/w /mnt/r && mount -t overlay o -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/r'
  return Bun.spawnSync(['unshare', ...NAMESPACES, 'sh', '-c', overlay]).success
    ? null
    : 'no layer can be put over /'
}

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export interface RunInside {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** A user of that root, instead of the first one. */
  readonly user?: string
  readonly cwd?: string
}

/**
 * @param place an empty folder
 * @param packages a folder that is /run/packages inside
 */
export async function enterDebian(place: string, packages: string) {
  const holder = Bun.spawn(['unshare', ...NAMESPACES, '/bin/sh', '-c', ENTER, 'sh', place, packages], {
    ...{ stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' },
    env: { PATH: SYSTEM_PATH },
  })
  const children = () => readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').trim()
  onTestFinished(async () => {
    // Everything that runs inside ends with its first process, and so do its mounts.
    if (holder.exitCode === null && children() !== '') process.kill(Number(children()), 'SIGKILL')
    await holder.exited
  })
  const reader = holder.stdout.getReader()
  const { value } = await reader.read()
  reader.releaseLock()
  if (value === undefined) throw new Error(`the root could not be entered: ${await holder.stderr.text()}`)
  const first = await until(children, (pid) => pid !== '')

  const start = (command: readonly string[], { input, env, user, cwd = '/' }: RunInside = {}) => {
    const asUser =
      user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups']
    const inside = ['env', '-C', cwd, ...asUser, ...command]
    return Bun.spawn(
      [
        'nsenter',
        '--target',
        first,
        '--mount',
        '--net',
        '--pid',
        '--ipc',
        '--uts',
        '--',
        'chroot',
        `${place}/root`,
        ...inside,
      ],
      {
        env: { PATH: SYSTEM_PATH, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8', ...env },
        ...{ stdout: 'pipe', stderr: 'pipe', stdin: input === undefined ? 'ignore' : new Blob([input]) },
      },
    )
  }
  const run = async (command: readonly string[], options?: RunInside) => {
    const child = start(command, options)
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
    return { code: await child.exited, stdout, stderr }
  }
  return {
    start,
    run,
    /** @throws Error with its messages, where a command fails */
    async succeed(command: readonly string[], options?: RunInside): Promise<string> {
      const { code, stdout, stderr } = await run(command, options)
      if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
      return stdout
    },
  }
}
