/**
 * Replaces what nodes share by the unpacked and checked contents of a backup: the version files first, under names of their
 * own, then all rows in one transaction. Until that commit nothing has changed.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { LogUpkeep } from '../../accounts/usage/log-upkeep.ts'
import { CommandError } from '../../base/errors.ts'
import { openDatabase } from '../../db/open.ts'
import type { Asking } from '../../db/postgres/connection.ts'
import { isLive, NodeTable } from '../../db/postgres/node-table.ts'
import type { Postgres } from '../../db/postgres/open.ts'
import { listReferences, putReference } from '../../db/postgres/reference-rows.ts'
import { copyIn } from '../../db/postgres/transfer.ts'
import type { VersionRecord } from '../../store/catalog/record.ts'
import { DATABASES, type DatabaseName } from './layout.ts'
import type { SharedHome } from './shared-snapshot.ts'

/**
 * @param prepared a folder as a backup has it
 * @param damaged files that were missing or damaged when the backup was made; `datasets verify` names their versions
 * @throws CommandError `failed` while a node lives; DatabaseAway, ObjectStoreError
 */
export async function replaceShared(
  { postgres, remote }: SharedHome,
  prepared: string,
  damaged: ReadonlySet<string>,
): Promise<void> {
  await refuseLiveNodes(postgres)
  unpackLog(join(prepared, 'usage.db'))
  const opened = new Map<DatabaseName, Database.Database>()
  try {
    for (const name of DATABASES) {
      const path = join(prepared, `${name}.db`)
      if (existsSync(path)) opened.set(name, openDatabase(path))
    }
    for (const { id, version, file } of versionsOf(opened.get('catalog'))) {
      const path = join(prepared, 'datasets', id, `${version}.db`)
      if (!damaged.has(`datasets/${id}/${version}.db`))
        await remote.uploadVersion(path, { id, version, file })
    }
    await postgres.writeOnce(async (asking) => {
      await copyIn(asking, Object.fromEntries(opened))
      await replaceReferences(asking, join(prepared, 'reference'))
      // A node that started meanwhile would go on with what is gone.
      await refuseLiveNodes(postgres)
    })
  } finally {
    for (const database of opened.values()) database.close()
  }
}

async function replaceReferences(asking: Asking, folder: string): Promise<void> {
  for (const name of (await listReferences(asking)).keys()) await putReference(asking, name, null)
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    await putReference(asking, name, readFileSync(join(folder, name), 'utf8'))
}

/** Nodes have no inbox of the log: what a folder's has would never become rows, and never be deleted. */
function unpackLog(path: string): void {
  if (!existsSync(path)) return
  const upkeep = new LogUpkeep(path)
  for (const _ of upkeep.unpack());
  upkeep.close()
}

async function refuseLiveNodes(postgres: Postgres): Promise<void> {
  const live = (await new NodeTable(postgres).list()).filter(isLive)
  if (live.length === 0) return
  const names = [...new Set(live.map(({ name }) => name))].join(', ')
  throw new CommandError(
    'failed',
    `nodes are running: stop ${names} first, then restore. Nothing was changed`,
  )
}

function* versionsOf(
  catalog: Database.Database | undefined,
): Generator<Pick<VersionRecord, 'version' | 'file'> & { readonly id: string }> {
  const records = catalog?.prepare<[], string>('SELECT record FROM versions').pluck().all() ?? []
  for (const json of records) {
    const { dataset, version, file } = JSON.parse(json) as VersionRecord
    yield { id: dataset.id, version, file }
  }
}
