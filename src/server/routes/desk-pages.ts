/** The pages of the publishing desk. */

import { answerDeskPage } from '../../pages/desk/desk-pages.tsx'
import type { DeskPlace } from '../../pages/desk/places.ts'
import { type Params, page, type Route } from '../declaration/route.ts'
import { sessionOf } from '../session.ts'

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
