/** The state of the service, for operators: datasets, settings, backups, findings and logs (contract 15). */

import { t } from 'elysia'
import { noteEvent, pageEvents } from '../../../accounts/audit/audit.ts'
import { requireKey } from '../../../accounts/keys/key-rows.ts'
import { publisherOfAccount } from '../../../accounts/people/publisher.ts'
import { describeSettings } from '../../../base/config/load.ts'
import { ApiError, CommandError } from '../../../base/errors.ts'
import { formatTimestamp } from '../../../base/text/timestamp.ts'
import { accountHeaders, respondJson } from '../../../http/respond.ts'
import { reportUse } from '../../../publish/published/use.ts'
import { type AccountRoute, accountRoute } from '../../admission/account-route.ts'
import { LOG_PAGE } from '../../bodies/account-bodies.ts'
import { AUDIT_LIST, BACKUPS, FINDINGS, SETTINGS_LIST } from '../../bodies/operate-bodies.ts'
import { PUBLISHED_LIST, USE_REPORT } from '../../bodies/published-bodies.ts'
import { integerParameter, limitParameter, OFFSET, textParameter } from '../../declaration/parameters.ts'
import { pagePublished, USE_QUERY } from '../published-datasets.ts'
import { LOG_QUERY, logQueryOf } from '../usage.ts'
import { by } from './accounts.ts'

/** A backup that takes longer is answered with 202. */
const WAIT_MS = 25_000

const AUDIT_QUERY = t.Object({
  event: textParameter('event', [/^[a-z_]{1,64}$/, 'must be the name of an event'], {
    description: 'Only events of this name.',
    examples: ['key_minted'],
  }),
  user_id: integerParameter(
    'user_id',
    { min: 1, max: Number.MAX_SAFE_INTEGER, fallback: undefined },
    { description: 'Only what this account did as an operator, or what concerns it.', examples: [1] },
  ),
  limit: limitParameter(1000, 100),
  offset: OFFSET,
})

export const OPERATED_SERVICE_ROUTES: readonly AccountRoute[] = [
  accountRoute('operator', 'GET /operate/api/datasets', {
    id: 'listOperatedDatasets',
    summary: 'List all datasets, with their last failure',
    query: t.Object({ limit: limitParameter(200, 50), offset: OFFSET }),
    success: [200, PUBLISHED_LIST],
    answer: ({ app, session, query }) => pagePublished(app, publisherOfAccount(session.body.user), query),
  }),
  accountRoute('operator', 'GET /operate/api/usage', {
    id: 'readUseOfService',
    summary: 'Read who uses the datasets: calls, rows and bytes',
    query: USE_QUERY,
    success: [200, USE_REPORT],
    errors: ['dataset_not_found'],
    answer: ({ app, session, query }) => reportUse(app, publisherOfAccount(session.body.user), query),
  }),
  accountRoute('operator', 'GET /operate/api/settings', {
    id: 'listSettings',
    summary: 'List the settings as the service started with them, with their origin',
    description: 'Secrets are not shown. They are changed in `izvor.toml`, variables and options.',
    success: [200, SETTINGS_LIST],
    answer: ({ app }) => describeSettings(app.settings.inForce),
  }),
  accountRoute('operator', 'GET /operate/api/findings', {
    id: 'listFindings',
    summary: 'List what `izvor doctor --quick` finds, with the remedies',
    description: 'At most half a minute old. Version files are not read: `izvor doctor` does that.',
    success: [200, FINDINGS],
    async answer({ app }) {
      const { at, findings } = await asRefusal(() => app.deskWork.examine())
      return { at: formatTimestamp(at), findings }
    },
  }),
  accountRoute('operator', 'GET /operate/api/backups', {
    id: 'listBackups',
    summary: 'List the backups, newest first, and how the last ones went',
    success: [200, BACKUPS],
    answer: ({ app }) => app.deskWork.backups(),
  }),
  accountRoute('operation', 'POST /operate/api/backups', {
    id: 'makeBackup',
    summary: 'Make a backup in the folder of the settings',
    description:
      'Waits up to 25 seconds; 202 when it takes longer: see `running`. 503 says why there is none. Backups are not sent.',
    success: [201, BACKUPS],
    alsoAnswers: { 202: { says: 'It is still being made.', body: BACKUPS } },
    answer: ({ app, exchange, session }) =>
      asRefusal(async () => {
        const made = app.deskWork.backUp()
        made.catch((error: Error) => app.log.error({ reason: error.message }, 'a backup failed'))
        await noteEvent(app.accounts, { actor: by(session), event: 'backup_started' }, app.now())
        const late = Promise.withResolvers<void>()
        const timer = setTimeout(late.resolve, WAIT_MS)
        await Promise.race([made, late.promise]).finally(() => clearTimeout(timer))
        const backups = app.deskWork.backups()
        if (!backups.running) return backups
        return respondJson(exchange, 202, accountHeaders(exchange), backups)
      }),
  }),
  accountRoute('operator', 'GET /operate/api/audit', {
    id: 'listAudit',
    summary: 'List what was done to accounts, keys, plans and datasets, newest first',
    query: AUDIT_QUERY,
    success: [200, AUDIT_LIST],
    answer: ({ app, query: { user_id: userId, ...query } }) => pageEvents(app.accounts, { ...query, userId }),
  }),
  accountRoute('operator', 'GET /operate/api/logs', {
    id: 'listAllLogs',
    summary: 'List all requests with a key, newest first',
    description: 'They hold addresses of people, so each reading is recorded in the audit log.',
    query: LOG_QUERY,
    success: [200, LOG_PAGE],
    errors: ['key_not_found'],
    async answer({ app, session, query }) {
      const { key_id: keyId = null } = query
      const actor = by(session)
      if (keyId !== null) await requireKey(app.accounts, keyId, actor)
      await noteEvent(app.accounts, { actor, event: 'request_log_read', keyId }, app.now())
      return app.usage.logs.page({ keyIds: keyId === null ? null : [keyId], ...logQueryOf(query) })
    },
  }),
]

/** Turns a command's failure into a refusal with the same message. */
async function asRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CommandError) throw new ApiError('service_unavailable', error.message)
    throw error
  }
}
