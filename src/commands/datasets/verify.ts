/** izvor datasets verify [ID] [--json]: reads every kept version again and compares it with its published checksum. */

import { existsSync } from 'node:fs'
import { closing } from '../../base/closing.ts'
import type { Config } from '../../base/config/config.ts'
import { CommandError, DamagedFileError, saysDamage } from '../../base/errors.ts'
import { isDamage, openDatabase } from '../../db/open.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { failDataset } from '../../store/catalog/missing-dataset.ts'
import type { DataDir, StoredVersion } from '../../store/files/data-dir.ts'
import { verifyVersionFile } from '../../store/files/open-version.ts'
import type { RemoteFiles } from '../../store/files/remote-files.ts'
import { ObjectStoreError } from '../../store/objects/s3-questions.ts'
import { folderCommand, type Place } from '../cli/command-row.ts'
import { EVERY_DATASET, findFolder, withCatalog } from '../cli/folder.ts'
import { formatAmount, printTable } from '../cli/print.ts'

interface Finding {
  /** null for the databases of the data directory. */
  readonly dataset: string | null
  readonly version: number | null
  readonly served: boolean
  readonly file: string
  readonly problem: string | null
}

export const verify = folderCommand({
  name: 'verify',
  description: 'Check the integrity of all version files, or of one dataset; exit code 6 means damage.',
  takes: (command) => command.argument('[id]', 'the dataset (default: all datasets and the databases)'),
  does: ({ config }: Place, id: string | undefined) => verifyFolder(config, id),
  prints: (cli, findings) =>
    printTable(cli, findings, {
      dataset: (finding) => finding.dataset ?? finding.file,
      version: 'version',
      served: (finding) => (finding.dataset !== null && finding.served ? 'yes' : ''),
      state: (finding) => (finding.problem === null ? 'ok' : 'damaged'),
    }),
  refuses(findings) {
    const problems = findings.flatMap(({ problem }) => problem ?? [])
    if (problems.length === 0) return
    const amount = `${problems.length} of ${formatAmount(findings.length, 'file')}`
    throw new CommandError('damaged', [`${amount} failed the check`, ...problems].join('\n  '))
  },
})

/** @param id only this dataset; undefined: all datasets and the databases */
export async function verifyFolder(config: Config, id: string | undefined): Promise<Finding[]> {
  const folder = findFolder(config)
  const databases = id === undefined ? await verifyDatabases(folder) : []
  try {
    const found = await withCatalog(config, (catalog, { remote }) => verifyByCatalog(catalog, remote, id))
    return [...databases, ...found]
  } catch (error) {
    if (!saysDamage(error)) throw error
    // Version files hold checksums of their own, so they can be checked without the catalog.
    const files = folder.versionFiles().filter((file) => id === undefined || file.id === id)
    return [
      ...databases.filter(({ file }) => file !== folder.catalogDb),
      databaseFinding(folder.catalogDb, error.message),
      ...(await Promise.all(
        files.map(async (file) => fileFinding(file, await problemOf(() => verifyVersionFile(file.path)))),
      )),
    ]
  }
}

async function verifyByCatalog(
  catalog: Catalog,
  remote: RemoteFiles | null,
  id: string | undefined,
): Promise<Finding[]> {
  const unknown = catalog.unknownFiles().filter((file) => id === undefined || file.id === id)
  const ids = id === undefined ? catalog.list(EVERY_DATASET).datasets.map((entry) => entry.id) : [id]
  // A dataset whose files are all unknown has no other findings.
  const published = ids.filter((dataset) => unknown.length === 0 || catalog.versions(dataset).length > 0)
  const findings: Finding[] = []
  for (const dataset of published) findings.push(...(await verifyDataset(catalog, remote, dataset)))
  return [
    ...findings,
    ...unknown.map((file) =>
      fileFinding(file, `${file.path} is not known to the catalog; ${CATALOG_ADVICE}`),
    ),
  ]
}

const CATALOG_ADVICE =
  'catalog.db is older than this file or belongs to another directory: restore its newest backup'

async function verifyDataset(catalog: Catalog, remote: RemoteFiles | null, id: string): Promise<Finding[]> {
  const versions = catalog.versions(id)
  if (versions.length === 0) throw failDataset(catalog, id)
  const findings: Finding[] = []
  for (const { version, served, file: path, sha256, bytes } of versions) {
    const name = { id, version, file: { sha256, bytes } }
    // If the directory is a cache, its files are checked when they are used, so the objects are verified here.
    const file = remote === null ? path : remote.nameOf(name)
    const problem = await problemOf(() =>
      remote === null ? verifyVersionFile(path, sha256) : remote.verify(name),
    )
    findings.push({ dataset: id, version, served, file, problem })
  }
  return findings
}

async function verifyDatabases(folder: DataDir): Promise<Finding[]> {
  // A directory that only ingests have used has no accounts.db yet.
  const files = [folder.accountsDb, folder.usageDb, folder.catalogDb].filter((file) => existsSync(file))
  const check = (file: string) => () => {
    using database = closing(openDatabase(file, { readonly: true }))
    try {
      const answer = database.pragma('integrity_check(1)', { simple: true })
      if (answer !== 'ok') throw new DamagedFileError(file, String(answer))
    } catch (error) {
      throw isDamage(error) ? new DamagedFileError(file, (error as Error).message) : error
    }
  }
  return await Promise.all(files.map(async (file) => databaseFinding(file, await problemOf(check(file)))))
}

function databaseFinding(file: string, problem: string | null): Finding {
  return { dataset: null, version: null, served: true, file, problem }
}

function fileFinding({ id, version, path }: StoredVersion, problem: string | null): Finding {
  return { dataset: id, version, served: false, file: path, problem }
}

/** Why a file cannot be used; null: it is sound. @throws errors that say nothing about the file */
async function problemOf(check: () => unknown): Promise<string | null> {
  try {
    await check()
    return null
  } catch (error) {
    const isAway = error instanceof ObjectStoreError && !saysDamage(error)
    if (!isAway && (error instanceof DamagedFileError || error instanceof CommandError)) return error.message
    throw error
  }
}
