/** A command of the shell as a row: what it takes, what it does with the data directory, and how it prints what it did. */

import type { Command } from 'commander'
import type { UsageRecorder } from '../../accounts/usage/usage.ts'
import type { Config } from '../../base/config/config.ts'
import type { AccountsDb } from '../../db/accounts.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { Cli } from './cli.ts'
import { confirm } from './confirm.ts'
import { createFolder, findFolder, withAccounts, withCatalog } from './folder.ts'
import { printJson } from './print.ts'
import { addSettingOptions, readSettings } from './settings.ts'

/** What every command with a data directory works with. */
export interface Place {
  readonly cli: Cli
  readonly config: Config
  readonly folder: DataDir
}

export interface AccountsPlace extends Place {
  readonly accounts: AccountsDb
  readonly usage: UsageRecorder
}

export interface CatalogPlace extends Place {
  readonly catalog: Catalog
}

/** `Given` are the arguments in their order, and behind them the options by name. */
interface CommandRow<Opened, Given extends unknown[], Done> {
  readonly name: string
  readonly description: string
  /** Adds its arguments and options, without `--yes`, `--json` and `--data`. */
  readonly takes?: (command: Command) => unknown
  /** It makes a data directory where there is none. */
  readonly creates?: true
  /** Finds the consequence to agree to, as a sentence; the command then takes `--yes`. */
  readonly confirms?: (opened: Opened, ...given: Given) => string | Promise<string>
  /** What `--json` prints, in the help; left out: nothing more is said. */
  readonly jsonHelp?: string
  /** Looks at what was given before the directory is opened. @throws CommandError `usage` */
  readonly checks?: (...given: Given) => unknown
  readonly does: (opened: Opened, ...given: Given) => Done | Promise<Done>
  /** What `--json` prints; left out: what was done, as it is; null: the command has no `--json`. */
  readonly json?: ((done: Done, ...given: Given) => unknown) | null
  readonly prints: (cli: Cli, done: Done, ...given: Given) => void
  /** What a person should know beside the output, under `--json` as well. */
  readonly notes?: (done: Done) => string
  /** Ends the command with another exit code after it printed what was done. @throws CommandError */
  readonly refuses?: (done: Done) => void
}

/** Adds a command to the group of its noun. */
type AddCommand = (group: Command, cli: Cli) => void

type Open<Opened> = <T>(place: Place, work: (opened: Opened) => Promise<T>) => Promise<T>

function rowsOver<Opened>(open: Open<Opened>) {
  return <Given extends unknown[], Done>(row: CommandRow<Opened, Given, Done>): AddCommand =>
    (group, cli) => {
      const command = group.command(row.name).description(row.description)
      row.takes?.(command)
      if (row.confirms) command.option('--yes', 'do not ask')
      if (row.json !== null) command.option('--json', `print JSON${row.jsonHelp ?? ''}`)
      addSettingOptions(command, { data: 'folder' }).action(async (...all: unknown[]) => {
        // Behind the options commander passes the command itself.
        const given = all.slice(0, -1) as Given
        const options = given.at(-1) as { yes?: true; json?: true }
        row.checks?.(...given)
        const config = readSettings(cli, options).values
        const folder = row.creates ? createFolder(config, cli.note) : findFolder(config)
        const place = { cli, config, folder }
        const { confirms } = row
        if (confirms && !options.yes) {
          const what = await open(place, async (opened) => await confirms(opened, ...given))
          await confirm(cli, what, false)
        }
        const done = await open(place, async (opened) => await row.does(opened, ...given))
        if (options.json) printJson(cli, row.json ? row.json(done, ...given) : done)
        else row.prints(cli, done, ...given)
        if (row.notes) cli.note(row.notes(done))
        row.refuses?.(done)
      })
    }
}

/** A command that opens what it needs of the data directory by itself. */
export const folderCommand = rowsOver<Place>((place, work) => work(place))

/** A command on keys, accounts, plans and the audit log. */
export const accountsCommand = rowsOver<AccountsPlace>((place, work) =>
  withAccounts(place.config, place.folder, (accounts, usage) => work({ ...place, accounts, usage })),
)

/** A command on datasets. */
export const catalogCommand = rowsOver<CatalogPlace>((place, work) =>
  withCatalog(place.config, (catalog) => work({ ...place, catalog })),
)

/** Adds a noun with its commands, in the order of the help. */
export function addGroup(
  program: Command,
  cli: Cli,
  { name, description, commands }: { name: string; description: string; commands: readonly AddCommand[] },
): void {
  const group = program.command(name).description(description)
  for (const add of commands) add(group, cli)
}
