/** A command of the shell as a row: what it takes, what it does with the data directory, how it prints the result. */

import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { UsageRecorder } from '../../accounts/usage/usage.ts'
import type { Config } from '../../base/config/config.ts'
import type { LoadedConfig } from '../../base/config/load.ts'
import { CommandError } from '../../base/errors.ts'
import type { AccountsDb } from '../../db/accounts.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { Cli } from './cli.ts'
import { createFolder, findFolder, withAccounts, withCatalog } from './folder.ts'
import { ownFolder } from './own-folder.ts'
import { printJson } from './print.ts'
import { addSettingOptions, readSettings } from './settings.ts'

export interface SettingsPlace {
  readonly cli: Cli
  readonly loaded: LoadedConfig
  /** The values of the settings. */
  readonly config: Config
}

/** Everything that a command on a data directory works with. */
export interface Place extends SettingsPlace {
  readonly folder: DataDir
}

export interface DesktopPlace extends Place {
  /** The folder that relative paths start from. */
  readonly startedIn: string
}

export interface AccountsPlace extends Place {
  readonly accounts: AccountsDb
  readonly usage: UsageRecorder
}

export interface CatalogPlace extends Place {
  readonly catalog: Catalog
}

/** `Given`: the arguments in their order, then the options by name. */
interface CommandRow<Opened, Given extends unknown[], Done, Chosen> {
  readonly name: string
  readonly description: string
  /** Adds its arguments and options, without `--yes`, `--json` and those of settings. */
  readonly takes?: (command: Command) => unknown
  /** The settings that have options, each with the word for its value; left out: the data directory. */
  readonly settings?: Parameters<typeof addSettingOptions>[1]
  /** Follows the help. */
  readonly help?: string
  /** Commands below its name. */
  readonly commands?: readonly AddCommand[]
  /** Makes a data directory where there is none. */
  readonly creates?: true
  /** Chooses once what the command works on, so that `does` gets as `chosen` what was confirmed. */
  readonly chooses?: (opened: Opened, ...given: Given) => Chosen
  /** The consequence to confirm, as a sentence; null: there is none. The command then takes `--yes`. */
  readonly confirms?: (
    opened: Opened & { readonly chosen: Chosen },
    ...given: Given
  ) => string | null | Promise<string>
  readonly yesHelp?: string
  /** Says in the help what `--json` prints. */
  readonly jsonHelp?: string
  /** Checks the arguments and options before the directory is opened. @throws CommandError `usage` */
  readonly checks?: (...given: Given) => unknown
  readonly does: (opened: Opened & { readonly chosen: Chosen }, ...given: Given) => Done | Promise<Done>
  /** What `--json` prints; left out: the result; null: the command has no `--json`, or handles it itself. */
  readonly json?: ((done: Done, ...given: Given) => unknown) | null
  readonly prints?: (cli: Cli, done: Done, ...given: Given) => void
  /** A note for people in addition to the output, also with `--json`. */
  readonly notes?: (done: Done) => string
  /** Ends the command with another exit code after it printed the result. @throws CommandError */
  readonly refuses?: (done: Done, ...given: Given) => void
}

/** Adds a command to the program, or to the group of its noun. */
export type AddCommand = (group: Command, cli: Cli) => void

