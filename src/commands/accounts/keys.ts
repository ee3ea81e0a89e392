/** izvor keys …: the operator's API keys. */

import { type Command, InvalidArgumentError } from 'commander'
import { OPERATOR } from '../../accounts/audit/audit.ts'
import type { Key, KeyWithSecret } from '../../accounts/keys/key-rows.ts'
import { deleteKey, listKeys, mintKey, renameKey, revokeKey, rotateKey } from '../../accounts/keys/keys.ts'
import { requireKnownScopes } from '../../accounts/keys/scope-places.ts'
import { type KeyTerms, MOST_SCOPES, readExpiry, readScopeList } from '../../accounts/keys/scopes.ts'
import { finishDeletions } from '../../accounts/keys/tombstones.ts'
import { listKeyOwners, requireAccount } from '../../accounts/people/operator.ts'
import type { Use } from '../../accounts/usage/dataset-use.ts'
import type { Config } from '../../base/config/config.ts'
import { CommandError } from '../../base/errors.ts'
import type { Cli } from '../cli/cli.ts'
import { type AccountsPlace, accountsCommand, groupOf, parseCountingNumber } from '../cli/command-row.ts'
import { withCatalog } from '../cli/folder.ts'
import { formatBytes, printFacts, printTable } from '../cli/print.ts'
import { sumUse, USE_DAYS, useOf } from '../cli/use.ts'

const takesId = (command: Command) => command.argument('<id>', 'the key_id', parseCountingNumber)

const mint = accountsCommand({
  name: 'mint',
  description: 'Create an API key. Its secret is printed once and not stored.',
  takes: (command) =>
    addTermOptions(
      command
        .option(
          '--plan <name>',
          "the plan it is minted on, with a quota of its own (default with --email: the account's)",
        )
        .option('--label <text>', 'a name for people, 1 to 100 characters', 'operator key')
        .option(
          '--email <account>',
          'the account that may see and revoke it; it does not count towards its active keys',
        ),
    ),
  creates: true,
  checks: ({ plan, email }) => {
    if (plan === undefined && email === undefined)
      throw new CommandError(
        'usage',
        'name a plan with --plan (free, institution, unlimited, or one of your own: izvor plans list), or an account with --email',
      )
  },
  does: async (
    { accounts, cli, config }: AccountsPlace,
    options: GivenTerms & { plan?: string; label: string; email?: string },
  ) => {
    const { plan, label, email } = options
    await refuseUnknown(config, options)
    const userId = email === undefined ? undefined : (await requireAccount(accounts, email)).id
    return await mintKey(accounts, OPERATOR, { plan, label, userId, ...termsOf(options) }, cli.now())
  },
  prints: printSecret,
})

const list = accountsCommand({
  name: 'list',
  description: 'List all keys.',
  takes: (command) =>
    command.option('--usage', `with the use of datasets by each in the last ${USE_DAYS} days`),
  does: async ({ accounts, usage, cli }: AccountsPlace, asked: { usage?: true }) => {
    const keys = await listKeys(accounts, OPERATOR, (id) => usage.lastUsed(id))
    const owners = await listKeyOwners(accounts)
    const found = asked.usage && (await useOf(usage, { by: ['key', 'dataset', 'format'] }, cli.now()))
    const useOfKeys = Map.groupBy(found?.rows ?? [], ({ key_id }) => key_id)
    return keys.map((key) => ({
      key,
      owner: owners.get(key.key_id),
      use: useOfKeys.get(key.key_id) ?? [],
    }))
  },
  json: (found, { usage }) =>
    found.map(({ key, owner, use }) => ({
      ...key,
      user_id: owner?.id ?? null,
      ...(usage && { usage: use.map(({ key_id: _, ...one }) => one) }),
    })),
  prints: (cli, found, { usage }) => {
    if (found.length === 0) return cli.note('There are no keys yet: izvor keys mint --plan PLAN.')
    const keys = found.map(({ key, owner, use }) => ({
      ...key,
      account: owner?.email ?? null,
      use: usage ? sumUse(use) : null,
    }))
    printKeys(cli, keys)
  },
})

const rename = accountsCommand({
  name: 'rename',
  description:
    'Change the label of a key, when it expires, what it may do, or its quota. Its secret stays; what is not named stays too.',
  takes: (command) =>
    addTermOptions(takesId(command).option('--label <text>', 'a name for people, 1 to 100 characters')),
  checks: (_, { label, ...options }) => {
    if (label === undefined && Object.keys(termsOf(options)).length === 0)
      throw new CommandError('usage', 'name what changes: --label, --expires-at, --scopes or --monthly-quota')
  },
  does: async (
    { accounts, usage, cli, config }: AccountsPlace,
    id: number,
    options: GivenTerms & { label?: string },
  ) => {
    const { label } = options
    await refuseUnknown(config, options)
    const change = { ...(label !== undefined && { label }), ...termsOf(options) }
    return renameKey(accounts, OPERATOR, id, change, (keyId) => usage.lastUsed(keyId), cli.now())
  },
  prints: (cli, key) => printFacts(cli, factsOf(key)),
})

