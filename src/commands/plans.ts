/** izvor plans …: what keys and accounts may do. */

import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { addPlansList } from './plans/list.ts'
import { addPlansSet } from './plans/set.ts'

export function addPlans(program: Command, cli: Cli): void {
  const plans = program.command('plans').description('List and change plans.')
  addPlansList(plans, cli)
  addPlansSet(plans, cli)
}
