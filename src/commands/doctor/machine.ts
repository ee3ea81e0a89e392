/** The machine: temporary files, clock, open files, memory. */

import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { machineMemory } from '../../base/process/machine.ts'
import { openFileLimit } from '../../base/process/open-files.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import { explainBound, mostConnections } from '../../server/listening/connections.ts'
import { formatBytes } from '../cli/print.ts'
import { type Finding, finding, fine, type Site } from './finding.ts'
import { mountOf } from './mounts.ts'

/** Each connection, database and dataset needs an open file; the usual default of 1024 is too few. */
const FEW_FILES = 4096
/** Tolerated difference between clocks, in ms. */
const CLOCK_DOUBT = 60_000

/** The directory where the executable unpacks SQLite to load it as code. */
export function checkTemp({ env }: Site): Finding[] {
  const folder = env.BUN_TMPDIR ?? tmpdir()
  const remedy =
    'BUN_TMPDIR=/run/izvor izvor serve   (in systemd: Environment=BUN_TMPDIR=/run/izvor; the directory must exist)'
  const why = 'At every start the executable unpacks its database library there and loads it.'
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const what = `The directory for temporary files, ${folder}, cannot be used: ${explainFailure(error)}.`
    return finding('temp', 'problem', { what, why, remedy })
  }
  if (mountOf(folder)?.options.includes('noexec')) {
    const what = `The directory for temporary files, ${folder}, is mounted noexec.`
    return finding('temp', 'problem', { what, why, remedy })
  }
  return fine('temp', `${folder} can be used for temporary files.`)
}

/** Files of the data directory with a time in the future. */
export function checkClock({ folder, now }: Site): Finding[] {
  const files = [folder.accountsDb, folder.usageDb, folder.catalogDb, folder.backupsFile]
  const times = files.filter((file) => existsSync(file)).map((file) => statSync(file).mtimeMs)
  const ahead = Math.max(0, ...times) - now().getTime()
  const why =
    'Quotas, sessions, schedules and the request log use the clock; a clock that jumps counts a month twice.'
  const remedy = 'timedatectl set-ntp true   (then: timedatectl status)'
  if (ahead > CLOCK_DOUBT) {
    const what = `The clock says ${now().toISOString()}, but files of the data directory were written ${Math.round(ahead / 1000)} s later.`
    return finding('clock', 'problem', { what, why, remedy })
  }
  if (existsSync('/run/systemd/timesync') && !existsSync('/run/systemd/timesync/synchronized')) {
    const what = 'No time server has set the clock since this machine started.'
    return finding('clock', 'warning', { what, why, remedy })
  }
  return fine('clock', `${now().toISOString()}, and no file of the data directory is newer.`)
}

/** The limit of this process; a service manager may set another one for the service. */
export function checkOpenFiles({ loaded }: Site): Finding[] {
  const limit = openFileLimit()
  if (limit === undefined) return []
  const remedy = 'ulimit -n 65536   (in systemd: LimitNOFILE=65536)'
  const { max_connections: asked } = loaded.values
  if (asked !== null && asked > mostConnections(limit)) {
    const what = `${explainBound(asked)}.`
    return finding('open files', 'warning', { what, why: 'Every connection needs one.', remedy })
  }
  if (limit >= FEW_FILES) return fine('open files', `Up to ${limit} files may be open.`)
  return finding('open files', 'warning', {
    what: `Only ${limit} files may be open at the same time.`,
    why: `Every connection and every dataset needs one: the service accepts ${mostConnections(limit)} connections.`,
    remedy,
  })
}

/** The memory budget compared with the memory of the machine or container. */
export function checkMemory({ loaded }: Site): Finding[] {
  const { memory_budget: budget } = loaded.values
  const total = machineMemory()
  if (budget <= total / 2)
    return fine('memory', `Open datasets may take ${formatBytes(budget)} of ${formatBytes(total)}.`)
  return finding('memory', 'warning', {
    what: `Open datasets may take ${formatBytes(budget)}, of ${formatBytes(total)} for everything.`,
    why: 'Ingests, exports and the program itself need memory too; the system kills processes when it runs out.',
    remedy: `IZVOR_MEMORY_BUDGET=${Math.max(64, Math.floor(total / 2 / 2 ** 20))}MiB`,
  })
}
