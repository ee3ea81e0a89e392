/** Plans: what keys and accounts may do. Rows of `accounts.db`, so that a change reaches every process at once. */

import { asc, eq, getTableColumns } from 'drizzle-orm'
import { ApiError, CommandError } from '../../base/errors.ts'
import { type AccountsDb, type DbReading, inTransaction } from '../../db/accounts.ts'
import { plans, users } from '../../db/schema/accounts-schema.ts'
import { OPERATOR, recordEvent } from '../audit/audit.ts'

/** A plan as commands show it. A limit of null means no limit. */
export type Plan = typeof plans.$inferSelect

const NAME_SHAPE = /^[a-z][a-z0-9_-]{0,31}$/

/** All plans, by name. */
export function listPlans(db: DbReading): Promise<Plan[]> {
  return db.select().from(plans).orderBy(asc(plans.name)).execute()
}

/** @throws CommandError `usage` when there is no such plan; its message names the plans */
export async function requirePlan(db: DbReading, name: string): Promise<Plan> {
  const all = await listPlans(db)
  const found = all.find((plan) => plan.name === name)
  if (found) return found
  const known = all.map((plan) => plan.name).join(', ')
  throw new CommandError('usage', `there is no plan ${name}; the plans are ${known}`)
}

/**
 * Changes the given limits of a plan, or makes a plan when all three are given. Keys beyond a lower limit stay active.
 * @throws CommandError `usage` for a new plan with a limit missing, or a name that is not `[a-z][a-z0-9_-]*`
 */
export function setPlan(
  db: AccountsDb,
  name: string,
  limits: Partial<Omit<Plan, 'name'>>,
  now: Date,
  by = OPERATOR,
) {
  return inTransaction(db, async (tx) => {
    const all = await listPlans(tx)
    const before = all.find((plan) => plan.name === name)
    const plan = before ? { ...before, ...limits } : newPlan(all, name, limits)
    await tx.insert(plans).values(plan).onConflictDoUpdate({ target: plans.name, set: plan })
    await recordEvent(tx, { actor: by, event: 'plan_changed', detail: name }, now)
    return plan
  })
}

function newPlan(all: readonly Plan[], name: string, limits: Partial<Omit<Plan, 'name'>>): Plan {
  const { monthly_quota, max_active_keys, per_minute } = limits
  if (monthly_quota === undefined || max_active_keys === undefined || per_minute === undefined) {
    const known = all.map((plan) => plan.name).join(', ')
    throw new CommandError(
      'usage',
      `there is no plan ${name} (there are ${known}); a new one needs --monthly-quota, --max-active-keys and --per-minute`,
    )
  }
  if (!NAME_SHAPE.test(name)) {
    throw new CommandError('usage', `a plan's name is lower-case letters, digits, - and _, not "${name}"`)
  }
  return { name, monthly_quota, max_active_keys, per_minute }
}

/**
 * The plan an account is on.
 * @throws ApiError `unauthenticated` when the account has just been deleted
 */
export async function requireAccountPlan(db: DbReading, userId: number): Promise<Plan> {
  const [plan] = await db
    .select(getTableColumns(plans))
    .from(plans)
    .innerJoin(users, eq(users.plan, plans.name))
    .where(eq(users.id, userId))
  if (!plan) throw new ApiError('unauthenticated', 'This account no longer exists.')
  return plan
}
