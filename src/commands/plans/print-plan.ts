/** How plans are shown to people. */

import type { Plan } from '../../accounts/keys/plans.ts'
import type { Cli } from '../cli/cli.ts'
import { printTable } from '../cli/print.ts'

export function printPlans(cli: Cli, plans: readonly Plan[]): void {
  printTable(cli, plans, [
    { title: 'plan', value: (plan) => plan.name },
    { title: 'calls a month', value: (plan) => plan.monthly_quota ?? 'no limit' },
    { title: 'active keys', value: (plan) => plan.max_active_keys ?? 'no limit' },
    { title: 'requests a minute', value: (plan) => plan.per_minute ?? 'no limit' },
  ])
}
