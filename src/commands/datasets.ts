/** izvor datasets …: lists, inspects and changes published datasets. */

import type { Command } from 'commander'
import type { Cli } from './cli/cli.ts'
import { addDatasetsCanonical } from './datasets/canonical.ts'
import { addDatasetsDiff } from './datasets/diff.ts'
import { addDatasetsDrop } from './datasets/drop.ts'
import { addDatasetsEdit } from './datasets/edit.ts'
import { addDatasetsList } from './datasets/list.ts'
import { addDatasetsQuarantine } from './datasets/quarantine.ts'
import { addDatasetsRefresh } from './datasets/refresh.ts'
import { addDatasetsRemove } from './datasets/remove.ts'
import { addDatasetsRepaired } from './datasets/repaired.ts'
import { addDatasetsRollback } from './datasets/rollback.ts'
import { addDatasetsServe } from './datasets/serve.ts'
import { addDatasetsShow } from './datasets/show.ts'
import { addDatasetsVerify } from './datasets/verify.ts'

export function addDatasets(program: Command, cli: Cli): void {
  const datasets = program
    .command('datasets')
    .description('List, inspect, edit, verify and remove published datasets.')
  addDatasetsList(datasets, cli)
  addDatasetsShow(datasets, cli)
  addDatasetsEdit(datasets, cli)
  addDatasetsServe(datasets, cli)
  addDatasetsDrop(datasets, cli)
  addDatasetsRemove(datasets, cli)
  addDatasetsRollback(datasets, cli)
  addDatasetsVerify(datasets, cli)
  addDatasetsQuarantine(datasets, cli)
  addDatasetsRepaired(datasets, cli)
  addDatasetsDiff(datasets, cli)
  addDatasetsRefresh(datasets, cli)
  addDatasetsCanonical(datasets, cli)
}
