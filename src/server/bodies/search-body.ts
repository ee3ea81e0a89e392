/** The body of a search of the catalog (contract 14). */

import { t } from 'elysia'
import { FIELDS } from '../../store/catalog/search/search-index.ts'
import { moment, named, nullable, oneOf, shape, text } from '../declaration/schema.ts'
import { catalogEntry, OFFSET_LINKS, PAGINATION } from './dataset-bodies.ts'

export const SEARCH_LIST = named('SearchList', {
  data: t.Array(
    named('FoundEntry', {
      ...catalogEntry,
      matches: t.Array(
        shape({
          field: oneOf(Object.values(FIELDS).map(({ name }) => name)),
          column: nullable(text(), 'Of a column or a value.'),
          text: text({ description: 'The text with the word; for a value, the value.' }),
        }),
        {
          description:
            'Where the words are, each place once. Values are those of columns with few different texts.',
        },
      ),
    }),
  ),
  pagination: PAGINATION,
  meta: shape({
    api_version: oneOf(['v1']),
    suggestions: t.Array(shape({ words: text(), ids: t.Array(text()) }), {
      description: 'Where nothing is found: other words, and the datasets that they find.',
    }),
    generated_at: moment,
  }),
  links: OFFSET_LINKS,
})
