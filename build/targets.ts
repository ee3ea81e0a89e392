/** The platforms that executables and packages are built for. */

import { join } from 'node:path'
import { ROOT } from './entry-points.ts'

/** A platform that the executable is built for. */
export interface Target {
  readonly bun: Bun.Build.CompileTarget
  /** Subpath of better-sqlite3 that embeds this platform's addon. */
  readonly sqlite: string
  /** The npm package with its Bun runtime, and the runtime's path inside it. */
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

/** All targets, by the name that `bun run build` takes. */
export const TARGETS: Readonly<Record<string, Target>> = {
  'linux-x64': target('linux', 'x64'),
  'linux-arm64': target('linux', 'arm64'),
  'darwin-arm64': target('darwin', 'arm64'),
  'darwin-x64': target('darwin', 'x64'),
  'windows-x64': target('windows', 'x64'),
}

/** Where executables and packages go. */
export const DIST = join(ROOT, 'dist')

/** The name of this machine's platform, which may not be a target. */
export const ownTarget = (): string => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  return `${platform}-${process.arch}`
}

/** Where the executable of a target goes; for the machine's own platform it is just `dist/izvor`. */
export function outputPath(name: string): string {
  const ending = name.startsWith('windows') ? '.exe' : ''
  return join(DIST, name === ownTarget() ? `izvor${ending}` : `izvor-${name}${ending}`)
}
