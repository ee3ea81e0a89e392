/** izvor datasets verify [ID] [--json]: reads every kept version again and compares it with what was published. */

import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Catalog } from '../../catalog/catalog.ts'
import { failDataset } from '../../catalog/missing-dataset.ts'
import type { Config } from '../../config.ts'
import { isDamage, openDatabase } from '../../db/open.ts'
import { CommandError, DamagedFileError } from '../../errors.ts'
import type { DataDir, StoredVersion } from '../../storage/data-dir.ts'
import { verifyVersionFile } from '../../storage/verify-version.ts'
import type { Cli } from '../cli.ts'
import { findFolder, withCatalog } from '../folder.ts'
import { formatAmount, printJson, printTable } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'
import { EVERY_DATASET } from './list.ts'

interface Finding {
  /** null for the databases of the folder itself. */
  readonly dataset: string | null
  readonly version: number | null
  readonly served: boolean
  readonly file: string
  readonly problem: string | null
}

export function addDatasetsVerify(datasets: Command, cli: Cli): void {
  const command = datasets
    .command('verify')
    .description(
      'Check the integrity of all version files, or of one dataset; 6 is the exit code for damage.',
    )
    .argument('[id]', 'the dataset (default: all of them, and the databases of the folder)')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(
    (id: string | undefined, options: { json?: true }) => {
      const { values } = readSettings(cli, options)
      const findings = verifyFolder(values, id)
      if (options.json) printJson(cli, findings)
      else printFindings(cli, findings)
      refuseDamage(findings)
    },
  )
}

/** @param id only this dataset; undefined: all of them and the databases of the folder */
function verifyFolder(config: Config, id: string | undefined): Finding[] {
  const folder = findFolder(config)
  const databases = id === undefined ? verifyDatabases(folder) : []
  try {
    return [...databases, ...withCatalog(config, (catalog) => verifyByCatalog(catalog, id))]
  } catch (error) {
    if (!saysDamage(error)) throw error
    // The files hold checksums of their own, so much can be told without the catalog.
    const files = folder.versionFiles().filter((file) => id === undefined || file.id === id)
    return [
      ...databases.filter(({ file }) => file !== folder.catalogDb),
      databaseFinding(folder.catalogDb, error.message),
      ...files.map((file) =>
        fileFinding(
          file,
          problemOf(() => verifyVersionFile(file.path)),
        ),
      ),
    ]
  }
}

function verifyByCatalog(catalog: Catalog, id: string | undefined): Finding[] {
  const unknown = catalog.unknownFiles().filter((file) => id === undefined || file.id === id)
  const ids = id === undefined ? allIds(catalog) : [id]
  // A dataset of which there are unknown files alone has nothing more to be said of it.
  const published = ids.filter((dataset) => unknown.length === 0 || catalog.versions(dataset).length > 0)
  return [
    ...published.flatMap((dataset) => verifyDataset(catalog, dataset)),
    ...unknown.map((file) =>
      fileFinding(file, `${file.path} is not known to the catalog; ${CATALOG_ADVICE}`),
    ),
  ]
}

const CATALOG_ADVICE =
  'catalog.db is older than this file or of another folder: restore the newest backup of it'

function allIds(catalog: Catalog): string[] {
  return catalog.list(EVERY_DATASET).datasets.map((entry) => entry.id)
}

function verifyDataset(catalog: Catalog, id: string): Finding[] {
  const versions = catalog.versions(id)
  if (versions.length === 0) throw failDataset(catalog, id)
  return versions.map(({ version, served, file, sha256 }) => ({
    dataset: id,
    version,
    served,
    file,
    problem: problemOf(() => verifyVersionFile(file, sha256)),
  }))
}

function verifyDatabases(folder: DataDir): Finding[] {
  // A folder into which files were only ingested so far has no accounts yet.
  const files = [folder.accountsDb, folder.usageDb, folder.catalogDb].filter((file) => existsSync(file))
  return files.map((file) =>
    databaseFinding(
      file,
      problemOf(() => verifyDatabase(file)),
    ),
  )
}

function databaseFinding(file: string, problem: string | null): Finding {
  return { dataset: null, version: null, served: true, file, problem }
}

/** Of a file that the catalog does not speak of, or cannot. */
function fileFinding({ id, version, path }: StoredVersion, problem: string | null): Finding {
  return { dataset: id, version, served: false, file: path, problem }
}

function verifyDatabase(file: string): void {
  const database = openDatabase(file, { readonly: true })
  try {
    const answer = database.pragma('integrity_check(1)', { simple: true })
    if (answer !== 'ok') throw new DamagedFileError(file, String(answer))
  } catch (error) {
    throw isDamage(error) ? new DamagedFileError(file, (error as Error).message) : error
  } finally {
    database.close()
  }
}

function problemOf(check: () => void): string | null {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof DamagedFileError || error instanceof CommandError) return error.message
    throw error
  }
}

function saysDamage(error: unknown): error is Error {
  return error instanceof DamagedFileError || (error instanceof CommandError && error.kind === 'damaged')
}

function printFindings(cli: Cli, findings: readonly Finding[]): void {
  printTable(cli, findings, [
    { title: 'dataset', value: (finding) => finding.dataset ?? finding.file },
    { title: 'version', value: (finding) => finding.version },
    { title: 'served', value: (finding) => (finding.dataset !== null && finding.served ? 'yes' : '') },
    { title: 'state', value: (finding) => (finding.problem === null ? 'ok' : 'damaged') },
  ])
}

function refuseDamage(findings: readonly Finding[]): void {
  const problems = findings.flatMap(({ problem }) => problem ?? [])
  if (problems.length === 0) return
  const amount = `${problems.length} of ${formatAmount(findings.length, 'file')}`
  throw new CommandError('damaged', [`${amount} failed the check`, ...problems].join('\n  '))
}
