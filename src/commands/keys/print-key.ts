/** How keys are shown to people. */

import type { Key, KeyWithSecret } from '../../keys/key-rows.ts'
import type { Cli } from '../cli.ts'
import { printFacts, printTable } from '../print.ts'

/** Prints a new secret with its key: the secret on standard output, the warning beside it. */
export function printSecret(cli: Cli, key: KeyWithSecret): void {
  printFacts(cli, [
    ['key_id', String(key.key_id)],
    ['label', key.label],
    ['plan', key.plan],
    ['secret', key.secret],
  ])
  cli.note('The secret is shown this once: only its hash is kept.')
}

export function printKeys(cli: Cli, keys: readonly (Key & { readonly account: string | null })[]): void {
  printTable(cli, keys, [
    { title: 'key_id', value: (key) => String(key.key_id) },
    { title: 'label', value: (key) => key.label },
    { title: 'account', value: (key) => key.account },
    { title: 'state', value: (key) => key.state },
    { title: 'plan', value: (key) => key.plan },
    { title: 'hint', value: (key) => key.hint },
    { title: 'created', value: (key) => key.created_at },
    { title: 'last used', value: (key) => key.last_used_at ?? 'never' },
    { title: 'rotated', value: (key) => key.rotated_at },
    { title: 'revoked', value: (key) => key.revoked_at },
  ])
}
