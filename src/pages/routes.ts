/** Everything people look at, and what these pages load. */

import { routeGroup } from '../http/exchange.ts'
import type { Service } from '../http/service.ts'
import { answerConsolePage, answerEntryPage } from './account/account-pages.tsx'
import { answerAsset } from './assets.ts'
import { answerCatalogPage } from './catalog/catalog-page.tsx'
import { answerDatasetPage } from './dataset/dataset-page.tsx'
import { Profiles } from './dataset/profile.ts'
import { PublicAccess } from './dataset/public-access.ts'
import { answerChart, answerDownload, answerRows } from './dataset/public-rows.ts'
import { answerGuide, answerGuideIndex } from './docs/guide-page.tsx'
import { answerAtom, answerRss } from './feed/feed.ts'

/** The pages' routes: the catalog, datasets, then assets. */
export function pageRoutes(service: Service) {
  const access = new PublicAccess(service)
  const profiles = new Profiles()
  return (
    routeGroup()
      .get('/', ({ exchange }) => answerCatalogPage(exchange))
      .get('/feed.atom', ({ exchange }) => answerAtom(exchange))
      .get('/feed.rss', ({ exchange }) => answerRss(exchange))
      // Datasets
      .get('/datasets/:id', ({ exchange, params }) =>
        answerDatasetPage(exchange, params.id, access, profiles),
      )
      .get('/datasets/:id/rows', ({ exchange, params }) => answerRows(exchange, params.id, access))
      .get('/datasets/:id/chart', ({ exchange, params }) => answerChart(exchange, params.id, access))
      .get('/datasets/:id/download', ({ exchange, params }) => answerDownload(exchange, params.id, access))
      // Guides
      .get('/docs/guides', ({ exchange }) => answerGuideIndex(exchange))
      .get('/docs/guides/:name', ({ exchange, params }) => answerGuide(exchange, params.name))
      // Accounts
      .get('/account', ({ exchange }) => answerConsolePage(exchange, 'keys'))
      .get('/account/usage', ({ exchange }) => answerConsolePage(exchange, 'usage'))
      .get('/account/logs', ({ exchange }) => answerConsolePage(exchange, 'logs'))
      .get('/account/security', ({ exchange }) => answerConsolePage(exchange, 'security'))
      .get('/account/profile', ({ exchange }) => answerConsolePage(exchange, 'profile'))
      .get('/account/login', ({ exchange }) => answerEntryPage(exchange, 'login'))
      .get('/account/signup', ({ exchange }) => answerEntryPage(exchange, 'signup'))
      .get('/account/forgot', ({ exchange }) => answerEntryPage(exchange, 'forgot'))
      .get('/account/reset', ({ exchange }) => answerEntryPage(exchange, 'reset'))
      .get('/account/verify', ({ exchange }) => answerEntryPage(exchange, 'verify'))
      .get('/assets/:file', ({ exchange }) => answerAsset(exchange))
  )
}
