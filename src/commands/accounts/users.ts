/** izvor users …: accounts. */

import type { Command } from 'commander'
import { listKeys } from '../../accounts/keys/keys.ts'
import { finishDeletions } from '../../accounts/keys/tombstones.ts'
import { linkOf } from '../../accounts/mail/compose.ts'
import {
  createAccount,
  deleteAccountOf,
  type GivenRole,
  listAccounts,
  requireAccount,
  resetSecondFactor,
  setAccountPlan,
  setAccountRole,
  showAccount,
  signOutAccount,
  verifyAccount,
} from '../../accounts/people/operator.ts'
import { ROLES, type User } from '../../accounts/people/user.ts'
import { CommandError } from '../../base/errors.ts'
import { LANGUAGES, type Language } from '../../base/text/language.ts'
import { nameKeys } from '../../publish/published/use.ts'
import { requireDomain } from '../../read/definition/names.ts'
import type { Cli } from '../cli/cli.ts'
import { type AccountsPlace, accountsCommand, groupOf } from '../cli/command-row.ts'
import { printFacts, printTable } from '../cli/print.ts'
import { findService, serviceAddress } from '../cli/running-service.ts'
import { printUse, USE_DAYS, useOf } from '../cli/use.ts'

const takesEmail = (command: Command) => command.argument('<email>', 'the address of the account')

const list = accountsCommand({
  name: 'list',
  description: 'List all accounts.',
  does: ({ accounts }: AccountsPlace) => listAccounts(accounts),
  prints: (cli, found) => {
    if (found.length === 0) return cli.note('There are no accounts yet.')
    printTable(cli, found, {
      id: (user) => String(user.id),
      email: 'email',
      verified: (user) => yesOrNo(user.email_verified),
      plan: 'plan',
      role: roleInWords,
      'second factor': (user) => yesOrNo(user.second_factor),
      name: 'full_name',
      organization: 'organization',
      created: 'created_at',
    })
  },
})

const show = accountsCommand({
  name: 'show',
  description: `Show an account with its number of active keys and sessions, and what its keys read in the last ${USE_DAYS} days.`,
  takes: takesEmail,
  does: async ({ accounts, usage, cli }: AccountsPlace, email: string) => {
    const user = await showAccount(accounts, email)
    const keyIds = (await listKeys(accounts, user.id, () => null)).map(({ key_id }) => key_id)
    const found = await useOf(usage, { keyIds, by: ['key', 'dataset', 'format'] }, cli.now())
    return { user, use: await nameKeys(accounts, found.rows) }
  },
  json: ({ user, use }) => ({ ...user, usage: use }),
  prints: (cli, { user, use }) => {
    printUser(cli, user)
    printUse(cli, use, ['key', 'dataset', 'format'])
  },
})

const create = accountsCommand({
  name: 'create',
  description:
    'Create an account. Its owner gets a link to set the password, by mail where a mail server is configured.',
  takes: (command) =>
    takesEmail(command)
      .option('--language <code>', 'the language of its mails, ro or en', 'ro')
      .option('--publisher', 'make it a publisher of all domains (others: izvor users set-role)')
      .option('--operator', 'make it an operator, who publishes everywhere and runs the service at /operate'),
  creates: true,
  checks: (_, { language, publisher, operator }) => {
    parseLanguage(language)
    if (publisher && operator)
      throw new CommandError('usage', 'an operator publishes everywhere: leave --publisher out')
  },
  does: async (
    { accounts, cli, config, folder }: AccountsPlace,
    email: string,
    options: { language: string; publisher?: true; operator?: true },
  ) => {
    const mail = config.smtp_url !== null
    const language = parseLanguage(options.language)
    const role = options.operator ? 'operator' : options.publisher ? 'publisher' : undefined
    const asked = { email, language, mail, ...(role && { role: readRole(role, undefined) }) }
    const { user, token } = await createAccount(accounts, asked, cli.now())
    if (mail) return { user, password_link: null, mail }
    const service = config.base_url ?? (await findService({ config, folder, now: cli.now }))
    const base = service ?? serviceAddress(config)
    return { user, password_link: linkOf({ kind: 'invitation', base, token }) ?? null, mail }
  },
  json: ({ user, password_link }) => ({ ...user, password_link }),
  prints: (cli, { user, password_link }) => printUser(cli, user, { password_link }),
  notes: ({ mail }) =>
    mail
      ? 'A mail with a link to set the password goes out as soon as the service runs.'
      : 'Hand the link to its owner; it works once, for 24 hours.',
})

const verify = accountsCommand({
  name: 'verify',
  description: 'Confirm the e-mail address of an account on behalf of its owner.',
  takes: takesEmail,
  does: ({ accounts, cli }: AccountsPlace, email: string) => verifyAccount(accounts, email, cli.now()),
  prints: (cli, { email }) => cli.note(`The address ${email} is confirmed.`),
})

