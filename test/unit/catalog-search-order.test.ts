/** Searches of the catalog against a plain implementation of the rule, over random catalogs. */

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { wordsOf } from '../../src/base/text/words.ts'
import { stemsOf } from '../../src/store/catalog/search/stems.ts'
import { openTestCatalog } from '../support/catalog-engine.ts'
import { runs } from '../support/property-runs.ts'
import { versionRecord } from '../support/version.ts'

/** Words in several forms; none is in the table of synonyms. */
const WORDS =
  'Pădure păduri pădurilor PĂDUREA județ Județele județelor drum drumul drumuri DRUMURILOR an anii parc parcul parcuri forest forests instituție instituții'.split(
    ' ',
  )
const FIELDS = ['title', 'keywords', 'description', 'publisher', 'column', 'value'] as const
type Texts = Readonly<Record<(typeof FIELDS)[number], readonly string[]>>

const texts = fc.record(
  Object.fromEntries(
    FIELDS.map((field) => [field, fc.array(fc.constantFrom(...WORDS), { maxLength: 2 })]),
  ) as Record<keyof Texts, fc.Arbitrary<string[]>>,
)

const shareForm = (a: string, b: string) => a === b || stemsOf(a).some((stem) => stemsOf(b).includes(stem))

/** What a word is worth in a dataset: twice as much a field further up; 0: it does not occur. */
function worthOf(word: string, isLast: boolean, dataset: Texts): number {
  const has = (text: string) =>
    wordsOf(text).some((other) => shareForm(word, other) || (isLast && other.startsWith(word)))
  const at = FIELDS.findIndex((field) => dataset[field].some(has))
  return at === -1 ? 0 : 2 ** (FIELDS.length - at)
}

test('all words occur in some form, the last also as a prefix, and the fields are ranked by weight', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(texts, { minLength: 1, maxLength: 5 }),
      fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
      fc.nat(3),
      async (datasets, words, cut) => {
        const { catalog } = await openTestCatalog({}, false)
        for (const [n, { title, keywords, description, publisher, column, value }] of datasets.entries()) {
          const id = `q${n}`
          const about = {
            ...{ id, domain: 'x', title: title.join(' '), keywords },
            ...{ description: description.join(' '), publisher: publisher.join(' ') },
            columnNames: ['c', ...column.flatMap(wordsOf)],
          }
          const record = versionRecord(about, await catalog.reserveVersion(id), { sha256: '', bytes: 0 })
          const words = value.flatMap((text) =>
            wordsOf(text).flatMap((word) => [word, ...stemsOf(word).map((stem) => `ˢ${stem}`)]),
          )
          await catalog.publish(record, () => {}, null, {
            texts: { columns: { c: value }, words: words.join(' ') },
          })
        }
        const question = [
          ...words.slice(0, -1),
          words.at(-1)!.slice(0, Math.max(2, words.at(-1)!.length - cut)),
        ]
        const asked = [...new Set(question.flatMap(wordsOf))]
        const last = question.flatMap(wordsOf).at(-1)
        const expected = datasets
          .map((dataset, n) => ({
            id: `q${n}`,
            worth: asked.map((word) => worthOf(word, word === last, dataset)),
          }))
          .filter(({ worth }) => worth.every((one) => one > 0))
          .map(({ id, worth }) => ({ id, worth: worth.reduce((sum, one) => sum + one, 0) }))
          .sort((a, b) => b.worth - a.worth || (a.id < b.id ? -1 : 1))
        const { total, datasets: found } = await catalog.answerSearch(question.join(' '), {
          limit: 10,
          offset: 0,
        })
        expect([total, found.map(({ id }) => id)]).toEqual([expected.length, expected.map(({ id }) => id)])
        for (const { matches } of found) expect(matches.length).toBeGreaterThan(0)
        catalog.close()
      },
    ),
    { numRuns: runs(60) },
  )
})
