/**
 * The libraries of the image: glibc and those of GCC, from Debian's packages. apt downloads them once into dist/base, from
 * the sources configured on this machine; `base-libraries.json` locks names, versions and SHA-256.
 */

import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../entry-points.ts'
import locked from './base-libraries.json' with { type: 'json' }
import { type Architecture, digest, type Entry } from './entries.ts'

const LOCK = join(import.meta.dir, 'base-libraries.json')
const CACHE = join(ROOT, 'dist/base')
/** The last one has the licences of libgcc-s1 and libstdc++6. */
const PACKAGES = ['libc6', 'libgcc-s1', 'libstdc++6', 'gcc-12-base']
const LICENSES = ['libc6', 'gcc-12-base']

/** What the executable and the addon load, and what glibc loads to look up names. */
const LIBRARIES = [
  'libc.so.6',
  'libm.so.6',
  'libdl.so.2',
  'libpthread.so.0',
  'libresolv.so.2',
  'libnss_dns.so.2',
].concat(['libnss_files.so.2', 'libgcc_s.so.1', 'libstdc++.so.6'])

const PLACES: Readonly<Record<Architecture, { readonly folder: string; readonly loader: string }>> = {
  amd64: { folder: 'lib/x86_64-linux-gnu', loader: 'lib64/ld-linux-x86-64.so.2' },
  arm64: { folder: 'lib/aarch64-linux-gnu', loader: 'lib/ld-linux-aarch64.so.1' },
}

/** @param root where Debian's packages are unpacked; `/` on a machine of this architecture works too */
export async function readLibraries(root: string, architecture: Architecture): Promise<Entry[]> {
  const { folder, loader } = PLACES[architecture]
  const read = async (path: string, source: string): Promise<Entry> => {
    return { path, data: await Bun.file(realpathSync(source)).bytes(), mode: 0o755 }
  }
  const find = (name: string): string => {
    const found = [folder, `usr/${folder}`]
      .map((place) => join(root, place, name))
      .find((path) => existsSync(path))
    if (found === undefined) throw new Error(`${name} is not below ${root}.`)
    return found
  }
  const licenses = LICENSES.map((name) => `usr/share/doc/${name}/copyright`)
  return await Promise.all([
    ...LIBRARIES.map((name) => read(join(folder, name), find(name))),
    read(loader, find(loader.split('/').at(-1)!)),
    ...licenses
      .filter((path) => existsSync(join(root, path)))
      .map(async (path): Promise<Entry> => ({ path, data: await Bun.file(join(root, path)).bytes() })),
  ])
}

/** The locked libraries, downloaded if they are not here yet. */
export async function lockedLibraries(architecture: Architecture): Promise<Entry[]> {
  const files = Object.entries<string>(locked[architecture])
  const missing = files.filter(([name]) => !existsSync(join(CACHE, name)))
  if (missing.length > 0)
    await download(
      architecture,
      missing.map(([name]) => aptNameOf(name)),
    )
  const root = mkdtempSync(join(tmpdir(), 'izvor-base-'))
  try {
    for (const [name, sum] of files) {
      const path = join(CACHE, name)
      if (!existsSync(path) || digest('sha256', await Bun.file(path).bytes()) !== sum)
        throw new Error(
          `${path} is missing or is not the locked file. For Debian's newest: bun run build:base`,
        )
      run(['dpkg-deb', '--extract', path, root])
    }
    return await readLibraries(root, architecture)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** The libraries by name and version, for the list of parts. */
export function namedLibraries(
  architecture: Architecture,
): { readonly name: string; readonly version: string }[] {
  return Object.keys(locked[architecture]).map((file) => {
    const [name = '', version = ''] = file.split('_')
    return { name, version: decodeURIComponent(version) }
  })
}

/** What apt is asked for, such as `libc6=2.36-9`, from the name of a package file. */
function aptNameOf(file: string): string {
  const [name, version] = file.split('_') as [string, string]
  return `${name}=${decodeURIComponent(version)}`
}

/** Downloads into dist/base, with temporary package lists that leave this machine's untouched. @returns names of the files */
async function download(architecture: Architecture, names: readonly string[]): Promise<string[]> {
  const state = mkdtempSync(join(tmpdir(), 'izvor-apt-'))
  try {
    mkdirSync(CACHE, { recursive: true })
    for (const folder of ['state/lists/partial', 'cache/archives/partial', 'files'])
      mkdirSync(join(state, folder), { recursive: true })
    const options = [
      ...[`Dir::State=${state}/state`, `Dir::Cache=${state}/cache`, 'Dir::State::status=/dev/null'],
      ...[`APT::Architecture=${architecture}`, `APT::Architectures=${architecture}`, 'APT::Sandbox::User='],
    ].flatMap((option) => ['-o', option])
    run(['apt-get', ...options, '-q', 'update'], state)
    run(['apt-get', ...options, '-q', 'download', ...names], join(state, 'files'))
    const files = [...new Bun.Glob('*.deb').scanSync(join(state, 'files'))].toSorted()
    for (const name of files) await Bun.write(join(CACHE, name), Bun.file(join(state, 'files', name)))
    return files
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
}

function run(command: string[], cwd = ROOT): void {
  if (Bun.which(command[0]!) === null) throw new Error(`The libraries of the image need ${command[0]}.`)
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd, stdout: 'ignore', stderr: 'pipe' })
  if (exitCode === 0) return
  const advice =
    command[0] === 'apt-get'
      ? 'The libraries of the image need the network once. If Debian has replaced them: bun run build:base'
      : ''
  throw new Error(`${command[0]} ended with ${exitCode}:\n${stderr}${advice}`)
}

/** `bun run build:base`: locks the newest versions that apt has. */
if (import.meta.main) {
  const lock: Record<string, Record<string, string>> = {}
  for (const architecture of Object.keys(PLACES) as Architecture[]) {
    const sums: [string, string][] = []
    for (const name of await download(architecture, PACKAGES))
      sums.push([name, digest('sha256', await Bun.file(join(CACHE, name)).bytes())])
    lock[architecture] = Object.fromEntries(sums)
  }
  writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`)
}
