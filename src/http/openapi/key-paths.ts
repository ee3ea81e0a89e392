/** API keys and their usage: the routes of `keys/routes.ts` and `usage/routes.ts`, described. */

import { byOwner, byReader } from './account-operations.ts'
import { queryParameter } from './parameters.ts'
import type { ErrorExample } from './responses.ts'
import type { Node } from './schemas.ts'

const KEYS = '/account/api/keys'

const KEY_ID: Node = {
  ...{ name: 'key_id', in: 'path', required: true, schema: { type: 'integer' }, example: 1 },
  description: 'Id of the key.',
}
const NO_KEY: ErrorExample = { code: 'key_not_found', message: 'There is no key 7.' }
const NO_INTEGER: ErrorExample = {
  code: 'invalid_value',
  message: 'The key_id in the path must be an integer.',
}

export function keyPaths(): Record<string, Node> {
  const one = `${KEYS}/{key_id}`
  return {
    [KEYS]: {
      get: byReader(KEYS, {
        ...{ operationId: 'listKeys', tag: 'API keys', summary: 'List the API keys' },
        success: [200, ['Key']],
      }),
      post: byOwner(KEYS, {
        ...{ operationId: 'mintKey', tag: 'API keys', summary: "Mint a key on the account's plan" },
        description: 'The only answer that holds the secret; keep it.',
        ...{ success: [201, 'KeyWithSecret'], body: ['LabelRequest', { label: 'Mobility portal' }] },
        errors: [
          {
            code: 'key_limit_reached',
            message: 'The free plan allows 5 active keys; revoke one to make another.',
          },
        ],
      }),
    },
    [`${KEYS}/rotate-all`]: {
      post: byOwner(`${KEYS}/rotate-all`, {
        ...{
          operationId: 'rotateAllKeys',
          tag: 'API keys',
          summary: 'Replace the secrets of all active keys',
        },
        description: 'All or none; revoked keys are left alone. The old secrets stop working at once.',
        success: [200, ['KeyWithSecret']],
      }),
    },
    [one]: {
      patch: byOwner(one, {
        ...{ operationId: 'renameKey', tag: 'API keys', summary: 'Change the label; the secret stays' },
        ...{ success: [200, 'Key'], body: ['LabelRequest', { label: 'Mobility portal, staging' }] },
        ...{ parameters: [KEY_ID], errors: [NO_KEY, NO_INTEGER] },
      }),
      delete: byOwner(one, {
        ...{
          operationId: 'deleteKey',
          tag: 'API keys',
          summary: 'Remove a revoked key with its usage records',
        },
        ...{ success: [204], parameters: [KEY_ID] },
        errors: [
          ...[NO_KEY, NO_INTEGER],
          { code: 'key_not_revoked', message: 'Key 7 is active; revoke it before deleting it.' },
        ],
      }),
    },
    ...keyActionPaths(one),
  }
}

function keyActionPaths(one: string): Record<string, Node> {
  return {
    [`${one}/rotate`]: {
      post: byOwner(`${one}/rotate`, {
        ...{ operationId: 'rotateKey', tag: 'API keys', summary: 'Replace the secret' },
        description: 'The old secret stops working at once; identity and usage stay.',
        ...{ success: [200, 'KeyWithSecret'], parameters: [KEY_ID] },
        errors: [
          ...[NO_KEY, NO_INTEGER],
          { code: 'key_not_active', message: 'Key 7 is revoked; a revoked key cannot be rotated.' },
        ],
      }),
    },
    [`${one}/revoke`]: {
      post: byOwner(`${one}/revoke`, {
        ...{ operationId: 'revokeKey', tag: 'API keys', summary: 'Refuse the key from now on' },
        description: 'Its row and usage stay. Revoking again changes nothing.',
        ...{ success: [204], parameters: [KEY_ID], errors: [NO_KEY, NO_INTEGER] },
      }),
    },
  }
}

