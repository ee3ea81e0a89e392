/** The data folder: is it there, ours, private, on a disk that can do what is asked of it? */

import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../db/open.ts'
import { explainFailure } from '../../text/system-failure.ts'
import { formatBytes } from '../print.ts'
import { type Finding, finding, fine, type Site } from './finding.ts'
import { mountOf } from './mounts.ts'

/** Room for an ingest beside what is served: below this share of the floor more, the next one may stop. */
const LITTLE_ROOM = 4
/** File systems of other machines: SQLite's locks and shared memory are not to be relied on there. */
const NETWORK = /^(?:nfs4?|cifs|smb[23]?|smbfs|9p|fuse\.sshfs|afs|ceph|glusterfs|fuse\.glusterfs|ncpfs)$/
/** Gone with the machine, or with the container. */
const PASSING = /^(?:tmpfs|ramfs|overlay|aufs)$/

export function checkFolder(site: Site): Finding[] {
  const { folder } = site
  if (!existsSync(folder.root)) return [missing(site)]
  return [...checkRights(site), ...checkPrivacy(site)]
}

function missing({ folder, program }: Site): Finding {
  return finding('folder', 'problem', {
    what: `There is no data folder at ${folder.root}.`,
    why: 'Accounts, keys and datasets live in it; a server started now would begin with an empty one.',
    remedy: `${program} serve --data ${folder.root}   (or set IZVOR_DATA to the folder you mean)`,
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
      return [
        finding('folder', 'problem', {
          what: `${path} cannot be used: ${explainFailure(error)}.`,
          why: 'The service reads and writes there; without it, it does not start or stops serving.',
          remedy: `sudo chown -R ${owner()} ${root} && sudo chmod -R u+rwX ${root}`,
        }),
      ]
    }
  }
  const stranger = places.find(
    (path) => process.getuid !== undefined && statSync(path).uid !== process.getuid(),
  )
  if (stranger === undefined) return [fine('folder', `${root} can be read and written.`)]
  return [
    finding('folder', 'problem', {
      what: `${stranger} belongs to user ${statSync(stranger).uid}, and this is user ${owner()}.`,
      why: 'Files of two users in one folder are files that one of them cannot open later.',
      remedy: `sudo chown -R '#${statSync(root).uid}' ${root}   (or run izvor as user ${statSync(root).uid})`,
    }),
  ]
}

function owner(): string {
  return String(process.getuid?.() ?? '$USER')
}

function checkPrivacy({ folder }: Site): Finding[] {
  if (process.platform === 'win32') return []
  const { mode } = statSync(folder.root)
  if ((mode & 0o077) === 0) return []
  return [
    finding('folder', 'warning', {
      what: `Other users of this machine may look into ${folder.root} (mode ${(mode & 0o777).toString(8)}).`,
      why: 'It holds e-mail addresses, password hashes and the secrets that seal cursors and links.',
      remedy: `chmod 700 ${folder.root}`,
    }),
  ]
}

/** Free space, and what a restart would leave of it. */
export function checkDisk({ folder, loaded }: Site): Finding[] {
  const { disk_floor: floor } = loaded.values
  const free = folder.freeBytes()
  const why =
    'A full disk stops ingests, the request log and the counting of calls; what is served stays served.'
  const remedy = `du -xh ${folder.root} | sort -h | tail   (free space or move the folder; fewer kept versions: IZVOR_KEEP_VERSIONS)`
  if (free < floor) {
    const what = `${formatBytes(free)} are free on the disk of ${folder.root}, below the floor of ${formatBytes(floor)}; the service says that it is not ready.`
    return [finding('disk', 'problem', { what, why, remedy })]
  }
  if (free < floor * LITTLE_ROOM) {
    const what = `Only ${formatBytes(free)} are free on the disk of ${folder.root}; the floor is ${formatBytes(floor)}.`
    return [finding('disk', 'warning', { what, why, remedy })]
  }
  return [fine('disk', `${formatBytes(free)} are free; the floor is ${formatBytes(floor)}.`)]
}

/** Whether SQLite's write-ahead log works where the databases are: tried, and judged by the kind of file system. */
export function checkFilesystem({ folder }: Site): Finding[] {
  const mount = mountOf(folder.root)
  try {
    tryWal(folder)
  } catch (error) {
    const what = `A database with a write-ahead log cannot be used in ${folder.root}: ${explainFailure(error)}.`
    const why = 'Every database of the service is one: readers and writers do not wait for each other then.'
    return [finding('filesystem', 'problem', { what, why, remedy: MOVE })]
  }
  if (mount !== undefined && NETWORK.test(mount.kind)) {
    const what = `${folder.root} is on a network or shared file system (${mount.kind}).`
    const why =
      'Locks and shared memory are not reliable there, and two machines that write destroy a database.'
    return [finding('filesystem', 'warning', { what, why, remedy: MOVE })]
  }
  if (mount !== undefined && PASSING.test(mount.kind)) {
    const what = `${folder.root} is on ${mount.kind}, which goes with the machine or the container.`
    const why = 'After a restart, accounts, keys and datasets would be gone.'
    const remedy = `docker run -v izvor-data:${folder.root} …   (a volume, or a folder on a disk)`
    return [finding('filesystem', 'warning', { what, why, remedy })]
  }
  return [fine('filesystem', `The write-ahead log works${mount === undefined ? '' : ` on ${mount.kind}`}.`)]
}

const MOVE = 'move the folder to a local disk (ext4, xfs, NTFS, APFS) and name it with IZVOR_DATA'

function tryWal(folder: Site['folder']): void {
  const work = folder.claimWorkFolder()
  try {
    const path = join(work.path, 'doctor.db')
    const writer = openDatabase(path)
    try {
      writer.exec('CREATE TABLE probe (n INTEGER); INSERT INTO probe VALUES (1)')
      const reader = openDatabase(path, { readonly: true })
      try {
        const mode = writer.pragma('journal_mode', { simple: true })
        if (mode !== 'wal') throw new Error(`the journal is "${String(mode)}" there`)
        if (reader.prepare('SELECT n FROM probe').get() === undefined)
          throw new Error('a reader sees nothing')
      } finally {
        reader.close()
      }
    } finally {
      writer.close()
    }
  } finally {
    work.release()
  }
}
