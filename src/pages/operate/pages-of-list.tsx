/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import type { Pagination } from '../../base/pagination.ts'
import { PageLinks } from '../parts/table.tsx'
import { FormContext } from '../signed-in/form-context.ts'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { NO_TROUBLE } from '../signed-in/refusals.ts'
import { formatNumber } from '../texts/texts.ts'
import { type Desk, FORM_FIELDS } from './operate-places.ts'
import { OPERATE_TEXTS } from './texts/operate-texts.ts'

/** The position in a list, with links to its other pages that keep the filters. */
export function PagesOfList({ desk: { view }, pagination }: { desk: Desk; pagination: Pagination }) {
  const texts = useTexts(OPERATE_TEXTS)
  const language = useLanguage()
  const { total, count, limit, offset, next_offset } = pagination
  const number = (value: number) => formatNumber(language, value)
  const stay = view.parameters.filter(({ name }) => name !== 'offset' && name !== FORM_FIELDS.done)
  if (count === 0) return <p class="soft">{texts.none}</p>
  return (
    <PageLinks
      name={texts.pages}
      address={(at) => view.link(view.path, [...stay, { name: 'offset', value: String(at) }])}
      {...{ offset, step: limit, previous: texts.previous }}
      range={texts.range(number(offset + 1), number(offset + count), number(total))}
      next={next_offset === null ? null : texts.next}
    />
  )
}

interface FilterOptions {
  readonly desk: Desk
  readonly label: string
  readonly children: ComponentChildren
}

/** A form whose fields are parameters of the page's address. */
export function ListFilter({ desk: { view }, label, children }: FilterOptions) {
  const texts = useTexts(OPERATE_TEXTS)
  return (
    <form class="log-filters grid card" aria-label={label}>
      {view.chosenLanguage && <input type="hidden" name="lang" value={view.chosenLanguage} />}
      <FormContext.Provider value={{ id: 'filter', trouble: NO_TROUBLE, hasScript: false }}>
        {children}
      </FormContext.Provider>
      <div class="row buttons">
        <button type="submit" class="main">
          {texts.filter}
        </button>
        <a class="button" href={view.link(view.path)}>
          {texts.clear}
        </a>
      </div>
    </form>
  )
}
