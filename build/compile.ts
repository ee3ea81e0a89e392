/**
 * Makes the executable: `bun run build` for this machine's kind (linux-x64 where it is unknown),
 * `bun run build NAME…` for the named targets, `bun run build --all` for every one of them.
 *
 * better-sqlite3 finds its addon by a path that does not exist inside an executable. The build therefore maps the plain
 * import, ours and drizzle's, to the subpath of one platform's addon, which embeds exactly that one. Bun downloads the
 * runtime of another target from its own server; where only the npm registry is reachable it comes from the npm package.
 */

import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readOrigin } from '../src/base/build.ts'
import { ENTRY_POINTS, embedSqlite, ROOT } from './entry-points.ts'

interface Target {
  readonly bun: Bun.Build.CompileTarget
  /** Subpath of better-sqlite3 that embeds this platform's addon. */
  readonly sqlite: string
  /** npm package with the same Bun runtime, and where the package keeps it. */
  readonly runtime: {
    readonly name: string
    readonly os: string
    readonly cpu: string
    readonly file: string
  }
}

function target(platform: 'linux' | 'darwin' | 'windows', cpu: 'x64' | 'arm64'): Target {
  const os = platform === 'windows' ? 'win32' : platform
  return {
    bun: `bun-${platform}-${cpu}`,
    sqlite: `better-sqlite3/${os}-${cpu}`,
    runtime: {
      name: `@oven/bun-${platform}-${cpu === 'arm64' ? 'aarch64' : 'x64'}`,
      os,
      cpu,
      file: platform === 'windows' ? 'bin/bun.exe' : 'bin/bun',
    },
  }
}

const TARGETS: Readonly<Record<string, Target>> = {
  'linux-x64': target('linux', 'x64'),
  'linux-arm64': target('linux', 'arm64'),
  'darwin-arm64': target('darwin', 'arm64'),
  'darwin-x64': target('darwin', 'x64'),
  'windows-x64': target('windows', 'x64'),
}

const DIST = join(ROOT, 'dist')
const ownTarget = (): string => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  return `${platform}-${process.arch}`
}

/** Where the executable of a target goes: the machine's own kind is plainly `dist/izvor`. */
function outputPath(name: string): string {
  const ending = name.startsWith('windows') ? '.exe' : ''
  return join(DIST, name === ownTarget() ? `izvor${ending}` : `izvor-${name}${ending}`)
}

/** Unpacks the target's Bun runtime from its npm package into `folder`; returns the path of the runtime. */
function fetchRuntime({ runtime }: Target, folder: string): string {
  const added = Bun.spawnSync(
    [
      process.execPath,
      'add',
      '--no-save',
      `--os=${runtime.os}`,
      `--cpu=${runtime.cpu}`,
      `${runtime.name}@${Bun.version}`,
    ],
    { cwd: folder, stdout: 'ignore', stderr: 'pipe', env: { ...process.env, BUN_BE_BUN: '1' } },
  )
  const path = join(folder, 'node_modules', runtime.name, runtime.file)
  if (added.exitCode !== 0 || !existsSync(path)) {
    throw new Error(`${runtime.name}@${Bun.version} could not be fetched:\n${added.stderr.toString()}`)
  }
  return path
}

async function compile(name: string, wanted: Target, executablePath?: string): Promise<void> {
  const outfile = outputPath(name)
  const result = await Bun.build({
    entrypoints: ENTRY_POINTS,
    target: 'bun',
    format: 'esm',
    minify: true,
    bytecode: true,
    // The first lines of the program run before the rest is read.
    splitting: true,
    define: { IZVOR_ORIGIN: JSON.stringify(readOrigin(ROOT)) },
    plugins: [embedSqlite(wanted.sqlite)],
    compile: {
      target: wanted.bun,
      outfile,
      // The current folder must not change how the server behaves.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
      ...(executablePath === undefined ? {} : { executablePath }),
    },
  })
  if (!result.success) throw new AggregateError(result.logs, `${name} does not build`)
  if (!name.startsWith('windows')) await chmod(outfile, 0o755)
}

async function compileForeign(name: string, wanted: Target): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'izvor-runtime-'))
  try {
    await compile(name, wanted, fetchRuntime(wanted, folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function build(name: string): Promise<void> {
  const wanted = TARGETS[name]
  if (wanted === undefined) {
    throw new Error(`There is no target "${name}". The targets are ${Object.keys(TARGETS).join(', ')}.`)
  }
  const started = performance.now()
  await (name === ownTarget() ? compile(name, wanted) : compileForeign(name, wanted))
  const { size } = await stat(outputPath(name))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${name}: ${outputPath(name)}, ${(size / 1e6).toFixed(0)} MB, in ${seconds} s`)
}

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const names = values.all ? Object.keys(TARGETS) : positionals
await mkdir(DIST, { recursive: true })
let failures = 0
for (const name of names.length > 0 ? names : [ownTarget() in TARGETS ? ownTarget() : 'linux-x64']) {
  try {
    await build(name)
  } catch (error) {
    failures++
    console.error(`${name}: ${error instanceof Error ? error.message : error}`)
    if (error instanceof AggregateError) for (const cause of error.errors) console.error(cause)
  }
}
process.exit(failures === 0 ? 0 : 1)
