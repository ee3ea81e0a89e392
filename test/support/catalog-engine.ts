/**
 * Catalogs on the engine of the run: in a folder, or with `IZVOR_TEST_NODES=on` as a node's copy of one in PostgreSQL. Tests
 * of verbs run unchanged on both. Use it inside a test.
 */

import { onTestFinished } from 'bun:test'
import { Catalog, type CatalogOptions } from '../../src/store/catalog/catalog.ts'
import type { DataDir } from '../../src/store/files/data-dir.ts'
import { onPostgres } from './accounts-engine.ts'
import { sharedPostgres } from './postgres.ts'
import { openTestNode } from './shared-catalog.ts'
import { tempDataDir, tempDir } from './temp-dir.ts'

export interface TestCatalog {
  readonly dataDir: DataDir
  readonly catalog: Catalog
}

/** A fresh catalog, closed at the end of the test. @param hasFiles whether its versions have files */
export async function openTestCatalog(options: CatalogOptions = {}, hasFiles = true): Promise<TestCatalog> {
  if (onPostgres) {
    const url = await (await sharedPostgres()).createDatabase()
    return openTestNode({ url, options, ...(hasFiles && { objects: tempDir() }) })
  }
  const dataDir = tempDataDir()
  const catalog = Catalog.open(dataDir, options)
  onTestFinished(() => catalog.close())
  return { dataDir, catalog }
}
