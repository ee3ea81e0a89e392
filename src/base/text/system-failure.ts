/** System errors in plain words; the system's own messages are codes and names of calls. */

import { CommandError, type FailureKind } from '../errors.ts'

/** Codes of the file system (errno, POSIX) and of SQLite, which opens and writes files, too. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user has no rights to it',
  EPERM: 'this user has no rights to it',
  EROFS: 'the disk is mounted read-only',
  EEXIST: 'it already exists',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'its path leads through a file that should be a folder',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  ENOSPC: 'the disk is full',
  EDQUOT: "this user's share of the disk is full",
  EFBIG: 'it is larger than the disk or the limits of this user allow',
  EIO: 'the disk reports an error',
  EBUSY: 'another program holds it',
  EMFILE: 'too many files are open: raise the limit of open files of this user',
  ENFILE: 'too many files are open on this machine',
  SQLITE_CANTOPEN:
    'it cannot be opened: it is a folder, this user has no rights to it or to its folder, or the disk is read-only or takes no more files',
  SQLITE_READONLY: 'this user may not write it or its folder',
  SQLITE_PERM: 'this user has no rights to it',
  SQLITE_FULL: 'the disk is full',
  SQLITE_BUSY: 'another program holds it for too long: try again',
  SQLITE_LOCKED: 'another program holds it for too long: try again',
  SQLITE_IOERR: 'the disk reports an error, or is full',
  // The index of the write-ahead log could not grow: SQLite hides the system's own code.
  SQLITE_IOERR_SHMSIZE: 'the disk is full',
  SQLITE_NOTADB: 'it is not a database',
  SQLITE_CORRUPT: 'it is damaged',
}

export function isSystemFailure(error: unknown): boolean {
  return reasonOf(error) !== undefined
}

/** Why the system refused, as half a sentence about the file; for other errors, their own message. */
export function explainFailure(error: unknown): string {
  return reasonOf(error) ?? (error instanceof Error ? error.message : String(error))
}

/** A command's error for a system error, which is kept as its cause: a service may briefly be short of files. */
export function systemFailure(what: string, error: unknown, kind: FailureKind = 'failed'): CommandError {
  return Object.assign(new CommandError(kind, `${what}: ${explainFailure(error)}`), { cause: error })
}

function reasonOf(error: unknown): string | undefined {
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  if (Object.hasOwn(REASONS, code)) return REASONS[code]
  // SQLite refines its codes: SQLITE_READONLY_DIRECTORY, SQLITE_IOERR_WRITE.
  const family = code.startsWith('SQLITE_') ? code.split('_', 2).join('_') : code
  return Object.hasOwn(REASONS, family) ? REASONS[family] : undefined
}
