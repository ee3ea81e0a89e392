/**
 * What a node shares, for tests that start one: a fresh database and a fresh prefix of a bucket. The servers are one for
 * each process of tests, and end with it. With `IZVOR_TEST_NODES=on` all instances of a run are nodes.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../src/base/config/config.ts'
import { BUCKET, hasObjectStore, runObjectStore, takeStoreCredentials } from './object-store.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'
import { testVariables } from './test-variables.ts'

export const testsNodes = testVariables.IZVOR_TEST_NODES === 'on'
/** Whether both servers can be started here. */
const canRunNodes = hasPostgres && hasObjectStore
if (testsNodes && !canRunNodes) throw new Error('IZVOR_TEST_NODES needs PostgreSQL and versitygw')

export type NodeSettings = Pick<Config, 'database_url' | 'object_store' | 'object_store_endpoint'>

/** Test files share no modules, but they share the process. */
const shared = globalThis as { testStore?: Promise<string>; testPrefixes?: number }

/** For all nodes of one service. */
export async function freshNodeSettings(): Promise<NodeSettings> {
  const database_url = await (await sharedPostgres()).createDatabase()
  shared.testStore ??= startStore()
  shared.testPrefixes = (shared.testPrefixes ?? 0) + 1
  return {
    database_url,
    object_store: `s3://${BUCKET}/${shared.testPrefixes}`,
    object_store_endpoint: await shared.testStore,
  }
}

async function startStore(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'izvor-objects-'))
  takeStoreCredentials()
  const { endpoint, kill } = await runObjectStore(folder)
  process.on('exit', () => {
    void kill()
    rmSync(folder, { recursive: true, force: true })
  })
  return endpoint
}
