/** izvor datasets …: what is published, and what can be done about it. */

import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { addDatasetsCanonical } from './datasets/canonical.ts'
import { addDatasetsDiff } from './datasets/diff.ts'
import { addDatasetsList } from './datasets/list.ts'
import { addDatasetsQuarantine } from './datasets/quarantine.ts'
import { addDatasetsRefresh } from './datasets/refresh.ts'
import { addDatasetsRemove } from './datasets/remove.ts'
import { addDatasetsRollback } from './datasets/rollback.ts'
import { addDatasetsShow } from './datasets/show.ts'
import { addDatasetsVerify } from './datasets/verify.ts'

export function addDatasets(program: Command, cli: Cli): void {
  const datasets = program
    .command('datasets')
    .description('List, inspect, verify and remove what is published.')
  addDatasetsList(datasets, cli)
  addDatasetsShow(datasets, cli)
  addDatasetsRemove(datasets, cli)
  addDatasetsRollback(datasets, cli)
  addDatasetsVerify(datasets, cli)
  addDatasetsQuarantine(datasets, cli)
  addDatasetsDiff(datasets, cli)
  addDatasetsRefresh(datasets, cli)
  addDatasetsCanonical(datasets, cli)
}
