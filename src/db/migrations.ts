/** The migrations of each database, oldest first, as text inside the program. New files join the end of their list. */

import accountsFirst from './migrations/accounts/0000_first.sql' with { type: 'text' }
import accountsPlans from './migrations/accounts/0001_plans.sql' with { type: 'text' }
import accountsAccounts from './migrations/accounts/0002_accounts.sql' with { type: 'text' }
import accountsAudit from './migrations/accounts/0003_audit_append_only.sql' with { type: 'text' }
import accountsNetworks from './migrations/accounts/0004_sign_in_networks.sql' with { type: 'text' }
import accountsRoles from './migrations/accounts/0005_roles_and_scopes.sql' with { type: 'text' }
import accountsAlerts from './migrations/accounts/0006_alerts.sql' with { type: 'text' }
import accountsSecondFactor from './migrations/accounts/0007_second_factor.sql' with { type: 'text' }
import catalogFirst from './migrations/catalog/0000_first.sql' with { type: 'text' }
import catalogSearch from './migrations/catalog/0001_search.sql' with { type: 'text' }
import catalogSources from './migrations/catalog/0002_sources.sql' with { type: 'text' }
import catalogRefusals from './migrations/catalog/0003_refusals.sql' with { type: 'text' }
import catalogOpenPages from './migrations/catalog/0004_open_pages.sql' with { type: 'text' }
import catalogDrafts from './migrations/catalog/0005_drafts.sql' with { type: 'text' }
import catalogSchedules from './migrations/catalog/0006_set_schedules.sql' with { type: 'text' }
import catalogDraftRestarts from './migrations/catalog/0007_draft_restarts.sql' with { type: 'text' }
import catalogFailureReasons from './migrations/catalog/0008_failure_reasons.sql' with { type: 'text' }
import catalogTakenDown from './migrations/catalog/0009_taken_down.sql' with { type: 'text' }
import usageFirst from './migrations/usage/0000_first.sql' with { type: 'text' }
import usageRequestLogs from './migrations/usage/0001_request_logs.sql' with { type: 'text' }
import usageLogIds from './migrations/usage/0002_log_ids.sql' with { type: 'text' }
import usageDatasets from './migrations/usage/0003_dataset_usage.sql' with { type: 'text' }

export const ACCOUNTS_MIGRATIONS: readonly string[] = [
  accountsFirst,
  accountsPlans,
  accountsAccounts,
  accountsAudit,
  accountsNetworks,
  accountsRoles,
  accountsAlerts,
  accountsSecondFactor,
]
export const CATALOG_MIGRATIONS: readonly string[] = [
  catalogFirst,
  catalogSearch,
  catalogSources,
  catalogRefusals,
  catalogOpenPages,
  catalogDrafts,
  catalogSchedules,
  catalogDraftRestarts,
  catalogFailureReasons,
  catalogTakenDown,
]
export const USAGE_MIGRATIONS: readonly string[] = [usageFirst, usageRequestLogs, usageLogIds, usageDatasets]

/** By name of the database's file. */
export const SCHEMAS = {
  accounts: ACCOUNTS_MIGRATIONS,
  catalog: CATALOG_MIGRATIONS,
  usage: USAGE_MIGRATIONS,
} as const
