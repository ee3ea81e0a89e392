/** izvor datasets verify [ID] [--json]: reads every kept version again and compares it with what was published. */

import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Catalog } from '../../catalog/catalog.ts'
import { openDatabase } from '../../db/open.ts'
import { CommandError, DamagedFileError } from '../../errors.ts'
import type { DataDir } from '../../storage/data-dir.ts'
import { verifyVersionFile } from '../../storage/verify-version.ts'
import type { Cli } from '../cli.ts'
import { withCatalog } from '../folder.ts'
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
      const findings = withCatalog(values, (catalog, folder) => [
        ...(id === undefined ? verifyDatabases(folder) : []),
        ...(id === undefined ? allIds(catalog) : [id]).flatMap((dataset) => verifyDataset(catalog, dataset)),
      ])
      if (options.json) printJson(cli, findings)
      else printFindings(cli, findings)
      refuseDamage(findings)
    },
  )
}

function allIds(catalog: Catalog): string[] {
  return catalog.list(EVERY_DATASET).datasets.map((entry) => entry.id)
}

function verifyDataset(catalog: Catalog, id: string): Finding[] {
  const versions = catalog.versions(id)
  if (versions.length === 0) throw new CommandError('failed', `there is no dataset ${id}`)
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
  return files.map((file) => ({
    dataset: null,
    version: null,
    served: true,
    file,
    problem: problemOf(() => verifyDatabase(file)),
  }))
}

function verifyDatabase(file: string): void {
  const database = openDatabase(file, { readonly: true })
  try {
    const answer = database.pragma('integrity_check(1)', { simple: true })
    if (answer !== 'ok') throw new DamagedFileError(file, String(answer))
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
