/** izvor datasets quarantine ID [--version N] [--limit N] [--csv | --json]: lists the refused rows with their reasons. */

import type { Command } from 'commander'
import { explainReason } from '../../read/report/finding-words.ts'
import type { Cli } from '../cli/cli.ts'
import { printTable } from '../cli/print.ts'
import { listKeptRows } from './kept-rows.ts'

export function addDatasetsQuarantine(datasets: Command, cli: Cli): void {
  const command = datasets
    .command('quarantine')
    .description('List the rows of a dataset that were not imported, with line, reason and raw text.')
  listKeptRows(command, cli, {
    fields: ['line', 'column', 'reason', 'raw'],
    rowsOf: (file) => file.quarantine(),
    countOf: ({ header }) => header.quarantined,
    nothing: 'Every row was imported: the quarantine is empty.',
    printCounts: (_, { record }) =>
      printTable(cli, record.quality.quarantine, [
        { title: 'rows', value: ({ count }) => count },
        { title: 'reason', value: ({ reason }) => reason },
        { title: 'that is', value: ({ reason }) => explainReason(reason) },
      ]),
  })
}
