/** izvor datasets edit ID …: changes what is said of a dataset and its columns; the data stay as they are. */

import { type Command, InvalidArgumentError } from 'commander'
import { ON_OFF } from '../../base/config/setting-kinds.ts'
import { CommandError } from '../../base/errors.ts'
import { requireTitle } from '../../read/definition/names.ts'
import { changedFields, type DatasetEdit } from '../../store/catalog/edit.ts'
import { failDataset } from '../../store/catalog/missing-dataset.ts'
import type { ColumnTexts } from '../../store/catalog/record.ts'
import { noteInAudit } from '../cli/audited.ts'
import type { Cli } from '../cli/cli.ts'
import { withCatalog } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'

interface Given {
  readonly title?: string
  readonly description?: string
  readonly publisher?: string
  readonly license?: string
  readonly keywords?: string
  readonly column?: readonly ColumnEdit[]
  readonly openPages?: boolean
  readonly json?: true
}

interface ColumnEdit {
  readonly name: string
  readonly texts: Partial<ColumnTexts>
}

export function addDatasetsEdit(datasets: Command, cli: Cli): void {
  const command = datasets
    .command('edit')
    .description(
      'Change the texts of a dataset and its columns. The data, their version and the cursors of clients stay; an empty text takes one away.',
    )
    .argument('<id>', 'the dataset')
    .option('--title <text>', 'its title in the catalog')
    .option('--description <text>', 'what it holds')
    .option('--publisher <text>', 'who publishes it')
    .option('--license <text>', 'under which licence')
    .option('--keywords <words>', 'its keywords, separated by commas')
    .option(
      '--column <edit>',
      'NAME.title, NAME.unit or NAME.description and the text: "pret.unit lei"; may be given again',
      addColumnEdit,
    )
    .option(
      '--open-pages <on|off>',
      'whether its rows and files are shown without a key; the catalog lists it either way',
      parseSwitch,
    )
    .option('--json', 'print JSON: the descriptor')
  addSettingOptions(command, { data: 'folder' }).action((id: string, options: Given) =>
    edit(cli, id, options),
  )
}

async function edit(cli: Cli, id: string, options: Given): Promise<void> {
  const { values } = readSettings(cli, options)
  const change = toEdit(options)
  const descriptor = await withCatalog(values, async (catalog, folder) => {
    if (catalog.find(id) === undefined) throw failDataset(catalog, id)
    await catalog.edit(id, change)
    const detail = `${id}: ${changedFields(change).join(', ')}`
    await noteInAudit(cli, values, folder, { event: 'dataset_changed', detail })
    return catalog.descriptor(id)
  })
  if (options.json) return printJson(cli, descriptor)
  cli.print(`${id} is described so from the next request on; its data and version stay.\n`)
}

/** @throws CommandError `usage` when nothing is to change, or the title is none */
function toEdit(given: Given): DatasetEdit {
  const { title, description, publisher, license, keywords, column = [], openPages: open } = given
  const columns: Record<string, Partial<ColumnTexts>> = {}
  for (const { name, texts } of column) columns[name] = { ...columns[name], ...texts }
  const dataset = {
    ...(title === undefined ? {} : { title: requireTitle(title) }),
    ...(description === undefined ? {} : { description: textOrNone(description) }),
    ...(publisher === undefined ? {} : { publisher: textOrNone(publisher) }),
    ...(license === undefined ? {} : { license: textOrNone(license) }),
    ...(keywords === undefined ? {} : { keywords: splitWords(keywords) }),
  }
  if (Object.keys(dataset).length + column.length > 0 || open !== undefined) return { dataset, columns, open }
  throw new CommandError('usage', 'nothing to change: name a text, for example --title "Prices 2025"')
}

/** @throws InvalidArgumentError */
function parseSwitch(given: string): boolean {
  const value = ON_OFF.parse(given)
  if (value === undefined) throw new InvalidArgumentError(`It is ${ON_OFF.expected}.`)
  return value
}

const COLUMN_EDIT = /^([a-z0-9_]{1,64})\.(title|unit|description)(?:\s+(.*))?$/s

/** @throws InvalidArgumentError, which ends the command with the exit code of wrong usage */
function addColumnEdit(given: string, before: readonly ColumnEdit[] = []): readonly ColumnEdit[] {
  const [, name, field, text = ''] = COLUMN_EDIT.exec(given.trim()) ?? []
  if (name === undefined || field === undefined)
    throw new InvalidArgumentError(
      'It is a column, a point, title, unit or description, a space and the text.',
    )
  return [...before, { name, texts: { [field]: textOrNone(text) } }]
}

function textOrNone(text: string): string | null {
  return text.trim() || null
}

function splitWords(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}
