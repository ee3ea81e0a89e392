/** Several machines: where they keep what they share. */

import { setting } from '../setting.ts'
import { BASE_URL, BUCKET, POSTGRES_URL, SIZE } from '../setting-kinds.ts'

export const NODE_SETTINGS = {
  database_url: setting({
    kind: POSTGRES_URL,
    fallback: null,
    secret: true,
    help: 'PostgreSQL 15 or later for accounts, catalog and usage, shared by all nodes; by default files in the data directory.',
  }),
  object_store: setting({
    kind: BUCKET,
    fallback: null,
    help: 'S3 bucket for editions and whole datasets, together with database_url; the data directory is then a cache.',
  }),
  object_store_endpoint: setting({
    kind: BASE_URL,
    fallback: null,
    help: 'Address of the S3 server, where it is not Amazon; credentials and region come from AWS_* variables.',
  }),
  version_cache: setting({
    kind: SIZE,
    fallback: '0',
    help: 'With object_store: disk for editions that are fetched into the data directory; beyond it those not used longest are deleted, to be fetched again at their next use. 0: all that disk_floor leaves.',
  }),
}
