/** izvor plans …: the limits of keys and accounts. */

import { InvalidArgumentError } from 'commander'
import { listPlans, type Plan, setPlan } from '../../accounts/keys/plans.ts'
import { CommandError } from '../../base/errors.ts'
import type { Cli } from '../cli/cli.ts'
import { type AccountsPlace, accountsCommand, groupOf } from '../cli/command-row.ts'
import { printTable } from '../cli/print.ts'

const list = accountsCommand({
  name: 'list',
  description: 'List all plans.',
  does: ({ accounts }: AccountsPlace) => listPlans(accounts),
  prints: printPlans,
})

/** Commander turns null into an empty text, so "no limit" stays a word until `limitsOf` reads it. */
type GivenLimits = { readonly [option in 'monthlyQuota' | 'maxActiveKeys' | 'perMinute']?: number | 'none' }

const set = accountsCommand({
  name: 'set',
  description:
    'Change the given limits of a plan, or make a new one with all three. A running service follows at once.',
  takes: (command) =>
    command
      .argument('<name>', 'the plan')
      .option('--monthly-quota <n>', 'calls a month, or none for no limit', parseLimit)
      .option(
        '--max-active-keys <n>',
        'active keys that an account may have, or none for no limit',
        parseLimit,
      )
      .option('--per-minute <n>', 'requests a minute, or none for no limit', parseLimit),
  creates: true,
  checks: (_, options) => {
    if (Object.keys(limitsOf(options)).length === 0)
      throw new CommandError(
        'usage',
        'name at least one limit to set: --monthly-quota, --max-active-keys or --per-minute',
      )
  },
  does: ({ accounts, cli }: AccountsPlace, name: string, options: GivenLimits) =>
    setPlan(accounts, name, limitsOf(options), cli.now()),
  prints: (cli, plan) => printPlans(cli, [plan]),
})

export const plans = groupOf('plans', 'List and change plans.', [list, set])

function printPlans(cli: Cli, plans: readonly Plan[]): void {
  printTable(cli, plans, {
    plan: 'name',
    'calls a month': (plan) => plan.monthly_quota ?? 'no limit',
    'active keys': (plan) => plan.max_active_keys ?? 'no limit',
    'requests a minute': (plan) => plan.per_minute ?? 'no limit',
  })
}

function limitsOf({ monthlyQuota, maxActiveKeys, perMinute }: GivenLimits) {
  return {
    ...(monthlyQuota !== undefined && { monthly_quota: limitOf(monthlyQuota) }),
    ...(maxActiveKeys !== undefined && { max_active_keys: limitOf(maxActiveKeys) }),
    ...(perMinute !== undefined && { per_minute: limitOf(perMinute) }),
  }
}

function parseLimit(text: string): number | 'none' {
  if (text === 'none') return text
  if (/^(0|[1-9]\d{0,14})$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It is a whole number, or none.')
}

function limitOf(given: number | 'none'): number | null {
  return given === 'none' ? null : given
}
