/** The engine alone, in this process, without HTTP; the version file is opened as the service opens it. */

import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import type { Filter } from '../../src/engine/row-query.ts'
import { countRows, listPage, walkPage } from '../../src/engine/run.ts'
import { VersionFile } from '../../src/store/files/open-version.ts'
import { indexedSource } from '../support/memory-source.ts'
import { recurringFilters, slowestFilters, slowestSorts } from './engine-work.ts'
import { openVersion } from './open-version.ts'
import { atMost, type Measurement, median, plainly } from './report.ts'

/** The lines that peers are compared to. */
export const FILTERS = 'filters, exact total, never seen'
export const FIRST_SORT = 'sort, first use'
export const LATER_SORT = 'sort, later uses, any offset'

/** The line about words in texts that are all different. */
const DISTINCT_TEXTS = 2_000_000
export const CONTAINS = 'contains over 2,000,000 distinct texts'
const PARTS_OF_TEXTS = ['nr. 1234', 'strada 99', '77, NR']
/** The same texts for DuckDB, and the words searched for in them. */
export const TEXTS_SQL = `CREATE TEMP TABLE addresses AS SELECT 'Strada ' || i * 7919 % ${DISTINCT_TEXTS} || ', nr. ' || i AS address FROM range(${DISTINCT_TEXTS}) AS numbers(i)`
export const CONTAINS_QUERIES = PARTS_OF_TEXTS.map(
  (text) => `SELECT count(*) FROM addresses WHERE address ILIKE '%${text}%'`,
)
const PAGES = 51

/** Filters and sorts over the version file at `path`; each figure is the worst of its kind. */
export async function measureEngine(path: string): Promise<Measurement[]> {
  const file = VersionFile.open(path)
  try {
    const dataset = openVersion(file)
    const share = dataset.rows / 2_000_000
    const filters = await slowestFilters(dataset)
    const recurring = await recurringFilters(dataset)
    const sorts = await slowestSorts(dataset)
    const { first, later } = sorts
    const notes = 'median of 192 of three filters each'
    return [
      atMost(FILTERS, filters.ms, Math.max(1, 5 * share), ' ms', `slowest: ${filters.what}`),
      plainly('filters seen before, in new combinations', recurring, ' ms', notes),
      atMost(FIRST_SORT, first.ms, Math.max(5, 60 * share), ' ms', `slowest: ${first.what}`),
      atMost(LATER_SORT, later.ms, 2, ' ms', `slowest: ${later.what}`),
      ...(await measureDepth(dataset)),
    ]
  } finally {
    file.close()
  }
}

/** Pages far from the start, by offset and by cursor, and the first page; each the median of 51. */
async function measureDepth(dataset: OpenDataset): Promise<Measurement[]> {
  const fields = dataset.columns.map((_, i) => i)
  const month = dataset.columns.findIndex(({ name }) => name === 'month')
  const filters: Filter[] = [{ column: month, operator: 'gte', operands: [[3]] }]
  const total = await countRows(dataset, filters)
  // Another page each time, so that no row was just read.
  const middleOf = async (read: (nth: number) => unknown): Promise<number> => {
    const times: number[] = []
    for (let nth = 0; nth < PAGES; nth++) {
      const started = performance.now()
      await read(nth)
      times.push(performance.now() - started)
    }
    return median(times)
  }
  const byOffset = (from: number) => (nth: number) =>
    listPage(dataset, { filters, sort: [], fields, limit: 50, offset: from + nth * 50, count: true })
  const byCursor = (from: number) => (nth: number) =>
    walkPage(dataset, { filters, fields, limit: 50, from: from + nth * 50 })
  const deep = Math.max(0, total - PAGES * 50)
  const first = await middleOf(byOffset(0))
  const note = `first ${(first * 1000).toFixed(0)} us`
  return [
    plainly('page at the end by offset', (await middleOf(byOffset(deep))) / first, ' x the first page', note),
    plainly('page at the end by cursor', (await middleOf(byCursor(deep))) / first, ' x the first page', note),
  ]
}

/** A word searched for in two million texts that are all different, and how long others wait meanwhile. */
export async function measureContains(): Promise<Measurement[]> {
  const texts = Array.from(
    { length: DISTINCT_TEXTS },
    (_, i) => `Strada ${(i * 7919) % DISTINCT_TEXTS}, nr. ${i}`,
  )
  const source = indexedSource(DISTINCT_TEXTS, [
    { name: 'address', type: 'string', texts, indexOf: (row) => row },
  ])
  const dataset = new OpenDataset(source)
  const filter = (text: string): Filter[] => [{ column: 0, operator: 'contains', operands: [[text]] }]
  await countRows(dataset, filter('nothing has this'))
  let longest = 0
  let before = performance.now()
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - before)
    before = performance.now()
  }, 1)
  const times: number[] = []
  for (const text of PARTS_OF_TEXTS) {
    const started = performance.now()
    await countRows(dataset, filter(text))
    times.push(performance.now() - started)
  }
  clearInterval(watch)
  const note = `others wait ${longest.toFixed(0)} ms at most meanwhile`
  return [atMost(CONTAINS, median(times), 100, ' ms', note)]
}
