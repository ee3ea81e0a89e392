/** Published datasets, for their publishers: `/publish/api/datasets` (contract 10). */

import { type TSchema, t } from 'elysia'
import { confirmPassword } from '../../accounts/people/passwords/passwords.ts'
import { type Publisher, publisherOfAccount } from '../../accounts/people/publisher.ts'
import { USE_DIMENSIONS, type UseDimension } from '../../accounts/usage/dataset-use.ts'
import type { App } from '../../app.ts'
import { paginationOf } from '../../base/pagination.ts'
import {
  changePublished,
  endRefreshes,
  removePublished,
  scheduleRefresh,
} from '../../publish/published/change.ts'
import { compareKept, keptRecords, serveKept, takeVersionDown } from '../../publish/published/kept.ts'
import {
  describePublished,
  keptVersions,
  listPublished,
  requirePublished,
} from '../../publish/published/published.ts'
import { reportUse } from '../../publish/published/use.ts'
import { accountRoute } from '../admission/account-route.ts'
import { countPublishing } from '../admission/session.ts'
import { PASSWORD_REQUEST, PUBLISHER } from '../bodies/account-bodies.ts'
import {
  DATASET_CHANGES,
  KEPT_VERSIONS,
  MOST_DAYS,
  PUBLISHED_DATASET,
  PUBLISHED_LIST,
  SCHEDULE,
  TAKEN_DOWN,
  USE_REPORT,
  VERSION_DIFF,
} from '../bodies/published-bodies.ts'
import {
  daysParameter,
  integerParameter,
  limitParameter,
  OFFSET,
  parameter,
  textParameter,
} from '../declaration/parameters.ts'
import type { Route } from '../declaration/route.ts'
import { answerKeptRows, KEPT_KINDS, KEPT_ROWS_QUERY, type KeptKind } from '../rows/kept-rows-answer.ts'

const DATASETS = '/publish/api/datasets'
const DATASET = `${DATASETS}/:dataset` as const

const versionParameter = (name: string, description: string) =>
  integerParameter(name, { min: 1, max: 9_999_999_999, fallback: undefined }, { description })

const BY = new RegExp(`^(?:${USE_DIMENSIONS.join('|')})(?:,(?:${USE_DIMENSIONS.join('|')}))*$`)
/** The query of a report of use. */
export const USE_QUERY = t.Object({
  days: daysParameter(MOST_DAYS, 30),
  by: parameter<readonly UseDimension[]>(
    {
      type: 'string',
      pattern: BY.source,
      examples: ['day,dataset'],
      description: `What the sums are grouped by: any of ${USE_DIMENSIONS.join(', ')}, separated by commas; by default all.`,
    },
    {
      fallback: USE_DIMENSIONS,
      code: 'invalid_value',
      read(text, note) {
        if (!BY.test(text))
          note({ message: `parameter "by" is a list of ${USE_DIMENSIONS.join(', ')}, with commas` })
        return USE_DIMENSIONS.filter((dimension) => text.split(',').includes(dimension))
      },
    },
  ),
  dataset: textParameter('dataset', [/^[a-z0-9_]{1,64}$/, 'must be the id of a dataset'], {
    description: 'Only this dataset.',
  }),
  limit: limitParameter(10_000, 1000),
  offset: OFFSET,
})

function recordsRoute(kind: KeptKind, id: string, summary: string): Route {
  return accountRoute('publisher', `GET ${DATASET}/${kind}`, {
    id,
    summary,
    query: t.Object({
      version: versionParameter('version', 'A kept version; the served one when left out.'),
      ...KEPT_ROWS_QUERY.properties,
    }),
    success: [200, KEPT_KINDS[kind].body as TSchema],
    errors: ['version_not_found', 'service_unavailable'],
    async answer({ app, exchange, publisher, params, query }) {
      const records = await keptRecords(app, publisher, params.dataset, kind, query.version)
      const kept = { kind, name: `${params.dataset}-${kind}`, ...records }
      return answerKeptRows(app, exchange, kept, query)
    },
  })
}

/** A page of the datasets that a publisher may change. */
export function pagePublished(
  { catalog }: App,
  publisher: Publisher,
  page: { limit: number; offset: number },
) {
  const { total, datasets: data } = listPublished(catalog, publisher, page)
  return { data, pagination: paginationOf({ ...page, total, count: data.length }) }
}

