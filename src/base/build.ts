/** Which build of the program this is; many builds share a version number. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }

export interface Build {
  readonly version: string
  /** The full hash, followed by `-dirty` if files have changed since; null when unknown. */
  readonly commit: string | null
  /** Of the commit: RFC 3339 UTC. */
  readonly date: string | null
}

type Origin = Pick<Build, 'commit' | 'date'>

/** Put into the executable by `build/compile.ts`. */
declare const IZVOR_ORIGIN: Origin | undefined

let known: Build | undefined

export function readBuild(): Build {
  known ??= {
    version: packageJson.version,
    ...(typeof IZVOR_ORIGIN === 'object' ? IZVOR_ORIGIN : readOrigin(join(import.meta.dir, '..', '..'))),
  }
  return known
}

/** For people, and to tell two builds apart. */
export function nameBuild({ version, commit }: Build = readBuild()): string {
  if (commit === null) return version
  return `${version} (${commit.slice(0, 12)}${commit.endsWith('-dirty') ? '-dirty' : ''})`
}

/** What git says about the sources in a folder. */
export function readOrigin(root: string): Origin {
  const commit = askGit(root, ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'])
  const date = askGit(root, ['log', '-1', '--format=%cd', '--date=format-local:%Y-%m-%dT%H:%M:%SZ'])
  return commit === null || date === null ? { commit: null, date: null } : { commit, date }
}

function askGit(root: string, question: readonly string[]): string | null {
  // The sources may have been unpacked inside another repository.
  if (!existsSync(join(root, '.git'))) return null
  try {
    const env = { ...process.env, TZ: 'UTC' }
    const asked = Bun.spawnSync(['git', '-C', root, ...question], { env, stderr: 'ignore' })
    const said = asked.stdout.toString().trim()
    return asked.exitCode === 0 && said !== '' ? said : null
  } catch {
    return null
  }
}
