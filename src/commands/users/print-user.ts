/** How an account is shown to people. */

import type { User } from '../../accounts/people/user.ts'
import type { Cli } from '../cli/cli.ts'
import { printFacts } from '../cli/print.ts'

/** `reader`, `publisher of all domains`, `publisher of economy, health`. */
export function roleInWords({ role, publisher_domains }: User): string {
  if (role === 'reader') return role
  return `${role} of ${publisher_domains?.join(', ') ?? 'all domains'}`
}

/** @param more facts that follow the account's own; one without a value is left out */
export function printUser(cli: Cli, user: User, more: Readonly<Record<string, string | null>> = {}): void {
  const { role: _, publisher_domains, ...own } = user
  const facts = Object.entries({ ...own, role: roleInWords(user), ...more })
  printFacts(
    cli,
    facts.map(([name, value]) => [name, typeof value === 'boolean' ? (value ? 'yes' : 'no') : value]),
  )
}