/** @param prepare is called once @param open is called for each use: to choose or confirm, then to do the work */
function rowsOver<Prepared, Opened>(
  prepare: (cli: Cli, options: object, row: { readonly creates?: true }) => Prepared,
  open: <T>(prepared: Prepared, work: (opened: Opened) => Promise<T>) => Promise<T>,
  hasSettings = true,
) {
  return <Given extends unknown[], Done, Chosen = undefined>(
    row: CommandRow<Opened, Given, Done, Chosen>,
  ): AddCommand =>
    (group, cli) => {
      const command = group.command(row.name).description(row.description)
      row.takes?.(command)
      if (row.confirms) command.option('--yes', row.yesHelp ?? 'do not ask')
      if (row.json !== null) command.option('--json', `print JSON${row.jsonHelp ?? ''}`)
      if (hasSettings) addSettingOptions(command, row.settings ?? { data: 'folder' })
      if (row.help) command.addHelpText('after', row.help)
      command.action(async (...all: unknown[]) => {
        // After the options commander passes the command itself.
        const given = all.slice(0, -1) as Given
        const options = given.at(-1) as { yes?: true; json?: true }
        row.checks?.(...given)
        const prepared = prepare(cli, options, row)
        const { confirms, chooses } = row
        let chosen = undefined as Chosen
        if (chooses || (confirms && !options.yes)) {
          const what = await open(prepared, async (opened) => {
            if (chooses) chosen = chooses(opened, ...given)
            return (await confirms?.({ ...opened, chosen }, ...given)) ?? null
          })
          if (what !== null) await confirm(cli, what, options.yes === true)
        }
        const done = await open(prepared, async (opened) => await row.does({ ...opened, chosen }, ...given))
        if (options.json && row.json !== null) printJson(cli, row.json ? row.json(done, ...given) : done)
        else row.prints?.(cli, done, ...given)
        if (row.notes) cli.note(row.notes(done))
        row.refuses?.(done, ...given)
      })
      for (const add of row.commands ?? []) add(command, cli)
    }
}

function atSettings(cli: Cli, options: object): SettingsPlace {
  const loaded = readSettings(cli, options)
  return { cli, loaded, config: loaded.values }
}

function atFolder(cli: Cli, options: object, row: { readonly creates?: true }): Place {
  const place = atSettings(cli, options)
  return { ...place, folder: row.creates ? createFolder(place.config, cli.note) : findFolder(place.config) }
}

/** A file manager starts programs in any folder: settings are read and written where the data is. */
function atOwnFolder(cli: Cli, options: { readonly data?: string }): DesktopPlace {
  const data = resolve(options.data ?? (cli.env.IZVOR_DATA || ownFolder(cli)))
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const startedIn = cli.enterFolder(data)
  const place = atSettings(cli, { ...options, data })
  return { ...place, startedIn, folder: createFolder(place.config) }
}

/** A command that reads no settings. */
export const bareCommand = rowsOver<{ cli: Cli }, { cli: Cli }>(
  (cli) => ({ cli }),
  (place, work) => work(place),
  false,
)

/** A command that opens everything by itself, also the data directory. */
export const settingsCommand = rowsOver<SettingsPlace, SettingsPlace>(atSettings, (place, work) =>
  work(place),
)

/** A command that opens the databases of the data directory by itself. */
export const folderCommand = rowsOver<Place, Place>(atFolder, (place, work) => work(place))

/** As `folderCommand`, in the user's own data directory unless another is named. It becomes the current folder. */
export const desktopCommand = rowsOver<DesktopPlace, DesktopPlace>(atOwnFolder, (place, work) => work(place))

/** A command on keys, accounts, plans and the audit log. */
export const accountsCommand = rowsOver<Place, AccountsPlace>(atFolder, (place, work) =>
  withAccounts(place.config, place.folder, (accounts, usage) => work({ ...place, accounts, usage })),
)

/** A command on datasets. */
export const catalogCommand = rowsOver<Place, CatalogPlace>(atFolder, (place, work) =>
  withCatalog(place.config, (catalog) => work({ ...place, catalog })),
)

/** A noun with its commands, in the order of the help. */
export function groupOf(name: string, description: string, commands: readonly AddCommand[]): AddCommand {
  return (program, cli) => {
    const group = program.command(name).description(description)
    for (const add of commands) add(group, cli)
  }
}

/** Returns if the operator agrees. @throws CommandError `usage` without a terminal to ask on, else `failed` */
async function confirm(cli: Cli, what: string, agreed: boolean): Promise<void> {
  if (agreed) return
  if (!cli.terminal.input || !cli.terminal.messages) {
    throw new CommandError(
      'usage',
      `${what} There is no terminal to confirm on: repeat the command with --yes to do it.`,
    )
  }
  const answer = await cli.ask(`${what}\nType "yes" to go on: `)
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('failed', 'Nothing was changed.')
}

/**
 * A whole number from 1, such as a key's id or the number of a version, line or record.
 * @throws InvalidArgumentError, which ends the command with the exit code of wrong usage
 */
export function parseCountingNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It is a whole number, 1 or more.')
}