const rotate = accountsCommand({
  name: 'rotate',
  description: 'Replace the secret of a key; the old one stops working at once, the key stays the same.',
  takes: takesId,
  does: ({ accounts, usage, cli }: AccountsPlace, id: number) =>
    rotateKey(accounts, OPERATOR, id, (keyId) => usage.lastUsed(keyId), cli.now()),
  prints: printSecret,
})

const revoke = accountsCommand({
  name: 'revoke',
  description: 'Revoke a key. A running service refuses it from the next request on.',
  takes: takesId,
  confirms: (_: AccountsPlace, id: number) => `This revokes key ${id}; it cannot be made active again.`,
  does: ({ accounts, usage, cli }: AccountsPlace, id: number) =>
    revokeKey(accounts, OPERATOR, id, (keyId) => usage.lastUsed(keyId), cli.now()),
  prints: (cli, { label }, id) => cli.note(`Key ${id} (${label}) is revoked.`),
})

const remove = accountsCommand({
  name: 'delete',
  description: 'Delete a revoked key together with its usage records.',
  takes: takesId,
  confirms: (_: AccountsPlace, id: number) => `This deletes key ${id} and its usage records for good.`,
  does: async ({ accounts, usage, cli }: AccountsPlace, id: number) => {
    await deleteKey(accounts, OPERATOR, id, cli.now())
    await finishDeletions(accounts, usage)
  },
  json: (_, id) => ({ deleted: true, key_id: id }),
  prints: (cli, _, id) => cli.note(`Key ${id} is deleted.`),
})

export const keys = groupOf('keys', 'Mint, list, rename, rotate, revoke and delete API keys.', [
  mint,
  list,
  rename,
  rotate,
  revoke,
  remove,
])

function printSecret(cli: Cli, key: KeyWithSecret): void {
  printFacts(cli, [...factsOf(key), ['secret', key.secret]])
  cli.note('The secret is shown this once: only its hash is kept.')
}

function factsOf(key: Key): [string, string | number | null][] {
  return [
    ['key_id', String(key.key_id)],
    ['label', key.label],
    ['plan', key.plan],
    ['scopes', key.scopes.join(', ')],
    ['expires_at', key.expires_at],
    ['monthly_quota', key.monthly_quota],
  ]
}

function printKeys(cli: Cli, keys: readonly (Key & { account: string | null; use: Use | null })[]): void {
  printTable(cli, keys, {
    key_id: (key) => String(key.key_id),
    label: 'label',
    account: 'account',
    state: 'state',
    plan: 'plan',
    scopes: (key) => key.scopes.join(', '),
    quota: 'monthly_quota',
    expires: 'expires_at',
    hint: 'hint',
    created: 'created_at',
    'last used': (key) => key.last_used_at ?? 'never',
    rotated: 'rotated_at',
    revoked: 'revoked_at',
    ...(keys.some(({ use }) => use !== null) && {
      calls: ({ use }: { use: Use | null }) => use?.calls ?? 0,
      rows: ({ use }: { use: Use | null }) => use?.rows ?? 0,
      sent: ({ use }: { use: Use | null }) => formatBytes(use?.bytes ?? 0),
    }),
  })
}

/** Commander turns null into an empty text, so `none` stays a word until `termsOf` reads it. */
interface GivenTerms {
  readonly expiresAt?: string
  readonly scopes?: readonly string[]
  /** Whether scopes may name domains and datasets that do not exist yet. */
  readonly newScopes?: true
  readonly monthlyQuota?: number | 'none'
}

const NONE = 'none'

function addTermOptions(command: Command): Command {
  return command
    .option(
      '--expires-at <time>',
      'when it stops working: a datetime (2026-12-31T18:00:00Z), a date (its midnight in UTC), or none',
      (text) => {
        const expiry = text === NONE ? text : readExpiry(text)
        if (expiry !== undefined) return expiry
        throw new InvalidArgumentError('It is a datetime such as 2026-12-31T18:00:00Z, a date, or none.')
      },
    )
    .option(
      '--scopes <list>',
      'what it may do, between commas: read, read:DOMAIN, read:DOMAIN/DATASET, publish, publish:DOMAIN',
      (text) => {
        const scopes = readScopeList(text.split(',').map((scope) => scope.trim()))
        if (scopes !== undefined) return scopes
        throw new InvalidArgumentError(
          `It is a list of 1 to ${MOST_SCOPES} of read, read:DOMAIN, read:DOMAIN/DATASET, publish, publish:DOMAIN.`,
        )
      },
    )
    .option('--new-scopes', 'accept scopes of domains and datasets that are not there yet')
    .option('--monthly-quota <n>', 'calls a month within the quota of its plan, or none', (text) =>
      text === NONE ? text : parseCountingNumber(text),
    )
}

async function refuseUnknown(config: Config, { scopes = [], newScopes }: GivenTerms): Promise<void> {
  if (newScopes || !scopes.some((scope) => scope.includes(':'))) return
  await withCatalog(config, (catalog) => requireKnownScopes(catalog, scopes))
}

function termsOf({ expiresAt, scopes, monthlyQuota }: GivenTerms): Partial<KeyTerms> {
  return {
    ...(expiresAt !== undefined && { expires_at: expiresAt === NONE ? null : expiresAt }),
    ...(scopes !== undefined && { scopes }),
    ...(monthlyQuota !== undefined && { monthly_quota: monthlyQuota === NONE ? null : monthlyQuota }),
  }
}
