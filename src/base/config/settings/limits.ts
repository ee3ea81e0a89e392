/** What queries, exports and open datasets may take. */

import { setting } from '../setting.ts'
import { DURATION, integer, SIZE } from '../setting-kinds.ts'

export const LIMIT_SETTINGS = {
  very_large_rows: setting({
    kind: integer(0, Number.MAX_SAFE_INTEGER),
    fallback: '1000000',
    unit: 'rows',
    help: 'Size of a dataset from which on a list counts its total only when asked to (count=true).',
  }),
  memory_budget: setting({
    kind: SIZE,
    fallback: '1GiB',
    help: 'Memory for open datasets; beyond it the least recently used ones are closed.',
  }),
  memory_ceiling: setting({
    kind: SIZE,
    fallback: null,
    help: 'Memory of the process above which queries and exports are refused with a 503, and 85% of which open datasets may fill; by default 85% of what the machine or container has.',
  }),
  query_deadline: setting({
    kind: {
      ...DURATION,
      expected: 'a duration such as 10s; 0 ends every query that is not answered within some milliseconds',
    },
    fallback: '10s',
    help: 'How long one query may run before it ends with a 503.',
  }),
  max_queries: setting({
    kind: integer(1, 10_000),
    fallback: '64',
    unit: 'queries',
    help: 'Queries longer than some milliseconds that may run at the same time; each one delays the others.',
  }),
  max_queries_per_key: setting({
    kind: integer(1, 10_000),
    fallback: '24',
    unit: 'queries',
    help: 'How many of these queries one key, or one address without a key, may run at the same time.',
  }),
  max_exports: setting({
    kind: integer(24, 1000),
    fallback: '32',
    unit: 'exports',
    help: 'Exports that one key may run at the same time; more are refused with a 503.',
  }),
  max_exports_total: setting({
    kind: integer(24, 10_000),
    fallback: '64',
    unit: 'exports',
    help: 'Exports that all keys together may run at the same time, and as many again without a key.',
  }),
  max_connections: setting({
    kind: integer(1, 1_000_000),
    fallback: null,
    unit: 'connections',
    help: 'Connections that a process accepts; beyond, new ones are refused. By default, and at most, as many as its limit of open files leaves beside those it needs itself.',
  }),
  max_connections_per_address: setting({
    kind: integer(2, 1_000_000),
    fallback: '256',
    unit: 'connections',
    help: 'Connections on which one address, or one IPv6 /64, may have requests in progress in a process; beyond, a request gets a 503 and its connection is closed. Trusted proxies and this machine are not counted.',
  }),
  bulk_files: setting({
    kind: SIZE,
    fallback: '4GiB',
    help: 'Disk for whole datasets, which are kept as files below files/ from their first download on; beyond it those not asked for longest are deleted. 0 keeps none: they have no length and no ranges then.',
  }),
}
