/** The desk as an interface: `/publish/api` (contract 10). */

import { accountRoute } from '../account-route.ts'
import { PUBLISHER } from '../bodies/publisher-bodies.ts'
import type { Route } from '../declaration/route.ts'

export const PUBLISHING_ROUTES: readonly Route[] = [
  accountRoute({
    method: 'GET',
    path: '/publish/api/me',
    access: 'publisher',
    id: 'showPublisher',
    tag: 'Publishing',
    summary: 'Show what the caller may publish',
    success: [200, PUBLISHER],
    answer: ({ publisher: { by, domains } }) => ({
      role: 'publisher' as const,
      publisher_domains: domains === 'all' ? null : domains,
      by,
    }),
  }),
]
