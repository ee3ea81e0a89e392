/** The data directory: whether it exists, belongs to this user, is private, and is on a suitable disk. */

import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { closing, releasing } from '../../base/closing.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import { openDatabase } from '../../db/open.ts'
import { formatBytes } from '../cli/print.ts'
import { type Finding, finding, fine, type Site } from './finding.ts'
import { mountOf } from './mounts.ts'

/** Below this multiple of the floor the next ingest may run out of space. */
const LITTLE_ROOM = 4
/** Network file systems: SQLite's locks and shared memory are unreliable there. */
const NETWORK = /^(?:nfs4?|cifs|smb[23]?|smbfs|9p|fuse\.sshfs|afs|ceph|glusterfs|fuse\.glusterfs|ncpfs)$/
/** File systems whose contents are lost when the machine or the container stops. */
const PASSING = /^(?:tmpfs|ramfs|overlay|aufs)$/

export function checkFolder(site: Site): Finding[] {
  const { folder } = site
  if (!existsSync(folder.root)) return missing(site)
  return [...checkRights(site), ...checkPrivacy(site)]
}

function missing({ folder, program }: Site): Finding[] {
  return finding('folder', 'problem', {
    what: `There is no data directory at ${folder.root}.`,
    why: 'It holds accounts, keys and datasets; a server that starts now makes an empty one.',
    remedy: `${program} serve --data ${folder.root}   (or set IZVOR_DATA to the right directory)`,
  })
}

function checkRights({ folder }: Site): Finding[] {
  const { root, datasetsDir, tmpDir, accountsDb, usageDb, catalogDb } = folder
  const places = [root, datasetsDir, tmpDir, accountsDb, usageDb, catalogDb].filter((path) =>
    existsSync(path),
  )
  for (const path of places) {
    const right = constants.R_OK | constants.W_OK | (statSync(path).isDirectory() ? constants.X_OK : 0)
    try {
      accessSync(path, right)
    } catch (error) {
      return finding('folder', 'problem', {
        what: `${path} cannot be used: ${explainFailure(error)}.`,
        why: 'The service reads and writes there; without access it does not start, or stops serving.',
        remedy: `sudo chown -R ${owner()} ${root} && sudo chmod -R u+rwX ${root}`,
      })
    }
  }
  const stranger = places.find(
    (path) => process.getuid !== undefined && statSync(path).uid !== process.getuid(),
  )
  if (stranger === undefined) return fine('folder', `${root} can be read and written.`)
  return finding('folder', 'problem', {
    what: `${stranger} belongs to user ${statSync(stranger).uid}, and this is user ${owner()}.`,
    why: 'The service cannot open files that another user makes in the directory.',
    remedy: `sudo chown -R '#${statSync(root).uid}' ${root}   (or run izvor as user ${statSync(root).uid})`,
  })
}

function owner(): string {
  return String(process.getuid?.() ?? '$USER')
}

function checkPrivacy({ folder }: Site): Finding[] {
  if (process.platform === 'win32') return []
  const { mode } = statSync(folder.root)
  if ((mode & 0o077) === 0) return []
  return finding('folder', 'warning', {
    what: `Other users of this machine can read ${folder.root} (mode ${(mode & 0o777).toString(8)}).`,
    why: 'It holds e-mail addresses, password hashes and the secrets that seal cursors and links.',
    remedy: `chmod 700 ${folder.root}`,
  })
}

/** Free space on the data disk. */
export function checkDisk({ folder, loaded }: Site): Finding[] {
  const { disk_floor: floor } = loaded.values
  const free = folder.freeBytes()
  const why =
    'A full disk stops ingests, the request log and the counting of calls; published data is still served.'
  const remedy = `du -xh ${folder.root} | sort -h | tail   (free space or move the folder; fewer kept versions: IZVOR_KEEP_VERSIONS)`
  if (free < floor) {
    const what = `${formatBytes(free)} are free on the disk of ${folder.root}, below the floor of ${formatBytes(floor)}: the service reports that it is not ready.`
    return finding('disk', 'problem', { what, why, remedy })
  }
  if (free < floor * LITTLE_ROOM) {
    const what = `Only ${formatBytes(free)} are free on the disk of ${folder.root}; the floor is ${formatBytes(floor)}.`
    return finding('disk', 'warning', { what, why, remedy })
  }
  return fine('disk', `${formatBytes(free)} are free; the floor is ${formatBytes(floor)}.`)
}

/** Whether SQLite's write-ahead log works where the databases are: by a trial and by the kind of file system. */
export function checkFilesystem({ folder }: Site): Finding[] {
  const mount = mountOf(folder.root)
  try {
    tryWal(folder)
  } catch (error) {
    const what = `A database with a write-ahead log cannot be used in ${folder.root}: ${explainFailure(error)}.`
    const why =
      'Every database of the service needs one, so that readers and writers do not block each other.'
    return finding('filesystem', 'problem', { what, why, remedy: MOVE })
  }
  if (mount !== undefined && NETWORK.test(mount.kind)) {
    const what = `${folder.root} is on a network or shared file system (${mount.kind}).`
    const why =
      'Locks and shared memory are unreliable there, and two machines that write corrupt a database.'
    return finding('filesystem', 'warning', { what, why, remedy: MOVE })
  }
  if (mount !== undefined && PASSING.test(mount.kind)) {
    const what = `${folder.root} is on ${mount.kind}, which does not survive the machine or the container.`
    const why = 'After a restart, accounts, keys and datasets are lost.'
    const remedy = `docker run -v izvor-data:${folder.root} …   (a volume, or a directory on a disk)`
    return finding('filesystem', 'warning', { what, why, remedy })
  }
  return fine('filesystem', `The write-ahead log works${mount === undefined ? '' : ` on ${mount.kind}`}.`)
}

const MOVE = 'move the directory to a local disk (ext4, xfs, NTFS, APFS) and set IZVOR_DATA to it'

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