/** A dataset of another domain is a 403; a version that is not a number counts as 0, which never exists. */
export const PUBLISHED_ROUTES: readonly Route[] = [
  accountRoute('publisher', `GET ${DATASETS}`, {
    id: 'listPublishedDatasets',
    summary: 'List the datasets that the caller may change, with their state',
    query: t.Object({ limit: limitParameter(200, 50), offset: OFFSET }),
    success: [200, PUBLISHED_LIST],
    answer: ({ app, publisher, query }) => pagePublished(app, publisher, query),
  }),
  accountRoute('publisher', `GET ${DATASET}`, {
    id: 'showPublishedDataset',
    summary: 'Show a dataset: its descriptor, whether its pages are open, its source',
    success: [200, PUBLISHED_DATASET],
    answer({ app, publisher, params }) {
      requirePublished(app.catalog, publisher, params.dataset)
      return describePublished(app.catalog, params.dataset)
    },
  }),
  accountRoute('publisher', `PATCH ${DATASET}`, {
    id: 'changePublishedDataset',
    summary: 'Change the texts and the access of a dataset',
    description:
      'Without a new version: data, cursors and digests of files stay. null removes a text. With "open" false the rows and files of its page need a key.',
    body: DATASET_CHANGES,
    bodyExample: { title: 'Prices', columns: [{ name: 'price', unit: 'lei' }] },
    success: [200, PUBLISHED_DATASET],
    answer: ({ app, publisher, params, body }) => changePublished(app, publisher, params.dataset, body),
  }),
  accountRoute('publisher', `DELETE ${DATASET}`, {
    id: 'removePublishedDataset',
    summary: 'Remove a dataset and every version of it',
    success: [204],
    answer: ({ app, publisher, params }) => removePublished(app, publisher, params.dataset),
  }),
  accountRoute('publisher', `PUT ${DATASET}/schedule`, {
    id: 'scheduleDataset',
    summary: 'Have a dataset fetched by a schedule',
    description:
      'Files are read like the last one. The schedule stays when later files arrive, until an ingest sets another one.',
    body: SCHEDULE,
    bodyExample: { source_url: 'https://example.org/prices.csv', refresh: '0 6 * * 1' },
    success: [200, PUBLISHED_DATASET],
    answer: ({ app, publisher, params, body }) => scheduleRefresh(app, publisher, params.dataset, body),
  }),
  accountRoute('publisher', `DELETE ${DATASET}/schedule`, {
    id: 'unscheduleDataset',
    summary: 'End the schedule of a dataset',
    success: [204],
    answer: ({ app, publisher, params }) => endRefreshes(app, publisher, params.dataset),
  }),
  accountRoute('publisher', `GET ${DATASET}/versions`, {
    id: 'listVersions',
    summary: 'List the kept versions, newest first',
    success: [200, KEPT_VERSIONS],
    answer({ app, publisher, params }) {
      requirePublished(app.catalog, publisher, params.dataset)
      return keptVersions(app.catalog, params.dataset)
    },
  }),
  accountRoute('publisher', `POST ${DATASET}/versions/:version/serve`, {
    id: 'serveVersion',
    summary: 'Serve a kept version, an earlier or a later one, exactly as it was',
    description: 'Its file is first read completely.',
    success: [200, PUBLISHED_DATASET],
    answer: ({ app, publisher, params }) =>
      serveKept(app, publisher, params.dataset, readVersion(params.version)),
  }),
  accountRoute('change', `DELETE ${DATASET}/versions/:version`, {
    id: 'takeVersionDown',
    summary: 'Take a kept version down, with every copy of it but backups',
    description:
      'With the password of the account; a key cannot. Exports of it break off. The answer comes when every node has done so, or after 10 seconds with those that have not (`late_nodes`).',
    body: PASSWORD_REQUEST,
    bodyExample: { password: 'un exemplu de parolă lungă' },
    success: [200, TAKEN_DOWN],
    errors: ['role_missing', 'version_served', 'invalid_credentials', 'rate_limited'],
    async answer({ app, exchange, session, params, body }) {
      const publisher = publisherOfAccount(session.body.user)
      await countPublishing(app, exchange, publisher, 'changes')
      return takeVersionDown(app, publisher, params.dataset, readVersion(params.version), () =>
        confirmPassword(app.accountService, session.userId, body.password, 'body.password', app.now()),
      )
    },
  }),
  accountRoute('publisher', `GET ${DATASET}/versions/:version/diff`, {
    id: 'compareVersions',
    summary: 'Show what changed to a kept version from another one',
    query: t.Object({
      with: versionParameter('with', 'The version to compare with; by default the kept one before.'),
    }),
    success: [200, VERSION_DIFF],
    answer({ app, publisher, params, query }) {
      const versions = { from: query.with, to: readVersion(params.version) }
      return compareKept(app, publisher, params.dataset, versions)
    },
  }),
  recordsRoute('quarantine', 'listQuarantine', 'List the records that were not imported'),
  recordsRoute(
    'repaired',
    'listRepaired',
    'List the records that were repaired to fit the width of the table',
  ),
  accountRoute('publisher', 'GET /publish/api/usage', {
    id: 'readUseOfDatasets',
    summary: 'Read who uses the datasets: calls, rows and bytes',
    description:
      'Sums of UTC days, of lists and files, with a key (`via` is `key`, with its label) or on the open pages (`pages`). No addresses are kept. `by` says what the sums are grouped by.',
    query: USE_QUERY,
    success: [200, USE_REPORT],
    errors: ['dataset_not_found'],
    answer: ({ app, publisher, query }) => reportUse(app, publisher, query),
  }),
  accountRoute('publisher', 'GET /publish/api/me', {
    id: 'showPublisher',
    summary: 'Show what the caller may publish',
    success: [200, PUBLISHER],
    answer: ({ publisher: { by, domains } }) => ({
      role: 'publisher' as const,
      publisher_domains: domains === 'all' ? null : domains,
      by,
    }),
  }),
]

function readVersion(text: string): number {
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0
}
