/** How an account is shown to people. */

import type { User } from '../../accounts/user.ts'
import type { Cli } from '../cli.ts'
import { printFacts } from '../print.ts'

/** @param more facts that follow the account's own; one without a value is left out */
export function printUser(cli: Cli, user: User, more: Readonly<Record<string, string | null>> = {}): void {
  const facts = Object.entries({ ...user, ...more })
  printFacts(
    cli,
    facts.map(([name, value]) => [name, typeof value === 'boolean' ? (value ? 'yes' : 'no') : value]),
  )
}
