/**
 * The files of one draft:
 *
 *     source            the file as it was sent or fetched
 *     text/             the decoded file, if it is another one; decoded.json says how
 *     reading.json      the reading: records, rows, report
 *     quarantine.ndjson repaired.ndjson
 *     read-revision     revision of the draft whose reading was stored for other nodes or fetched from them
 *     progress.json     of the process that works on it, which holds lock.db meanwhile
 *
 * Only the holder of the lock writes; others read files that were renamed into place.
 */

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { claimLock, emptyFolder, LOCK_FILE, type Lock } from './work-folder.ts'

export class DraftFolder {
  readonly path: string
  readonly source: string

  constructor(path: string) {
    this.path = path
    this.source = join(path, 'source')
  }

  /** Empty, for another decoding. */
  freshTextFolder(): string {
    const path = join(this.path, 'text')
    rmSync(path, { recursive: true, force: true })
    mkdirSync(path, { mode: 0o700 })
    return path
  }

  create(): void {
    mkdirSync(this.path, { recursive: true, mode: 0o700 })
  }

  /** Takes over a complete file on the same disk. */
  takeSource(finished: string): void {
    renameSync(finished, this.source)
  }

  /** null while another process works on the draft. @throws CommandError `failed` when the folder is gone */
  lock(): Lock | null {
    return claimLock(join(this.path, LOCK_FILE))
  }

  /** Replaces a document; readers see the old or the new one whole. */
  write(name: DraftDocument, text: string | Iterable<string>): void {
    const path = join(this.path, name)
    const aside = `${path}.new`
    writeFileSync(aside, '', { mode: 0o600 })
    // Pieces are gathered, so that not every line is a system call.
    let gathered = ''
    for (const piece of typeof text === 'string' ? [text] : text) {
      gathered += piece
      if (gathered.length < 1 << 16) continue
      appendFileSync(aside, gathered)
      gathered = ''
    }
    appendFileSync(aside, gathered)
    renameSync(aside, path)
  }

  /** undefined when there is none. */
  read(name: DraftDocument): string | undefined {
    try {
      return readFileSync(join(this.path, name), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  /** The path of a document that may be too long to read at once; undefined when there is none. */
  find(name: DraftDocument): string | undefined {
    const path = join(this.path, name)
    return existsSync(path) ? path : undefined
  }

  drop(name: DraftDocument): void {
    rmSync(join(this.path, name), { force: true })
  }

  /** Removes the file and its text, which are no longer needed; the reading stays. */
  dropSource(): void {
    for (const name of ['source', 'text', 'decoded.json', 'progress.json'])
      rmSync(join(this.path, name), { recursive: true, force: true })
  }

  sourceBytes(): number {
    return statSync(this.source).size
  }

  remove(): void {
    if (!existsSync(this.path)) return
    emptyFolder(this.path)
    rmSync(this.path, { recursive: true, force: true })
  }
}

export type DraftDocument =
  | 'decoded.json'
  | 'reading.json'
  | 'quarantine.ndjson'
  | 'repaired.ndjson'
  | 'progress.json'
  | 'limit'
  | 'read-revision'
