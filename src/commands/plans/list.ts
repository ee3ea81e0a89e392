/** izvor plans list [--json]: every plan with its limits. */

import type { Command } from 'commander'
import { listPlans } from '../../accounts/keys/plans.ts'
import type { Cli } from '../cli/cli.ts'
import { findFolder, withAccounts } from '../cli/folder.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'
import { printPlans } from './print-plan.ts'

export function addPlansList(plans: Command, cli: Cli): void {
  const command = plans.command('list').description('List all plans.').option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (options: { json?: true }) => {
    const config = readSettings(cli, options).values
    const folder = findFolder(config)
    const found = await withAccounts(config, folder, (accounts) => listPlans(accounts))
    if (options.json) printJson(cli, found)
    else printPlans(cli, found)
  })
}
