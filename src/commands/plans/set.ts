/** izvor plans set NAME [--monthly-quota N] [--max-active-keys N] [--per-minute N] [--json]: changes or makes a plan. */

import { type Command, InvalidArgumentError } from 'commander'
import { setPlan } from '../../accounts/keys/plans.ts'
import { CommandError } from '../../base/errors.ts'
import type { Cli } from '../cli/cli.ts'
import { createFolder, withAccounts } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'
import { printPlans } from './print-plan.ts'

/** Commander turns null into an empty text, so "no limit" stays a word until here. */
type Given = { readonly [option in 'monthlyQuota' | 'maxActiveKeys' | 'perMinute']?: number | 'none' } & {
  readonly json?: true
}

export function addPlansSet(plans: Command, cli: Cli): void {
  const command = plans
    .command('set')
    .description(
      'Change the given limits of a plan, or make a new one with all three. A running service follows at once.',
    )
    .argument('<name>', 'the plan')
    .option('--monthly-quota <n>', 'calls a month, or none for no limit', parseLimit)
    .option(
      '--max-active-keys <n>',
      'keys of the console that may be active, or none for no limit',
      parseLimit,
    )
    .option('--per-minute <n>', 'requests a minute, or none for no limit', parseLimit)
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (name: string, options: Given) => {
    const { monthlyQuota, maxActiveKeys, perMinute } = options
    const limits = {
      ...(monthlyQuota !== undefined && { monthly_quota: limitOf(monthlyQuota) }),
      ...(maxActiveKeys !== undefined && { max_active_keys: limitOf(maxActiveKeys) }),
      ...(perMinute !== undefined && { per_minute: limitOf(perMinute) }),
    }
    if (Object.keys(limits).length === 0)
      throw new CommandError(
        'usage',
        'name at least one limit to set: --monthly-quota, --max-active-keys or --per-minute',
      )
    const config = readSettings(cli, options).values
    const folder = createFolder(config, cli.note)
    const plan = await withAccounts(config, folder, (accounts) => setPlan(accounts, name, limits, cli.now()))
    if (options.json) printJson(cli, plan)
    else printPlans(cli, [plan])
  })
}

function parseLimit(text: string): number | 'none' {
  if (text === 'none') return text
  if (/^(0|[1-9]\d{0,14})$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It is a whole number, or none.')
}

/** null: no limit. */
function limitOf(given: number | 'none'): number | null {
  return given === 'none' ? null : given
}
