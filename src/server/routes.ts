/** The service's table of contents: every route. */

import { guideLinks } from '../pages/docs/guides.ts'
import type { Route } from './declaration/route.ts'
import { MCP_ROUTES } from './mcp/mcp-route.ts'
import { ACCOUNT_ROUTES } from './routes/account.ts'
import { CATALOG_ROUTES } from './routes/catalog.ts'
import { CKAN_ROUTES } from './routes/ckan.ts'
import { DESKTOP_ROUTES } from './routes/desktop.ts'
import { DRAFT_ROUTES } from './routes/drafts.ts'
import { interopRoutes } from './routes/interop.ts'
import { KEY_ROUTES } from './routes/keys.ts'
import { OPERATED_ACCOUNT_ROUTES } from './routes/operate/accounts.ts'
import { OPERATE_PAGE_ROUTES } from './routes/operate/pages.ts'
import { OPERATED_SERVICE_ROUTES } from './routes/operate/service.ts'
import { SETUP_ROUTES } from './routes/operate/setup.ts'
import { DESK_PAGE_ROUTES, PAGE_ROUTES } from './routes/pages.ts'
import { PUBLISHED_ROUTES } from './routes/published-datasets.ts'
import { referenceRoutes } from './routes/reference.ts'
import { DATASET_ROUTES, OPEN_ROW_ROUTES } from './routes/rows.ts'
import { STATUS_ROUTES } from './routes/status.ts'
import { USAGE_ROUTES } from './routes/usage.ts'

export const ROUTES: readonly Route[] = [
  ...STATUS_ROUTES,
  ...PAGE_ROUTES,
  ...DESK_PAGE_ROUTES,
  ...DESKTOP_ROUTES,
  ...SETUP_ROUTES,
  ...OPERATE_PAGE_ROUTES,
  ...OPEN_ROW_ROUTES,
  ...referenceRoutes(() => ROUTES),
  ...interopRoutes(guideLinks()),
  ...CKAN_ROUTES,
  ...MCP_ROUTES,
  ...CATALOG_ROUTES,
  ...DATASET_ROUTES,
  ...ACCOUNT_ROUTES,
  ...KEY_ROUTES,
  ...USAGE_ROUTES,
  ...PUBLISHED_ROUTES,
  ...DRAFT_ROUTES,
  ...OPERATED_ACCOUNT_ROUTES,
  ...OPERATED_SERVICE_ROUTES,
]
