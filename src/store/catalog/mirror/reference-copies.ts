/**
 * Keeps the operator's own reference tables the same in a node's folder and in the database. A file that was added,
 * changed or deleted here since the last comparison goes to the database; changes of other nodes come from it. The
 * hashes of the last comparison are in a file beside the tables, so a lost folder is filled again.
 */

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Base64 } from '../../../base/crypto/sha256.ts'
import type { Asking } from '../../../db/postgres/connection.ts'
import type { Postgres } from '../../../db/postgres/open.ts'
import { listReferences, putReference, readReference } from '../../../db/postgres/reference-rows.ts'

const COMPARED = '.compared.json'
const TABLE = /^[^/\\]+\.csv$/

export class ReferenceCopies {
  readonly #postgres: Postgres
  /** May be missing. */
  readonly #folder: string
  /** What both sides looked like after the last comparison. */
  #seen = ''

  constructor(postgres: Postgres, folder: string) {
    this.#postgres = postgres
    this.#folder = folder
  }

  /** @throws DatabaseAway; the file system's error */
  async compare(): Promise<void> {
    if (this.#look(await listReferences(this.#postgres)) === this.#seen) return
    const there = await this.#postgres.writeOnce(async (asking) => {
      // No other node changes the tables meanwhile.
      await asking.ask('LOCK TABLE reference_tables IN SHARE ROW EXCLUSIVE MODE')
      return await this.#exchange(asking)
    })
    this.#seen = this.#look(there)
  }

  #look(there: ReadonlyMap<string, string>): string {
    const files = this.#files().map((name) => {
      const { size, mtimeMs, ino } = statSync(join(this.#folder, name))
      return [name, size, mtimeMs, ino]
    })
    return JSON.stringify([[...there], files])
  }

  #files(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => TABLE.test(name))
        .sort()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  /** @returns the hashes in the database afterwards */
  async #exchange(asking: Asking): Promise<Map<string, string>> {
    const before = await listReferences(asking)
    let compared: Readonly<Record<string, string>> = {}
    try {
      compared = JSON.parse(readFileSync(join(this.#folder, COMPARED), 'utf8'))
    } catch {
      // Without it, both sides count as changed.
    }
    const texts = new Map(this.#files().map((name) => [name, readFileSync(join(this.#folder, name), 'utf8')]))
    for (const name of new Set([...before.keys(), ...texts.keys()])) {
      const text = texts.get(name)
      const [here, there] = [text === undefined ? undefined : sha256Base64(text), before.get(name)]
      if (here === there || !TABLE.test(name)) continue
      if (there === compared[name]) {
        await putReference(asking, name, text ?? null)
        continue
      }
      const taken = there === undefined ? undefined : await readReference(asking, name)
      const path = join(this.#folder, name)
      // A file that was changed here as well is kept beside it.
      if (here !== undefined && here !== compared[name]) renameSync(path, `${path}.replaced`)
      if (taken === undefined) rmSync(path, { force: true })
      else this.#write(name, taken)
    }
    const after = await listReferences(asking)
    if (after.size + texts.size > 0) this.#write(COMPARED, JSON.stringify(Object.fromEntries(after)))
    return after
  }

  #write(name: string, text: string): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const path = join(this.#folder, name)
    const unfinished = `${path}.${process.pid}`
    writeFileSync(unfinished, text, { mode: 0o600 })
    renameSync(unfinished, path)
  }
}
