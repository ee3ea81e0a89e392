/** The machine and the data directory on it: rights, file systems, temporary files, clock, open files, memory. */

import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closing, releasing } from '../../base/closing.ts'
import { machineMemory } from '../../base/process/machine.ts'
import { openFileLimit } from '../../base/process/open-files.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import { openDatabase } from '../../db/open.ts'
import { explainBound, mostConnections } from '../../server/listening/connections.ts'
import { formatBytes } from '../cli/print.ts'
import { type Answer, fine, problem, type Said, type Site, warning } from './finding.ts'

/** Below this multiple of the floor the next ingest may run out of space. */
const LITTLE_ROOM = 4
/** Network file systems: SQLite's locks and shared memory are unreliable there. */
const NETWORK = /^(?:nfs4?|cifs|smb[23]?|smbfs|9p|fuse\.sshfs|afs|ceph|glusterfs|fuse\.glusterfs|ncpfs)$/
/** File systems whose contents are lost when the machine or the container stops. */
const PASSING = /^(?:tmpfs|ramfs|overlay|aufs)$/
/** Each connection, database and dataset needs an open file; the usual default of 1024 is too few. */
const FEW_FILES = 4096
/** Tolerated difference between clocks, in ms. */
const CLOCK_DOUBT = 60_000

export function checkFolder({ folder, program }: Site): Answer {
  if (!existsSync(folder.root))
    return problem(
      `There is no data directory at ${folder.root}.`,
      'It holds accounts, keys and datasets; a server that starts now makes an empty one.',
      `${program} serve --data ${folder.root}   (or set IZVOR_DATA to the right directory)`,
    )
  const { mode } = statSync(folder.root)
  if (process.platform === 'win32' || (mode & 0o077) === 0) return checkRights(folder)
  const open = warning(
    `Other users of this machine can read ${folder.root} (mode ${(mode & 0o777).toString(8)}).`,
    'It holds e-mail addresses, password hashes and the secrets that seal cursors and links.',
    `chmod 700 ${folder.root}`,
  )
  return [checkRights(folder), open]
}

function checkRights(folder: Site['folder']): Said {
  const { root, datasetsDir, tmpDir, accountsDb, usageDb, catalogDb } = folder
  const owner = String(process.getuid?.() ?? '$USER')
  const places = [root, datasetsDir, tmpDir, accountsDb, usageDb, catalogDb].filter(existsSync)
  for (const path of places) {
    const right = constants.R_OK | constants.W_OK | (statSync(path).isDirectory() ? constants.X_OK : 0)
    try {
      accessSync(path, right)
    } catch (error) {
      return problem(
        `${path} cannot be used: ${explainFailure(error)}.`,
        'The service reads and writes there; without access it does not start, or stops serving.',
        `sudo chown -R ${owner} ${root} && sudo chmod -R u+rwX ${root}`,
      )
    }
  }
  const stranger = places.find((path) => process.getuid && statSync(path).uid !== process.getuid())
  if (stranger === undefined) return fine(`${root} can be read and written.`)
  return problem(
    `${stranger} belongs to user ${statSync(stranger).uid}, and this is user ${owner}.`,
    'The service cannot open files that another user makes in the directory.',
    `sudo chown -R '#${statSync(root).uid}' ${root}   (or run izvor as user ${statSync(root).uid})`,
  )
}

/** Free space on the data disk. */
export function checkDisk({ folder, config: { disk_floor: floor } }: Site): Answer {
  const bytes = folder.freeBytes()
  const free = `${formatBytes(bytes)} are free`
  const where = `on the disk of ${folder.root}`
  const why =
    'A full disk stops ingests, the request log and the counting of calls; published data is still served.'
  const remedy = `du -xh ${folder.root} | sort -h | tail   (free space or move the folder; fewer kept versions: IZVOR_KEEP_VERSIONS)`
  if (bytes < floor) {
    const what = `${free} ${where}, below the floor of ${formatBytes(floor)}: the service reports that it is not ready.`
    return problem(what, why, remedy)
  }
  if (bytes < floor * LITTLE_ROOM)
    return warning(`Only ${free} ${where}; the floor is ${formatBytes(floor)}.`, why, remedy)
  return fine(`${free}; the floor is ${formatBytes(floor)}.`)
}

/** Whether SQLite's write-ahead log works where the databases are, by a trial and by the kind of file system. */
export function checkFilesystem({ folder }: Site): Answer {
  const kind = mountOf(folder.root)?.kind
  const move = 'move the directory to a local disk (ext4, xfs, NTFS, APFS) and set IZVOR_DATA to it'
  try {
    tryWal(folder)
  } catch (error) {
    return problem(
      `A database with a write-ahead log cannot be used in ${folder.root}: ${explainFailure(error)}.`,
      'Every database of the service needs one, so that readers and writers do not block each other.',
      move,
    )
  }
  if (kind !== undefined && NETWORK.test(kind))
    return warning(
      `${folder.root} is on a network or shared file system (${kind}).`,
      'Locks and shared memory are unreliable there, and two machines that write corrupt a database.',
      move,
    )
  if (kind !== undefined && PASSING.test(kind))
    return warning(
      `${folder.root} is on ${kind}, which does not survive the machine or the container.`,
      'After a restart, accounts, keys and datasets are lost.',
      `docker run -v izvor-data:${folder.root} …   (a volume, or a directory on a disk)`,
    )
  return fine(`The write-ahead log works${kind === undefined ? '' : ` on ${kind}`}.`)
}

