/** izvor users …: accounts. */

import type { Command } from 'commander'
import type { Cli } from './cli/cli.ts'
import { addUsersCreate } from './users/create.ts'
import { addUsersDelete } from './users/delete.ts'
import { addUsersList } from './users/list.ts'
import { addUsersResetSecondFactor } from './users/reset-second-factor.ts'
import { addUsersSetPlan } from './users/set-plan.ts'
import { addUsersSetRole } from './users/set-role.ts'
import { addUsersShow } from './users/show.ts'
import { addUsersSignOut } from './users/sign-out.ts'
import { addUsersVerify } from './users/verify.ts'

export function addUsers(program: Command, cli: Cli): void {
  const users = program
    .command('users')
    .description(
      'List, show, create, verify, sign out and delete accounts, set their plan and role, and reset their second factor.',
    )
  addUsersList(users, cli)
  addUsersShow(users, cli)
  addUsersCreate(users, cli)
  addUsersVerify(users, cli)
  addUsersSetPlan(users, cli)
  addUsersSetRole(users, cli)
  addUsersResetSecondFactor(users, cli)
  addUsersSignOut(users, cli)
  addUsersDelete(users, cli)
}
