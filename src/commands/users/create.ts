/** izvor users create EMAIL [--language L] [--publisher] [--json]: an account whose owner sets the password by a link. */

import type { Command } from 'commander'
import { linkOf } from '../../accounts/mail/compose.ts'
import { createAccount } from '../../accounts/people/operator.ts'
import { CommandError } from '../../base/errors.ts'
import { LANGUAGES, type Language } from '../../base/text/language.ts'
import type { Cli } from '../cli/cli.ts'
import { createFolder, withAccounts } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { linkBase } from '../cli/running-service.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'
import { printUser } from './print-user.ts'

interface Given {
  readonly language: string
  readonly publisher?: true
  readonly json?: true
}

export function addUsersCreate(users: Command, cli: Cli): void {
  const command = users
    .command('create')
    .description(
      'Create an account. Its owner gets a link to set the password, by mail where a mail server is configured.',
    )
    .argument('<email>', 'the address of the account')
    .option('--language <code>', 'the language of its mails, ro or en', 'ro')
    .option('--publisher', 'make it a publisher of all domains (others: izvor users set-role)')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (email: string, options: Given) => {
    const config = readSettings(cli, options).values
    const mail = config.smtp_url !== null
    const language = parseLanguage(options.language)
    const folder = createFolder(config, cli.note)
    const { user, token } = await withAccounts(config, folder, (accounts) =>
      createAccount(accounts, { email, language, mail, publisher: options.publisher === true }, cli.now()),
    )
    const base = await linkBase({ config, folder, now: cli.now })
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