function tryWal(folder: Site['folder']): void {
  using work = releasing(folder.claimWorkFolder())
  const path = join(work.path, 'doctor.db')
  using writer = closing(openDatabase(path))
  writer.exec('CREATE TABLE probe (n INTEGER); INSERT INTO probe VALUES (1)')
  using reader = closing(openDatabase(path, { readonly: true }))
  const mode = writer.pragma('journal_mode', { simple: true })
  if (mode !== 'wal') throw new Error(`the journal is "${String(mode)}" there`)
  if (reader.prepare('SELECT n FROM probe').get() === undefined) throw new Error('a reader sees nothing')
}

/** The directory where the executable unpacks SQLite to load it as code. */
export function checkTemp({ env }: Site): Answer {
  const folder = env.BUN_TMPDIR ?? tmpdir()
  const place = `The directory for temporary files, ${folder},`
  const why = 'At every start the executable unpacks its database library there and loads it.'
  const remedy =
    'BUN_TMPDIR=/run/izvor izvor serve   (in systemd: Environment=BUN_TMPDIR=/run/izvor; the directory must exist)'
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    return problem(`${place} cannot be used: ${explainFailure(error)}.`, why, remedy)
  }
  const isBarred = mountOf(folder)?.options.includes('noexec')
  if (isBarred) return problem(`${place} is mounted noexec.`, why, remedy)
  return fine(`${folder} can be used for temporary files.`)
}

/** Files of the data directory with a time in the future. */
export function checkClock({ folder, now }: Site): Answer {
  const files = [folder.accountsDb, folder.usageDb, folder.catalogDb, folder.backupsFile]
  const times = files.filter(existsSync).map((file) => statSync(file).mtimeMs)
  const ahead = Math.max(0, ...times) - now().getTime()
  const why =
    'Quotas, sessions, schedules and the request log use the clock; a clock that jumps counts a month twice.'
  const remedy = 'timedatectl set-ntp true   (then: timedatectl status)'
  if (ahead > CLOCK_DOUBT) {
    const what = `The clock says ${now().toISOString()}, but files of the data directory were written ${Math.round(ahead / 1000)} s later.`
    return problem(what, why, remedy)
  }
  if (existsSync('/run/systemd/timesync') && !existsSync('/run/systemd/timesync/synchronized'))
    return warning('No time server has set the clock since this machine started.', why, remedy)
  return fine(`${now().toISOString()}, and no file of the data directory is newer.`)
}

/** The limit of this process; a service manager may set another one for the service. */
export function checkOpenFiles({ config: { max_connections: asked } }: Site): Answer {
  const limit = openFileLimit()
  if (limit === undefined) return
  const remedy = 'ulimit -n 65536   (in systemd: LimitNOFILE=65536)'
  if (asked !== null && asked > mostConnections(limit))
    return warning(`${explainBound(asked)}.`, 'Every connection needs one.', remedy)
  if (limit >= FEW_FILES) return fine(`Up to ${limit} files may be open.`)
  return warning(
    `Only ${limit} files may be open at the same time.`,
    `Every connection and every dataset needs one: the service accepts ${mostConnections(limit)} connections.`,
    remedy,
  )
}

/** The memory budget compared with the memory of the machine or container. */
export function checkMemory({ config: { memory_budget: budget } }: Site): Answer {
  const total = machineMemory()
  const taken = `Open datasets may take ${formatBytes(budget)}`
  if (budget <= total / 2) return fine(`${taken} of ${formatBytes(total)}.`)
  return warning(
    `${taken}, of ${formatBytes(total)} for everything.`,
    'Ingests, exports and the program itself need memory too; the system kills processes when it runs out.',
    `IZVOR_MEMORY_BUDGET=${Math.max(64, Math.floor(total / 2 / 2 ** 20))}MiB`,
  )
}

/** The mount that a path is on (Linux: proc(5)). Undefined on systems without `/proc`. */
function mountOf(path: string) {
  try {
    return findMount(readFileSync('/proc/self/mountinfo', 'utf8'), realpathSync(path))
  } catch {
    return undefined
  }
}

/**
 * The mount of a path: the one with the longest matching path; among equal ones the last, which covers the others.
 * @param mountinfo `36 35 98:0 /root /mount rw,noatime [optional fields] - ext4 /dev/sda1 rw,errors=continue`
 */
export function findMount(mountinfo: string, path: string) {
  /** `kind`: `ext4`, `nfs4`, `overlay` … */
  let found: { readonly path: string; readonly kind: string; readonly options: readonly string[] } | undefined
  for (const line of mountinfo.split('\n')) {
    const [own = '', filesystem = ''] = line.split(' - ')
    const [, , , , written, options] = own.split(' ')
    const kind = filesystem.split(' ')[0]
    if (written === undefined || options === undefined || !kind) continue
    // Spaces and similar characters are written as octal numbers.
    const mount = written.replaceAll(/\\([0-7]{3})/g, (_, octal) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    )
    if (mount !== '/' && path !== mount && !path.startsWith(`${mount}/`)) continue
    if (found === undefined || mount.length >= found.path.length)
      found = { path: mount, kind, options: options.split(',') }
  }
  return found
}
