/** izvor plans …: the limits of keys and accounts. */

import type { Command } from 'commander'
import type { Cli } from './cli/cli.ts'
import { addPlansList } from './plans/list.ts'
import { addPlansSet } from './plans/set.ts'

export function addPlans(program: Command, cli: Cli): void {
  const plans = program.command('plans').description('List and change plans.')
  addPlansList(plans, cli)
  addPlansSet(plans, cli)
}
