/** izvor users create EMAIL [--language L] [--json]: an account whose owner sets the password by a link. */

import type { Command } from 'commander'
import { createAccount } from '../../accounts/operator.ts'
import { CommandError } from '../../errors.ts'
import { linkOf } from '../../mail/compose.ts'
import { LANGUAGES, type Language } from '../../mail/language.ts'
import type { Cli } from '../cli.ts'
import { createFolder, withAccounts } from '../folder.ts'
import { printJson } from '../print.ts'
import { serviceAddress } from '../service-address.ts'
import { addSettingOptions, readSettings } from '../settings.ts'
import { printUser } from './print-user.ts'

interface Given {
  readonly language: string
  readonly json?: true
}

export function addUsersCreate(users: Command, cli: Cli): void {
  const command = users
    .command('create')
    .description(
      'Make an account. Its owner gets a link to set the password, by mail where a mail server is configured.',
    )
    .argument('<email>', 'the address of the account')
    .option('--language <code>', 'the language of its mails, ro or en', 'ro')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action((email: string, options: Given) => {
    const config = readSettings(cli, options).values
    const mail = config.smtp_url !== null
    const language = parseLanguage(options.language)
    const { user, token } = withAccounts(createFolder(config, cli.note), (accounts) =>
      createAccount(accounts, { email, language, mail }, cli.now()),
    )
    const base = config.base_url ?? serviceAddress(config)
    const password_link = mail ? null : (linkOf({ kind: 'invitation', base, token }) ?? null)
    if (options.json) printJson(cli, { ...user, password_link })
    else printUser(cli, user, { password_link })
    if (mail) return cli.note('A mail with a link to set the password goes out as soon as the service runs.')
    cli.note('Hand the link to its owner; it works once, for 24 hours.')
  })
}

function parseLanguage(text: string): Language {
  const known = LANGUAGES.find((language) => language === text)
  if (known) return known
  throw new CommandError('usage', `the language is one of ${LANGUAGES.join(', ')}, not "${text}"`)
}
