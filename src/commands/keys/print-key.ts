/** How keys are shown to people. */

import type { Key, KeyWithSecret } from '../../accounts/keys/key-rows.ts'
import type { Use } from '../../accounts/usage/dataset-use.ts'
import type { Cli } from '../cli/cli.ts'
import { formatBytes, printFacts, printTable } from '../cli/print.ts'

/** Prints a new secret with its key: the secret on standard output, the warning beside it. */
export function printSecret(cli: Cli, key: KeyWithSecret): void {
  printFacts(cli, [...factsOf(key), ['secret', key.secret]])
  cli.note('The secret is shown this once: only its hash is kept.')
}

/** Prints a key that was changed. */
export function printKey(cli: Cli, key: Key): void {
  printFacts(cli, factsOf(key))
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

interface ListedKey extends Key {
  readonly account: string | null
  /** null: not asked for. */
  readonly use: Use | null
}

export function printKeys(cli: Cli, keys: readonly ListedKey[]): void {
  const use = [
    { title: 'calls', value: (key: ListedKey) => key.use?.calls ?? 0 },
    { title: 'rows', value: (key: ListedKey) => key.use?.rows ?? 0 },
    { title: 'sent', value: (key: ListedKey) => formatBytes(key.use?.bytes ?? 0) },
  ]
  printTable(cli, keys, [
    { title: 'key_id', value: (key) => String(key.key_id) },
    { title: 'label', value: (key) => key.label },
    { title: 'account', value: (key) => key.account },
    { title: 'state', value: (key) => key.state },
    { title: 'plan', value: (key) => key.plan },
    { title: 'scopes', value: (key) => key.scopes.join(', ') },
    { title: 'quota', value: (key) => key.monthly_quota },
    { title: 'expires', value: (key) => key.expires_at },
    { title: 'hint', value: (key) => key.hint },
    { title: 'created', value: (key) => key.created_at },
    { title: 'last used', value: (key) => key.last_used_at ?? 'never' },
    { title: 'rotated', value: (key) => key.rotated_at },
    { title: 'revoked', value: (key) => key.revoked_at },
    ...(keys.some((key) => key.use !== null) ? use : []),
  ])
}
