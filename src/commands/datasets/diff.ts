/** izvor datasets diff ID [V1 V2] [--json]: what changed from one kept version to another. */

import type { Command } from 'commander'
import type { Catalog } from '../../catalog/catalog.ts'
import { CommandError } from '../../errors.ts'
import { diffVersions, type VersionDiff } from '../../ingest/version-diff.ts'
import type { DataDir } from '../../storage/data-dir.ts'
import { parseCountingNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { withCatalog } from '../folder.ts'
import { printJson } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'
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
    (id: string, from: number | undefined, to: number | undefined, options: { json?: true }) => {
      const { values } = readSettings(cli, options)
      const diff = withCatalog(values, (catalog, folder) => compare(catalog, folder, id, from, to))
      if (options.json) return printJson(cli, diff)
      printDiff(cli, diff)
    },
  )
}

function compare(
  catalog: Catalog,
  folder: DataDir,
  id: string,
  from: number | undefined,
  to: number | undefined,
): VersionDiff {
  const later = openKeptVersion(catalog, folder, id, to)
  try {
    const earlier = openKeptVersion(catalog, folder, id, from ?? earlierThan(catalog, id))
    try {
      return diffVersions(earlier, later)
    } finally {
      earlier.file.close()
    }
  } finally {
    later.file.close()
  }
}

/**
 * The kept version that was served before the present one. Numbers grow along the chain of served versions, and a
 * publish after a rollback drops what a rollback cannot reach, so it is the next smaller one.
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
      ? 'the setting keep_versions says how many stay, and the next ingest can be compared with this one'
      : `after a rollback, name them: datasets diff ${id} ${served?.version} ${newest.version}`
  throw new CommandError(
    'failed',
    `no version of ${id} before ${served?.version} is kept to compare it with: ${advice}`,
  )
}
