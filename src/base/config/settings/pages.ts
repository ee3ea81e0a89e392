/** What visitors without a key see and may do. */

import { setting } from '../setting.ts'
import { CONTACT, integer, TRUE_FALSE, text } from '../setting-kinds.ts'

export const PAGES_SETTINGS = {
  publisher: setting({
    kind: text('a name'),
    fallback: null,
    help: 'Institution that runs the service, named on the pages and in the catalog documents.',
  }),
  contact: setting({
    kind: CONTACT,
    fallback: null,
    help: 'Where to ask about the data, named in the catalog documents.',
  }),
  public_browsing: setting({
    kind: TRUE_FALSE,
    fallback: 'true',
    help: 'Whether the pages show rows and offer downloads to visitors without a key.',
  }),
  public_per_minute: setting({
    kind: integer(1, 1_000_000),
    fallback: '300',
    unit: 'requests a minute',
    help: 'Requests for rows, charts, files and dataset pages that one address may make without a key.',
  }),
}
