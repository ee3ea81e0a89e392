/** izvor datasets edit ID …: changes the texts about a dataset and its columns; the data stay as they are. */

import { InvalidArgumentError } from 'commander'
import { ON_OFF } from '../../base/config/setting-kinds.ts'
import { CommandError } from '../../base/errors.ts'
import { requireTitle } from '../../read/definition/names.ts'
import { changedFields, type DatasetEdit } from '../../store/catalog/edit.ts'
import { requireServed } from '../../store/catalog/missing-dataset.ts'
import type { ColumnTexts } from '../../store/catalog/record.ts'
import { noteInAudit } from '../cli/after-change.ts'
import { type CatalogPlace, catalogCommand } from '../cli/command-row.ts'

interface Given {
  readonly title?: string
  readonly description?: string
  readonly publisher?: string
  readonly license?: string
  readonly keywords?: string
  readonly column?: readonly ColumnEdit[]
  readonly openPages?: boolean
}

interface ColumnEdit {
  readonly name: string
  readonly texts: Partial<ColumnTexts>
}

export const edit = catalogCommand({
  name: 'edit',
  description:
    'Change the texts of a dataset and its columns. The data, their version and the cursors of clients stay; an empty text takes one away.',
  takes: (command) =>
    command
      .argument('<id>', 'the dataset')
      .option('--title <text>', 'its title in the catalog')
      .option('--description <text>', 'what it holds')
      .option('--publisher <text>', 'who publishes it')
      .option('--license <text>', 'under which licence')
      .option('--keywords <words>', 'its keywords, separated by commas')
      .option(
        '--column <edit>',
        'NAME.title, NAME.unit or NAME.description and the text: "pret.unit lei"; may be given again',
        (given, before: readonly ColumnEdit[] = []) => {
          const [, name, field, text = ''] = COLUMN_EDIT.exec(given.trim()) ?? []
          if (name !== undefined && field !== undefined)
            return [...before, { name, texts: { [field]: textOrNone(text) } }]
          throw new InvalidArgumentError(
            'It is a column, a point, title, unit or description, a space and the text.',
          )
        },
      )
      .option(
        '--open-pages <on|off>',
        'whether its rows and files are shown without a key; the catalog lists it either way',
        (given) => {
          const value = ON_OFF.parse(given)
          if (value === undefined) throw new InvalidArgumentError(`It is ${ON_OFF.expected}.`)
          return value
        },
      ),
  jsonHelp: ': the descriptor',
  checks: (_, options) => toEdit(options),
  does: async (place: CatalogPlace, id: string, options: Given) => {
    const { catalog } = place
    requireServed(catalog, id)
    const change = toEdit(options)
    await catalog.edit(id, change)
    await noteInAudit(place, 'dataset_changed', `${id}: ${changedFields(change).join(', ')}`)
    return catalog.descriptor(id)
  },
  prints: (cli, _, id) =>
    cli.print(`${id} has these texts from the next request on; its data and version stay.\n`),
})

function toEdit(given: Given): DatasetEdit {
  const { title, description, publisher, license, keywords, column = [], openPages: open } = given
  const columns: Record<string, Partial<ColumnTexts>> = {}
  for (const { name, texts } of column) columns[name] = { ...columns[name], ...texts }
  const dataset = {
    ...(title !== undefined && { title: requireTitle(title) }),
    ...(description !== undefined && { description: textOrNone(description) }),
    ...(publisher !== undefined && { publisher: textOrNone(publisher) }),
    ...(license !== undefined && { license: textOrNone(license) }),
    ...(keywords !== undefined && {
      keywords: keywords
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== ''),
    }),
  }
  if (Object.keys(dataset).length + column.length > 0 || open !== undefined) return { dataset, columns, open }
  throw new CommandError('usage', 'nothing to change: name a text, for example --title "Prices 2025"')
}

const COLUMN_EDIT = /^([a-z0-9_]{1,64})\.(title|unit|description)(?:\s+(.*))?$/s

function textOrNone(text: string): string | null {
  return text.trim() || null
}