export function usagePaths(): Record<string, Node> {
  const [summary, daily] = ['/account/api/usage/summary', '/account/api/usage/daily']
  const [logs, statistics] = ['/account/api/logs', '/account/api/logs/stats']
  return {
    [summary]: {
      get: byReader(summary, {
        ...{ operationId: 'summariseUsage', tag: 'Usage', summary: 'Calls of this month and day, live' },
        success: [200, 'UsageSummary'],
      }),
    },
    [daily]: {
      get: byReader(daily, {
        ...{
          operationId: 'listDailyUsage',
          tag: 'Usage',
          summary: 'Calls per day, zero-filled; today is live',
        },
        ...{ success: [200, 'DailyUsage'], parameters: [daysParameter(30)], errors: daysErrors(daily) },
      }),
    },
    [logs]: {
      get: byReader(logs, {
        ...{ operationId: 'listLogs', tag: 'Usage', summary: 'List authenticated requests, newest first' },
        ...{ success: [200, 'LogPage'], parameters: logParameters(), errors: logErrors(logs) },
      }),
    },
    [statistics]: {
      get: byReader(statistics, {
        ...{
          operationId: 'summariseLogs',
          tag: 'Usage',
          summary: 'Requests by endpoint, status and address',
        },
        success: [200, 'LogStatistics'],
        ...{ parameters: [daysParameter(7)], errors: daysErrors(statistics) },
      }),
    },
  }
}

function daysParameter(byDefault: number): Node {
  const schema = { type: 'integer', minimum: 1, maximum: 92, default: byDefault }
  return queryParameter('days', 'Days up to today, UTC.', schema, 14)
}

function daysErrors(path: string): ErrorExample[] {
  return [
    {
      code: 'invalid_value',
      message: 'Parameter "days" must be an integer from 1 to 92, not "93".',
      request: `${path}?days=93`,
    },
    {
      code: 'duplicate_parameter',
      message: 'Parameter "days" is given twice: give it once.',
      request: `${path}?days=7&days=8`,
    },
  ]
}

function logParameters(): Node[] {
  const moment = { type: 'string', format: 'date-time' }
  const limit = { type: 'integer', minimum: 1, maximum: 200, default: 50 }
  const offset = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }
  return [
    queryParameter('key_id', "Only this key of the account's.", { type: 'integer' }, 1),
    queryParameter('method', 'Only this method.', { type: 'string', pattern: '^[A-Za-z]{3,7}$' }, 'GET'),
    queryParameter(
      'status_class',
      'Only statuses of this hundred.',
      { type: 'string', pattern: '^[1-5]xx$' },
      '2xx',
    ),
    queryParameter('q', 'Only paths that contain this text.', { type: 'string', maxLength: 200 }, 'datasets'),
    queryParameter('since', 'At or after this moment.', moment, '2025-01-31T08:00:00Z'),
    queryParameter('until', 'At or before this moment.', moment, '2035-01-31T08:00:00Z'),
    queryParameter('limit', 'Records per page.', limit, 5),
    queryParameter('offset', 'Records to pass over.', offset, 0),
  ]
}

function logErrors(path: string): ErrorExample[] {
  return [
    {
      code: 'invalid_limit',
      message: 'Parameter "limit" must be an integer from 1 to 200, not "201".',
      request: `${path}?limit=201`,
    },
    {
      code: 'invalid_offset',
      message: 'Parameter "offset" must be an integer of at least 0, not "-1".',
      request: `${path}?offset=-1`,
    },
    {
      code: 'invalid_value',
      message: 'Parameter "status_class" must be one of 1xx, 2xx, 3xx, 4xx, 5xx, not "200".',
      request: `${path}?status_class=200`,
    },
    {
      code: 'duplicate_parameter',
      message: 'Parameter "limit" is given twice: give it once.',
      request: `${path}?limit=5&limit=5`,
    },
    { code: 'key_not_found', message: 'There is no key 0.', request: `${path}?key_id=0` },
  ]
}
