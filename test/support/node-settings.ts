/**
 * What a node shares, for tests that start one: a fresh database and a fresh prefix of a bucket. Each process of tests has
 * one pair of servers, which end with it. With `IZVOR_TEST_NODES=on` all instances of a run are nodes.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../src/base/config/config.ts'
import {
  BUCKET,
  hasObjectStore,
  runObjectStore,
  STORE_CREDENTIALS,
  takeStoreCredentials,
} from './object-store.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'
import { testVariables } from './test-variables.ts'

export const testsNodes = testVariables.IZVOR_TEST_NODES === 'on'
/** Whether both servers can be started here. */
export const canRunNodes = hasPostgres && hasObjectStore
if (testsNodes && !canRunNodes) throw new Error('IZVOR_TEST_NODES needs PostgreSQL and versitygw')

export type NodeSettings = Pick<Config, 'database_url' | 'object_store' | 'object_store_endpoint'>

/** Test files share no modules, but they share the process. */
const shared = globalThis as {
  testStore?: Promise<string>
  testPrefixes?: number
  /** By data directory. */
  testNodes?: Map<string, Promise<NodeSettings>>
}

/** For a run in which all instances are nodes: those on one data directory share these settings. */
export function nodeSettingsOf(data: string): Promise<NodeSettings> {
  shared.testNodes ??= new Map()
  const known = shared.testNodes.get(data) ?? freshNodeSettings()
  shared.testNodes.set(data, known)
  return known
}

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

/** The environment of a program that works on the same as an instance. */
export function nodeVariables({
  database_url,
  object_store,
  object_store_endpoint,
}: NodeSettings): Record<string, string> {
  if (database_url === null || object_store === null) return {}
  return {
    ...STORE_CREDENTIALS,
    IZVOR_DATABASE_URL: database_url,
    IZVOR_OBJECT_STORE: object_store,
    ...(object_store_endpoint !== null && { IZVOR_OBJECT_STORE_ENDPOINT: object_store_endpoint }),
  }
}
