/** izvor datasets repaired ID [--version N] [--limit N] [--csv | --json]: lists the records that were mended, and how. */

import type { Command } from 'commander'
import { explainMended } from '../../read/report/finding-words.ts'
import type { Cli } from '../cli/cli.ts'
import { printTable } from '../cli/print.ts'
import { listKeptRows } from './kept-rows.ts'

export function addDatasetsRepaired(datasets: Command, cli: Cli): void {
  const command = datasets
    .command('repaired')
    .description(
      'List the rows of a dataset that had more or fewer cells than its header and were mended, with line, raw text and what was done.',
    )
  listKeptRows(command, cli, {
    fields: ['line', 'kind', 'raw'],
    rowsOf: (file) => file.mended(),
    countOf: ({ header }) => header.mended ?? 0,
    nothing: 'No row was mended.',
    printCounts: (_, { record }) =>
      printTable(
        cli,
        Object.entries(record.quality.mended).filter(([, count]) => count > 0),
        [
          { title: 'rows', value: ([, count]) => count },
          { title: 'kind', value: ([kind]) => kind },
          { title: 'that is', value: ([kind]) => explainMended(kind) },
        ],
      ),
  })
}
