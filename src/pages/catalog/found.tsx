/** @jsxImportSource preact */
import type { FoundEntry, SearchMatch, Suggestion } from '../../store/catalog/search/search.ts'
import type { View } from '../layout/view.ts'
import { CATALOG_TEXTS } from '../texts/site.ts'

/** Where the words were found, unless the entry shows it: in columns, or in values, with a link to their rows. */
export function Matches({ view, entry }: { view: View; entry: FoundEntry }) {
  const texts = CATALOG_TEXTS[view.language]
  const columns = view.app.catalog.record(entry.id)?.columns ?? []
  const titleOf = (name: string | null) => columns.find((column) => column.name === name)?.title ?? name
  const of = (field: SearchMatch['field']) => entry.matches.filter((match) => match.field === field)
  const values = of('value').filter(({ text }) => !text.endsWith('…'))
  const filters = values.map(({ column, text }) => ({ name: `${column}[eq]`, value: text }))
  const parts = [
    ...of('keywords').map(({ text }) => texts.keyword(text)),
    ...of('column').map(({ text }) => texts.column(text)),
  ]
  if (parts.length === 0 && values.length === 0) return null
  return (
    <p class="meta">
      {parts.map((part) => (
        <span>{part}</span>
      ))}
      {values.length > 0 && (
        <a href={view.link(`/datasets/${entry.id}`, filters)}>
          {texts.rowsWith(values.map(({ column, text }) => `${titleOf(column)}: ${text}`).join(', '))}
        </a>
      )}
    </p>
  )
}

/** Other words to search for, with the datasets that they find. */
export function Suggestions({ view, suggestions }: { view: View; suggestions: readonly Suggestion[] }) {
  const { catalog } = view.app
  return (
    <ul>
      {suggestions.map(({ words, ids }) => (
        <li>
          <a href={view.link('/', [{ name: 'q', value: words }])}>{words}</a>:{' '}
          {ids.map((id, at) => (
            <>
              {at > 0 && ', '}
              <a href={view.link(`/datasets/${id}`)}>{catalog.descriptor(id)?.title ?? id}</a>
            </>
          ))}
        </li>
      ))}
    </ul>
  )
}
