/** izvor datasets diff ID [V1 V2] [--json]: prints what changed between two kept versions. */

import type { Command } from 'commander'
import { closing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { diffVersions, type VersionDiff } from '../../publish/edition/version-diff.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { parseCountingNumber } from '../cli/arguments.ts'
import type { Cli } from '../cli/cli.ts'
import { withCatalog } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'
import { openKeptVersion } from './kept-version.ts'
import { printDiff } from './print-diff.ts'

export function addDatasetsDiff(datasets: Command, cli: Cli): void {
  const command = datasets
    .command('diff')
    .description('Show what changed between two kept versions: columns, values, quarantine, keys and rows.')
    .argument('<id>', 'the dataset')
    .argument('[v1]', 'the earlier version (default: the one before the served one)', parseCountingNumber)
    .argument('[v2]', 'the later version (default: the served one)', parseCountingNumber)
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(
    async (id: string, from: number | undefined, to: number | undefined, options: { json?: true }) => {
      const { values } = readSettings(cli, options)
      const diff = await withCatalog(values, (catalog, folder) => compare(catalog, folder, id, from, to))
      if (options.json) return printJson(cli, diff)
      printDiff(cli, diff)
    },
  )
}

async function compare(
  catalog: Catalog,
  folder: DataDir,
  id: string,
  from: number | undefined,
  to: number | undefined,
): Promise<VersionDiff> {
  const later = await openKeptVersion(catalog, folder, id, to)
  using _later = closing(later.file)
  const earlier = await openKeptVersion(catalog, folder, id, from ?? earlierThan(catalog, id))
  using _earlier = closing(earlier.file)
  return diffVersions(earlier, later)
}

/**
 * The kept version that was served before the current one. Numbers grow along the chain of served versions, and a publish
 * after a rollback drops versions that no rollback can reach, so it is the next smaller number.
 * @throws CommandError `failed` when none is kept
 */
function earlierThan(catalog: Catalog, id: string): number {
  const versions = catalog.versions(id)
  const served = versions.find((version) => version.served)
  const earlier = versions.find(({ version }) => served !== undefined && version < served.version)
  if (earlier !== undefined) return earlier.version
  const [newest] = versions
  const advice =
    newest === undefined || newest.served
      ? 'the setting keep_versions sets how many are kept; the next ingest can be compared with this one'
      : `after a rollback, name them: datasets diff ${id} ${served?.version} ${newest.version}`
  throw new CommandError(
    'failed',
    `no version of ${id} before ${served?.version} is kept to compare it with: ${advice}`,
  )
}
