/**
 * izvor datasets canonical ID [--column C] [--copy-tables] [--json]: which values the reference tables do not know, and
 * how to add them.
 */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { closing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { csvCell } from '../../base/text/quoting.ts'
import { type CanonicalReview, reviewCanonical } from '../../publish/edition/canonical-review.ts'
import { shippedReferenceText } from '../../read/values/reference.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { Cli } from '../cli/cli.ts'
import { type CatalogPlace, catalogCommand, parseCountingNumber } from '../cli/command-row.ts'
import { formatAmount, printFacts, printTable } from '../cli/print.ts'
import { openKeptVersion } from './kept-rows.ts'

export const canonical = catalogCommand({
  name: 'canonical',
  description: 'Show which values of a dataset its reference tables do not know, and how to add them.',
  takes: (command) =>
    command
      .argument('<id>', 'the dataset')
      .option('--column <name>', 'only this column')
      .option('--limit <values>', 'how many values to list; --json prints all', parseCountingNumber, 20)
      .option(
        '--copy-tables',
        "copy the shipped tables in use to the data directory's reference/, to be added to",
      ),
  does: async (
    { cli, catalog, folder }: CatalogPlace,
    id: string,
    { column, copyTables: copies }: { column?: string; limit: number; copyTables?: true },
  ) => {
    const kept = await openKeptVersion(catalog, folder, id, undefined)
    using _ = closing(kept.file)
    const review = () => reviewCanonical(kept, folder.referenceDir, column)
    const found = review()
    if (!copies) return found
    copyTables(cli, folder, found)
    return review()
  },
  json: (columns, dataset) => ({ dataset, columns }),
  prints: (cli, reviews, id, { limit }) => {
    for (const review of reviews) printReview(cli, id, review, limit)
  },
})

function copyTables(cli: Cli, { referenceDir }: DataDir, reviews: readonly CanonicalReview[]): void {
  const files = new Map(reviews.map(({ table, table_file }) => [table_file, table]))
  for (const [path, table] of files) {
    const text = shippedReferenceText(table)
    if (text === undefined || existsSync(path)) {
      cli.note(`${path} exists already and stays unchanged.`)
      continue
    }
    try {
      mkdirSync(referenceDir, { recursive: true, mode: 0o700 })
      writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
    } catch (error) {
      throw new CommandError('failed', `cannot write ${path}: ${(error as Error).message}`)
    }
    cli.note(`${path} is a copy of the shipped table and replaces it from now on.`)
  }
}

function printReview(cli: Cli, id: string, review: CanonicalReview, limit: number): void {
  const { rows, values, unmatched } = review
  const known = ({ matched, total }: typeof rows) =>
    `${matched.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`
  printFacts(cli, [
    ['column', `${review.column} -> ${review.canonical_column}`],
    ['reference table', review.own_table ? review.table_file : `${review.table} (shipped)`],
    ['rows known', known(rows)],
    ['values known', known(values)],
  ])
  cli.print('\n')
  if (unmatched.length === 0) return
  printTable<CanonicalReview['unmatched'][number]>(cli, unmatched.slice(0, limit), {
    rows: 'rows',
    'unknown value': 'value',
    'may mean': ({ known_now, suggestions }) =>
      known_now === null ? suggestions.join(' or ') : `${known_now}, by the current table: ingest again`,
  })
  if (unmatched.length > limit)
    cli.note(`${formatAmount(unmatched.length - limit, 'more value')}: see --limit and --json.`)
  printAdvice(cli, id, review)
}

function printAdvice(cli: Cli, id: string, { table_file, own_table, unmatched }: CanonicalReview): void {
  cli.print('\n')
  const unknown = unmatched.filter(({ known_now }) => known_now === null)
  const first = unknown.find(({ suggestions }) => suggestions.length > 0) ?? unknown[0]
  if (first === undefined) return
  const spelling = first.value.replaceAll(/\s+/g, ' ')
  const line = [first.suggestions[0] ?? 'the right spelling', spelling].map((cell) => csvCell(cell)).join(',')
  const copy = own_table
    ? ''
    : `That file replaces the shipped table: start from a copy of it, with ${cli.program} datasets canonical ${id} --copy-tables\n`
  cli.print(`Add a line for each to ${table_file}, such as\n  ${line}\nand ingest again. ${copy}\n`)
}
