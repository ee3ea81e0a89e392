/** The data directory, and what an ingest and a refresh do with it. */

import { setting } from '../setting.ts'
import { choice, integer, ON_OFF, RATIO, SIZE, text } from '../setting-kinds.ts'

export const DATA_SETTINGS = {
  data: setting({
    kind: text('a folder'),
    fallback: './izvor-data',
    flag: '--data',
    help: 'Data directory: it holds accounts, catalog and datasets.',
  }),
  keep_versions: setting({
    kind: integer(1, 100),
    fallback: '2',
    unit: 'editions',
    help: 'Editions of a dataset, of different bytes, that an ingest keeps, the served one included; a rollback needs 2.',
  }),
  max_quarantine: setting({
    kind: RATIO,
    fallback: '10%',
    flag: '--max-quarantine',
    help: 'Share of refused rows above which an ingest as a whole is refused.',
  }),
  max_mended: setting({
    kind: RATIO,
    fallback: '5%',
    flag: '--max-mended',
    help: 'Share of rows with more or fewer cells than the header that were mended, above which an ingest as a whole is refused.',
  }),
  personal_data: setting({
    kind: choice(['ask', 'warn', 'strict']),
    fallback: 'ask',
    help: 'Which columns are refused until they are acknowledged: those with personal codes (ask), all that look like personal data (strict), or none (warn).',
  }),
  max_upload: setting({
    kind: SIZE,
    fallback: '2GB',
    help: 'Largest file that a publisher may upload or have fetched.',
  }),
  publish_private_addresses: setting({
    kind: ON_OFF,
    fallback: 'off',
    help: 'Whether publishers may have files fetched from addresses inside private networks; the operator always may.',
  }),
  refresh: setting({
    kind: ON_OFF,
    fallback: 'on',
    help: 'Whether serve fetches datasets again by the schedules in their definitions.',
  }),
  disk_floor: setting({
    kind: SIZE,
    fallback: '256MB',
    help: 'Free space on the data disk below which the service says that it is not ready, and which copies of what is ingested leave free.',
  }),
}
