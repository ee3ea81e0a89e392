/** Words of `q` and facets, over the version file and in DuckDB. */

import { wordsOf } from '../../src/base/text/words.ts'
import { countFacets } from '../../src/engine/facets.ts'
import { countRows } from '../../src/engine/run.ts'
import { VersionFile } from '../../src/store/files/open-version.ts'
import { forget, timed } from './engine-work.ts'
import { openVersion } from './open-version.ts'
import { toFilter } from './queries.ts'
import { atMost, type Figures, type Measurement, median } from './report.ts'

const WORD = 'rows with a word, first use'
const FACETS = 'facets of five columns, first use'

/** One word for each time, so that each is new. */
const WORDS = ['otel', 'plastic', 'lana', 'cauciuc', 'aluminiu']
const FACET_COLUMNS = [
  ...['flow_code', 'cn8_code', 'partner_country_code'],
  ...['transport_mode_code', 'delivery_terms_code'],
]
const FACET_VALUES = 10

/** The median of five words, and of five filters with facets under each, with the columns loaded. */
export async function measureWords(path: string): Promise<Measurement[]> {
  const file = VersionFile.open(path)
  try {
    const dataset = openVersion(file)
    const share = dataset.rows / 2_000_000
    const columns = FACET_COLUMNS.map((name) => dataset.columns.findIndex((column) => column.name === name))
    const facets = (month: number) =>
      countFacets(dataset, {
        filters: [toFilter(dataset, ['month', 'gte', month])],
        columns,
        limit: FACET_VALUES,
      })
    await countRows(dataset, [{ words: wordsOf('de') }])
    await facets(1)
    const wordMs: number[] = []
    const facetMs: number[] = []
    for (const [nth, word] of WORDS.entries()) {
      forget(dataset)
      wordMs.push(await timed(() => countRows(dataset, [{ words: wordsOf(word) }])))
      facetMs.push(await timed(() => facets(2 + nth)))
    }
    return [
      atMost(WORD, median(wordMs), Math.max(2, 10 * share), ' ms', 'in all text columns'),
      atMost(FACETS, median(facetMs), Math.max(3, 25 * share), ' ms', `${FACET_VALUES} values of each`),
    ]
  } finally {
    file.close()
  }
}

/** The same for DuckDB, which has a query for each facet. */
export const WORD_QUERIES: readonly string[] = [
  "SELECT count(*) FROM trade WHERE cn8_description ILIKE '%plastic%'",
  ...FACET_COLUMNS.map(
    (column) =>
      `SELECT ${column}, count(*) AS rows FROM trade WHERE month >= 3 GROUP BY ${column} ORDER BY rows DESC LIMIT ${FACET_VALUES}`,
  ),
]

/** A peer's times, by the names of our lines. @param peerMs of `WORD_QUERIES`, in their order */
export function wordsOfPeer(peerMs: readonly number[]): Figures {
  const [wordMs, ...facetMs] = peerMs
  return [
    [WORD, wordMs!],
    [FACETS, facetMs.reduce((sum, ms) => sum + ms, 0)],
  ]
}
