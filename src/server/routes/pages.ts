/** The pages for people, and what they load. */

import type { FoundSession } from '../../accounts/people/sign-in/sessions.ts'
import type { App } from '../../app.ts'
import { answerConsolePage, answerEntryPage } from '../../pages/account/account-pages.tsx'
import {
  CONSOLE_PATHS,
  type ConsoleSection,
  ENTRY_PATHS,
  type Entry,
} from '../../pages/account/account-places.ts'
import { answerCatalogPage } from '../../pages/catalog/catalog-page.tsx'
import { answerDatasetPage } from '../../pages/dataset/dataset-page.tsx'
import { answerValuesPage } from '../../pages/dataset/values-page.tsx'
import { answerDeskPage } from '../../pages/desk/desk-pages.tsx'
import { answerGuide, answerGuideIndex } from '../../pages/docs/guide-page.tsx'
import { answerEmbedPage } from '../../pages/embed/embed-page.tsx'
import { answerFeed } from '../../pages/feed/feed.ts'
import { answerAsset } from '../../pages/layout/assets.ts'
import { type View, viewOf } from '../../pages/layout/view.ts'
import { answerMapPage } from '../../pages/map/map-page.tsx'
import { answerSummaryPage } from '../../pages/summary/summary-page.tsx'
import { answerSummaryPicture } from '../../pages/summary/summary-picture.tsx'
import { sessionOf } from '../admission/session.ts'
import type { Call } from '../call.ts'
import { type Params, page, type Route, route } from '../declaration/route.ts'

export const PAGE_ROUTES: readonly Route[] = [
  page('/', async (call) => answerCatalogPage(await viewFor(call), call.state.open)),
  page('/feed.atom', ({ app, exchange }) => answerFeed(app, exchange)),
  page('/datasets/:id', async (call) =>
    answerDatasetPage(await viewFor(call), call.params.id, call.state.open, call.state.profiles),
  ),
  ofDataset('map', answerMapPage),
  ofDataset('values', answerValuesPage),
  ofDataset('summary', answerSummaryPage),
  route('none', '/datasets/:id/summary.svg', {
    id: 'drawSummary',
    tag: 'Datasets',
    summary: 'Draw the summary of a dataset as a picture, without a key',
    description:
      'The chart that the page of the same parameters shows: `rows`, `columns` (groups), `measure`, `draw` (`line`, `columns`, `bars`), `lang`, and filters. Without them, the first question of the dataset.',
    answers: { 200: { says: 'The picture.', types: ['image/svg+xml'], headers: ['ETag'] } },
    errors: [
      ...(['api_key_missing', 'not_found', 'rate_limited', 'unknown_column'] as const),
      ...(['unknown_operator', 'unknown_parameter', 'invalid_aggregate', 'too_many_groups'] as const),
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
  ...Object.entries(CONSOLE_PATHS).map(([section, path]) =>
    personal(path, answerConsolePage, () => section as ConsoleSection),
  ),
  ...Object.entries(ENTRY_PATHS).map(([entry, path]) =>
    personal(path, answerEntryPage, () => entry as Entry),
  ),
  page('/assets/:file', ({ exchange }) => answerAsset(exchange)),
]

/** The view of a request: its language, and the signed-in user if there is one. */
export async function viewFor({ app, exchange }: Pick<View, 'app' | 'exchange'>): Promise<View> {
  return viewOf(app, exchange, await sessionOf(app, exchange))
}

/** A page about the values of a dataset, below the dataset's page. */
function ofDataset(name: string, answer: typeof answerMapPage): Route {
  return page(`/datasets/:id/${name}`, async (call) =>
    answer(await viewFor(call), call.params.id, call.state.open),
  )
}

/** A page of an account. @param placeOf tells by the path which page */
function personal<const Path extends string, Place>(
  path: Path,
  answer: (app: App, exchange: Call, session: FoundSession | undefined, place: Place) => Response,
  placeOf: (params: Params<Path>) => Place,
): Route {
  return page(
    path,
    async ({ app, exchange, params }) =>
      answer(app, exchange, await sessionOf(app, exchange), placeOf(params)),
    'visitor',
  )
}

export const DESK_PAGE_ROUTES: readonly Route[] = [
  personal('/publish', answerDeskPage, () => ({ page: 'home' }) as const),
  personal('/publish/drafts/:id', answerDeskPage, ({ id }) => ({ page: 'draft', id }) as const),
  personal('/publish/datasets/:id', answerDeskPage, ({ id }) => ({ page: 'dataset', id }) as const),
]
