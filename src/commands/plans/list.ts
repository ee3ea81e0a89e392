/** izvor plans list [--json]: every plan with its limits. */

import type { Command } from 'commander'
import { listPlans } from '../../keys/plans.ts'
import type { Cli } from '../cli.ts'
import { findFolder, withAccounts } from '../folder.ts'
import { printJson } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'
import { printPlans } from './print-plan.ts'

export function addPlansList(plans: Command, cli: Cli): void {
  const command = plans.command('list').description('List all plans.').option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action((options: { json?: true }) => {
    const folder = findFolder(readSettings(cli, options).values)
    const found = withAccounts(folder, (accounts) => listPlans(accounts))
    if (options.json) printJson(cli, found)
    else printPlans(cli, found)
  })
}
