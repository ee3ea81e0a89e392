/** izvor users set-role EMAIL publisher [--domain D]… | reader [--json]: what the account may do from now on. */

import type { Command } from 'commander'
import { type GivenRole, setAccountRole } from '../../accounts/people/operator.ts'
import { CommandError } from '../../base/errors.ts'
import { requireDomain } from '../../read/definition/names.ts'
import type { Cli } from '../cli/cli.ts'
import { findFolder, withAccounts } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'
import { roleInWords } from './print-user.ts'

interface Given {
  readonly domain?: readonly string[]
  readonly json?: true
}

export function addUsersSetRole(users: Command, cli: Cli): void {
  const command = users
    .command('set-role')
    .description('Make an account a publisher of all or of some domains, or a reader again.')
    .argument('<email>', 'the address of the account')
    .argument('<role>', 'publisher or reader')
    .option('--domain <name>', 'a domain to publish in; may be repeated (default: all domains)', collect)
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(
    async (email: string, role: string, options: Given) => {
      const given = readRole(role, options.domain)
      const config = readSettings(cli, options).values
      const folder = findFolder(config)
      const user = await withAccounts(config, folder, (accounts) =>
        setAccountRole(accounts, email, given, cli.now()),
      )
      if (options.json) printJson(cli, user)
      else cli.note(`The account ${user.email} is now: ${roleInWords(user)}.`)
    },
  )
}

function collect(domain: string, before: readonly string[] = []): string[] {
  return [...before, domain]
}

/** @throws CommandError `usage` for another role, a reader with domains, or a domain that is no name */
function readRole(role: string, domains: readonly string[] | undefined): GivenRole {
  if (role === 'publisher')
    return { role, publisher_domains: domains === undefined ? null : unique(domains.map(requireDomain)) }
  if (role !== 'reader') throw new CommandError('usage', `the role is publisher or reader, not "${role}"`)
  if (domains !== undefined)
    throw new CommandError('usage', '--domain belongs to publishers: a reader has no domains')
  return { role, publisher_domains: [] }
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}
