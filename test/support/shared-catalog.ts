/** Nodes of one catalog in one process: each has a folder; they share one database and one place for version files. */

import { onTestFinished } from 'bun:test'
import { openCatalogDb } from '../../src/db/catalog.ts'
import { mirror } from '../../src/db/catalog-mirror.ts'
import { Postgres } from '../../src/db/postgres/open.ts'
import { openSharedCatalog, type SharedCatalog } from '../../src/db/postgres/shared-catalog.ts'
import { datasets, refusals, sources, versions } from '../../src/db/schema/catalog-schema.ts'
import type { DbReading } from '../../src/db/transaction.ts'
import { Catalog, type CatalogOptions } from '../../src/store/catalog/catalog.ts'
import { readNumber } from '../../src/store/catalog/mirror/mirror-copy.ts'
import type { DataDir } from '../../src/store/files/data-dir.ts'
import { type FolderFiles, folderFiles } from './folder-files.ts'
import { tempDataDir } from './temp-dir.ts'
import { publishSample, type SampleDataset } from './version.ts'

export interface TestNode {
  readonly dataDir: DataDir
  readonly files: FolderFiles
  readonly catalog: Catalog
  readonly shared: SharedCatalog
  readonly postgres: Postgres
  /** Publishes a small version; returns its number. */
  publish(id: string, sample?: SampleDataset): Promise<number>
  /** The rows of the node's copy, at one moment. */
  read(): CatalogState
  close(): void
}

/** The rows of a catalog at one moment. */
export interface CatalogState {
  readonly number: number
  /** All rows of each dataset, as one text. */
  readonly datasets: ReadonlyMap<string, string>
}

export interface TestNodePlace {
  /** Address of the database. */
  readonly url: string
  /** The folder where all nodes keep version files; left out: versions have no files. */
  readonly objects?: string
  readonly dataDir?: DataDir
  readonly options?: CatalogOptions
  /** Observes the changes that the node makes. */
  readonly wrap?: (shared: SharedCatalog) => SharedCatalog
}

/** Call it inside a test, at whose end the node is closed. */
export async function openTestNode({ url, objects, ...place }: TestNodePlace): Promise<TestNode> {
  const { dataDir = tempDataDir(), wrap = (shared) => shared, options = {} } = place
  const postgres = await Postgres.open(url)
  const shared = wrap(openSharedCatalog(postgres))
  const files = folderFiles(objects ?? '', dataDir)
  if (objects !== undefined) dataDir.remote = files
  const catalog = Catalog.openNode(dataDir, shared, options)
  const looking = openCatalogDb(dataDir.catalogDb)
  let isOpen = true
  const close = () => {
    if (isOpen) for (const one of [catalog, looking, postgres]) one.close()
    isOpen = false
  }
  onTestFinished(close)
  return {
    ...{ dataDir, files, catalog, shared, postgres, close },
    publish: (id, sample = {}) => publishSample(catalog, dataDir, { ...sample, id }),
    read: looking.reading.transaction(() => ({
      number: looking.select().from(mirror).get()?.number ?? 0,
      datasets: asTexts({
        datasets: looking.select().from(datasets).all(),
        versions: looking.select().from(versions).all(),
        sources: looking.select().from(sources).all(),
        refusals: looking.select().from(refusals).all(),
      }),
    })),
  }
}

/** The rows of the database. @param reading a transaction at one moment */
export async function readTruth(reading: DbReading): Promise<CatalogState> {
  return {
    number: await readNumber(reading),
    datasets: asTexts({
      datasets: await reading.select().from(datasets),
      versions: await reading.select().from(versions),
      sources: await reading.select().from(sources),
      refusals: await reading.select().from(refusals),
    }),
  }
}

interface Tables {
  readonly datasets: readonly (typeof datasets.$inferSelect)[]
  readonly versions: readonly (typeof versions.$inferSelect)[]
  readonly sources: readonly (typeof sources.$inferSelect)[]
  readonly refusals: readonly (typeof refusals.$inferSelect)[]
}

function asTexts(tables: Tables): Map<string, string> {
  const of = <Row extends { readonly dataset: string }>(rows: readonly Row[]) =>
    Map.groupBy(rows, ({ dataset }) => dataset)
  const kept = Map.groupBy(tables.versions, ({ datasetId }) => datasetId)
  const [origins, refused] = [of(tables.sources), of(tables.refusals)]
  const rows = new Map(tables.datasets.map((row) => [row.id, row]))
  return new Map(
    [...new Set([...rows.keys(), ...refused.keys()])].sort().map((id) => {
      const byVersion = kept.get(id)?.toSorted((a, b) => a.version - b.version)
      return [id, JSON.stringify([rows.get(id), byVersion, origins.get(id), refused.get(id)])]
    }),
  )
}
