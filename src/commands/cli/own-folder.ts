/** The default data directory of this machine's user. */

import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Cli } from './cli.ts'

/** Where the system stores programs' data for each user; on Linux by the XDG Base Directory Specification. */
export function ownFolder({ env }: Pick<Cli, 'env'>, platform = process.platform, home = homedir()): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'Izvor')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Izvor')
  const { XDG_DATA_HOME: given = '' } = env
  return join(isAbsolute(given) ? given : join(home, '.local', 'share'), 'izvor')
}
