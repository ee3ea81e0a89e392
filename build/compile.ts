/**
 * Makes the executable: `bun run build` for this machine's platform (linux-x64 if it is not a target),
 * `bun run build NAME…` for the named targets, `bun run build --all` for all of them.
 *
 * better-sqlite3 finds its addon by a path that does not exist inside an executable. The build therefore maps its plain
 * import, in our code and in drizzle, to a subpath that embeds the addon of one platform. The Bun runtime for another
 * target comes from its npm package, locked in `runtimes/bun.lock`: from the network once, then from Bun's cache.
 */

import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readOrigin } from '../src/base/build.ts'
import { ENTRY_POINTS, embedSqlite, ROOT } from './entry-points.ts'
import { DIST, outputPath, ownTarget, TARGETS, type Target } from './targets.ts'

const RUNTIMES = join(ROOT, 'build/runtimes')

/** Unpacks the target's Bun runtime from its npm package into `folder`. @returns the path of the runtime */
function fetchRuntime({ runtime }: Target, folder: string): string {
  for (const name of ['package.json', 'bun.lock']) copyFileSync(join(RUNTIMES, name), join(folder, name))
  const options = ['--frozen-lockfile', `--os=${runtime.os}`, `--cpu=${runtime.cpu}`]
  const added = Bun.spawnSync([process.execPath, 'install', ...options], {
    ...{ cwd: folder, stdout: 'ignore', stderr: 'pipe' },
    env: { ...process.env, BUN_BE_BUN: '1' },
  })
  const place = join(folder, 'node_modules', runtime.name)
  const path = join(place, runtime.file)
  if (added.exitCode !== 0 || !existsSync(path)) {
    throw new Error(`${runtime.name} could not be fetched:\n${added.stderr.toString()}`)
  }
  const { version } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
  if (version !== Bun.version) {
    throw new Error(`build/runtimes has Bun ${version}, but this is ${Bun.version}: they must be the same.`)
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
    // The first lines of the program run before the rest is loaded.
    splitting: true,
    define: {
      IZVOR_ORIGIN: JSON.stringify(readOrigin(ROOT)),
      // CommonJS packages use these to find files that are not in the executable. Without a definition the bundler writes
      // folders of this machine into the program.
      __dirname: '"/"',
      __filename: '"/izvor"',
    },
    plugins: [embedSqlite(wanted.sqlite)],
    compile: {
      target: wanted.bun,
      outfile,
      // Files in the current folder must not change how the server behaves.
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
