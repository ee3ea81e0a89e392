/** Everything people look at, and what these pages load. */

import { t } from 'elysia'
import { answerConsolePage, answerEntryPage } from '../../pages/account/account-pages.tsx'
import type { ConsoleSection, Entry } from '../../pages/account/account-places.ts'
import { answerCatalogPage } from '../../pages/catalog/catalog-page.tsx'
import { answerDatasetPage } from '../../pages/dataset/dataset-page.tsx'
import { answerValuesPage } from '../../pages/dataset/values-page.tsx'
import { answerDeskPage } from '../../pages/desk/desk-pages.tsx'
import type { DeskPlace } from '../../pages/desk/desk-places.ts'
import { answerGuide, answerGuideIndex } from '../../pages/docs/guide-page.tsx'
import { answerEmbedPage } from '../../pages/embed/embed-page.tsx'
import { answerFeed } from '../../pages/feed/feed.ts'
import { answerAsset } from '../../pages/layout/assets.ts'
import { type View, viewOf } from '../../pages/layout/view.ts'
import { answerMapPage } from '../../pages/map/map-page.tsx'
import { answerMovedChart, answerSummaryPage } from '../../pages/summary/summary-page.tsx'
import { answerSummaryPicture } from '../../pages/summary/summary-picture.tsx'
import { sessionOf } from '../admission/session.ts'
import { NOT_MODIFIED, type Params, page, pathParameter, type Route, route } from '../declaration/route.ts'

export const PAGE_ROUTES: readonly Route[] = [
  page('/', async (call) => answerCatalogPage(await viewFor(call), call.state.open)),
  page('/feed.atom', ({ app, exchange }) => answerFeed(app, exchange, 'atom')),
  page('/feed.rss', ({ app, exchange }) => answerFeed(app, exchange, 'rss')),
  page('/datasets/:id', async (call) =>
    answerDatasetPage(await viewFor(call), call.params.id, call.state.open, call.state.profiles),
  ),
  page('/datasets/:id/map', async (call) =>
    answerMapPage(await viewFor(call), call.params.id, call.state.open),
  ),
  page('/datasets/:id/values', async (call) =>
    answerValuesPage(await viewFor(call), call.params.id, call.state.open),
  ),
  page('/datasets/:id/chart', ({ app, exchange, params }) => answerMovedChart(app, exchange, params.id)),
  page('/datasets/:id/summary', async (call) =>
    answerSummaryPage(await viewFor(call), call.params.id, call.state.open),
  ),
  route('none', '/datasets/:id/summary.svg', {
    id: 'drawSummary',
    tag: 'Datasets',
    summary: 'Draw the summary of a dataset as a picture, without a key',
    description:
      'The chart that the page of the same parameters shows: `rows`, `columns` (groups), `measure`, `draw` (`line`, `columns`, `bars`), `lang`, and filters. Without them, the first question of the dataset.',
    params: t.Object({ id: pathParameter('Id of the dataset.') }),
    answers: {
      200: { says: 'The picture.', types: ['image/svg+xml'], headers: ['ETag'] },
      304: NOT_MODIFIED,
    },
    errors: [
      ...([
        'dataset_not_found',
        'api_key_missing',
        'not_found',
        'rate_limited',
        'service_unavailable',
      ] as const),
      ...([
        'unknown_column',
        'unknown_operator',
        'unknown_parameter',
        'invalid_aggregate',
        'too_many_groups',
      ] as const),
    ],
    handle: ({ app, exchange, params, state }) =>
      answerSummaryPicture(viewOf(app, exchange), params.id, state.open),
  }),
  // A frame has no session.
  page('/embed/:id', ({ app, exchange, params, state }) =>
    answerEmbedPage(viewOf(app, exchange), params.id, state.open),
  ),
  page('/docs/guides', async (call) => answerGuideIndex(await viewFor(call))),
  page('/docs/guides/:name', async (call) => answerGuide(await viewFor(call), call.params.name)),
  consolePage('/account', 'keys'),
  ...(['usage', 'logs', 'security', 'profile'] as const).map((name) => consolePage(`/account/${name}`, name)),
  ...(['login', 'signup', 'forgot', 'reset', 'verify'] as const).map(entryPage),
  page('/assets/:file', ({ exchange }) => answerAsset(exchange)),
]

/** The request with its language, for the signed-in user if there is one. */
export async function viewFor({ app, exchange }: Pick<View, 'app' | 'exchange'>): Promise<View> {
  return viewOf(app, exchange, await sessionOf(app, exchange))
}

function consolePage(path: string, section: ConsoleSection): Route {
  return page(
    path,
    async ({ app, exchange }) => answerConsolePage(app, exchange, await sessionOf(app, exchange), section),
    'visitor',
  )
}

function entryPage(entry: Entry): Route {
  return page(
    `/account/${entry}`,
    async ({ app, exchange }) => answerEntryPage(app, exchange, await sessionOf(app, exchange), entry),
    'visitor',
  )
}

export const DESK_PAGE_ROUTES: readonly Route[] = [
  deskPage('/publish', () => ({ page: 'home' })),
  deskPage('/publish/drafts/:id', ({ id }) => ({ page: 'draft', id })),
  deskPage('/publish/datasets/:id', ({ id }) => ({ page: 'dataset', id })),
]

function deskPage<const Path extends string>(
  path: Path,
  placeOf: (params: Params<Path>) => DeskPlace,
): Route {
  return page(
    path,
    async ({ app, exchange, params }) =>
      answerDeskPage(app, exchange, await sessionOf(app, exchange), placeOf(params)),
    'visitor',
  )
}