const setPlan = accountsCommand({
  name: 'set-plan',
  description: 'Put an account on another plan. Its keys follow at once; none is revoked.',
  takes: (command) => takesEmail(command).argument('<plan>', 'the plan, as in izvor plans list'),
  does: ({ accounts, cli }: AccountsPlace, email: string, plan: string) =>
    setAccountPlan(accounts, email, plan, cli.now()),
  prints: (cli, { email, plan }) => cli.note(`The account ${email} is on the plan ${plan}.`),
})

const setRole = accountsCommand({
  name: 'set-role',
  description: 'Make an account a publisher of all or of some domains, an operator, or a reader again.',
  takes: (command) =>
    takesEmail(command)
      .argument('<role>', ROLES.join(', '))
      .option(
        '--domain <name>',
        'a domain to publish in; may be repeated (default: all domains)',
        (name: string, before: readonly string[] = []) => [...before, name],
      ),
  checks: (_, role, { domain }) => readRole(role, domain),
  does: (
    { accounts, cli }: AccountsPlace,
    email: string,
    role: string,
    { domain }: { domain?: readonly string[] },
  ) => setAccountRole(accounts, email, readRole(role, domain), cli.now()),
  prints: (cli, user) => cli.note(`The account ${user.email} is now: ${roleInWords(user)}.`),
})

const reset = accountsCommand({
  name: 'reset-second-factor',
  description:
    'Turn the second factor of an account off and sign it out of every browser, for an owner who lost the authenticator app and the recovery codes. Make sure that it is the owner who asks.',
  takes: takesEmail,
  does: ({ accounts, cli }: AccountsPlace, email: string) => resetSecondFactor(accounts, email, cli.now()),
  prints: (cli, { email }) =>
    cli.note(`The account ${email} signs in with its password alone, and is signed out everywhere.`),
})

const signOut = accountsCommand({
  name: 'sign-out',
  description: 'Sign an account out of every browser. Its password and API keys stay.',
  takes: takesEmail,
  does: ({ accounts, cli }: AccountsPlace, email: string) => signOutAccount(accounts, email, cli.now()),
  prints: (cli, { email }) => cli.note(`The account ${email} is signed out everywhere.`),
})

const remove = accountsCommand({
  name: 'delete',
  description: 'Delete an account with its keys, sessions, usage and logs. Its keys are refused at once.',
  takes: takesEmail,
  confirms: async ({ accounts }: AccountsPlace, email: string) => {
    await requireAccount(accounts, email)
    return `This deletes the account ${email} with its keys, usage and logs for good.`
  },
  does: async ({ accounts, usage, cli }: AccountsPlace, email: string) => {
    const deleted = await deleteAccountOf(accounts, email, cli.now())
    await finishDeletions(accounts, usage)
    await accounts.emptyLog()
    return deleted
  },
  json: (deleted) => ({ deleted: true, ...deleted }),
  prints: (cli, _, email) => cli.note(`The account ${email} is deleted.`),
})

export const users = groupOf(
  'users',
  'List, show, create, verify, sign out and delete accounts, set their plan and role, and reset their second factor.',
  [list, show, create, verify, setPlan, setRole, reset, signOut, remove],
)

/** `reader`, `operator`, `publisher of all domains`, `publisher of economy, health`. */
function roleInWords({ role, publisher_domains }: User): string {
  if (role !== 'publisher') return role
  return `${role} of ${publisher_domains?.join(', ') ?? 'all domains'}`
}

function printUser(cli: Cli, user: User, more: Readonly<Record<string, string | null>> = {}): void {
  const { role: _, publisher_domains, ...own } = user
  const facts = Object.entries({ ...own, role: roleInWords(user), ...more })
  printFacts(
    cli,
    facts.map(([name, value]) => [name, typeof value === 'boolean' ? yesOrNo(value) : value]),
  )
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no'
}

function parseLanguage(text: string): Language {
  const known = LANGUAGES.find((language) => language === text)
  if (known) return known
  throw new CommandError('usage', `the language is one of ${LANGUAGES.join(', ')}, not "${text}"`)
}

function readRole(role: string, domains: readonly string[] | undefined): GivenRole {
  if (role === 'publisher')
    return { role, publisher_domains: domains ? [...new Set(domains.map(requireDomain))].sort() : null }
  const known = ROLES.find((one) => one === role)
  if (known === undefined)
    throw new CommandError('usage', `the role is one of ${ROLES.join(', ')}, not "${role}"`)
  if (domains !== undefined)
    throw new CommandError(
      'usage',
      '--domain belongs to publishers: a reader has no domains, an operator all',
    )
  return { role: known, publisher_domains: known === 'operator' ? null : [] }
}
