/** The machine: temporary files, clock, open files, memory. */

import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { machineMemory } from '../../process/memory.ts'
import { explainFailure } from '../../text/system-failure.ts'
import { formatBytes } from '../print.ts'
import { type Finding, finding, fine, type Site } from './finding.ts'
import { mountOf } from './mounts.ts'

/** Connections, databases and an open file per dataset; more than systems of old give. */
const FEW_FILES = 4096
/** Clocks of two machines, and a file written in the second that has not ended. In ms. */
const CLOCK_DOUBT = 60_000

/** The executable unpacks its SQLite there and loads it as code. */
export function checkTemp({ env }: Site): Finding[] {
  const folder = env.BUN_TMPDIR ?? tmpdir()
  const remedy =
    'BUN_TMPDIR=/run/izvor izvor serve   (in systemd: Environment=BUN_TMPDIR=/run/izvor; the folder must be there)'
  const why = 'The executable unpacks its database library there at every start and loads it from there.'
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const what = `The folder for temporary files, ${folder}, cannot be used: ${explainFailure(error)}.`
    return [finding('temp', 'problem', { what, why, remedy })]
  }
  if (mountOf(folder)?.options.includes('noexec')) {
    const what = `The folder for temporary files, ${folder}, is mounted noexec.`
    return [finding('temp', 'problem', { what, why, remedy })]
  }
  return [fine('temp', `${folder} takes temporary files.`)]
}

/** Files of the folder that were written after now. */
export function checkClock({ folder, now }: Site): Finding[] {
  const files = [folder.accountsDb, folder.usageDb, folder.catalogDb, folder.backupsFile]
  const times = files.filter((file) => existsSync(file)).map((file) => statSync(file).mtimeMs)
  const ahead = Math.max(0, ...times) - now().getTime()
  const why =
    'Quotas, sessions, schedules and the request log go by the clock; one that jumps counts months twice.'
  const remedy = 'timedatectl set-ntp true   (then: timedatectl status)'
  if (ahead > CLOCK_DOUBT) {
    const what = `The clock says ${now().toISOString()}, and files of the folder were written ${Math.round(ahead / 1000)} s later.`
    return [finding('clock', 'problem', { what, why, remedy })]
  }
  if (existsSync('/run/systemd/timesync') && !existsSync('/run/systemd/timesync/synchronized')) {
    const what = 'The clock has not been set by a time server since this machine was started.'
    return [finding('clock', 'warning', { what, why, remedy })]
  }
  return [fine('clock', `${now().toISOString()}, and no file of the folder is younger.`)]
}

/** As this process has it; a service manager may give the service another limit. */
export function checkOpenFiles(): Finding[] {
  const limit = openFileLimit()
  if (limit === undefined) return []
  if (limit >= FEW_FILES) return [fine('open files', `Up to ${limit} files may be open.`)]
  return [
    finding('open files', 'warning', {
      what: `Only ${limit} files may be open at the same time.`,
      why: 'Every connection and every dataset is one; beyond the limit new clients are not accepted.',
      remedy: 'ulimit -n 65536   (in systemd: LimitNOFILE=65536)',
    }),
  ]
}

/** Linux: proc(5). Undefined where the system does not tell; infinite where there is no limit. */
function openFileLimit(): number | undefined {
  try {
    const soft = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}

/** The budget against what there is; a container's own limit counts. */
export function checkMemory({ loaded }: Site): Finding[] {
  const { memory_budget: budget } = loaded.values
  const total = machineMemory()
  if (budget <= total / 2)
    return [fine('memory', `Datasets may take ${formatBytes(budget)} of ${formatBytes(total)}.`)]
  return [
    finding('memory', 'warning', {
      what: `Open datasets may take ${formatBytes(budget)}, and there are ${formatBytes(total)} for everything.`,
      why: 'Ingests, exports and the program itself need room besides; a system without memory ends processes.',
      remedy: `IZVOR_MEMORY_BUDGET=${Math.max(64, Math.floor(total / 2 / 2 ** 20))}MiB`,
    }),
  ]
}
