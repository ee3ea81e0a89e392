/** @jsxImportSource preact */
import { shorten } from '../../base/text/fit-text.ts'
import { ShareBar } from '../parts/share-bar.tsx'
import { asRead, columnTitle, groupLabel } from '../question/shown-column.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { formatNumber } from '../texts/texts.ts'
import { pageAddress, valuesAddress } from './addresses.ts'
import type { ExplorerProps } from './explorer-props.ts'
import { chosenBeyond, isChosen, LONGEST_FILTER, type ShownFacet, turnValue } from './facets.ts'

/** The most characters of a value in the list. */
const LONGEST_LABEL = 60

/** The values of columns beside the rows, each a link that filters by it. */
export function FacetPanel(props: ExplorerProps) {
  const { language, question } = props
  const texts = EXPLORER_TEXTS[language]
  const facets = props.facets.filter(
    (facet) => facet.values.length + facet.nulls + chosenBeyond(question, facet).length > 0,
  )
  if (facets.length === 0) return null
  return (
    <details class="facets">
      <summary class="button">{texts.facets}</summary>
      <div class="facet-list">
        {facets.map((facet) => (
          <Facet key={facet.column} {...props} facet={facet} />
        ))}
      </div>
    </details>
  )
}

function Facet(props: ExplorerProps & { facet: ShownFacet }) {
  const { language, dataset, question, facet } = props
  const texts = EXPLORER_TEXTS[language]
  const most = Math.max(1, facet.nulls, ...facet.values.map(({ count }) => count))
  const { measured } = facet
  const nulls = { count: facet.nulls, most, measured: measured?.nulls }
  const id = `facet-${facet.column}`
  return (
    <section aria-labelledby={id}>
      <h3 id={id} title={facet.column}>
        {columnTitle(dataset.columns, facet.column)}
      </h3>
      {measured && (
        <p class="measured small soft">
          {texts.rowCount} · {measured.label}
        </p>
      )}
      <ul class="bare">
        {chosenBeyond(question, facet).map((value) => (
          <Value key={value} {...props} value={value} />
        ))}
        {facet.values.map(({ value, count }, index) => {
          const figures = { count, most, measured: measured?.values[index] }
          return <Value key={value} {...props} {...figures} value={value} />
        })}
        {facet.nulls > 0 && <Value key="\0" {...props} {...nulls} value={null} />}
        {facet.other > 0 && (
          <li>
            <a href={valuesAddress(props, question, facet.column)} rel="nofollow">
              <span class="name">{texts.others}</span>{' '}
              <span class="number soft">{formatNumber(language, facet.other)}</span>
            </a>
          </li>
        )}
      </ul>
    </section>
  )
}

interface ValueProps extends ExplorerProps {
  readonly facet: ShownFacet
  readonly value: string | null
  readonly count?: number
  readonly most?: number
  readonly measured?: string | undefined
}

function Value(props: ValueProps) {
  const { language, dataset, question, facet, value, count, most = 1, measured } = props
  const chosen = isChosen(question, facet.column, value)
  const column = dataset.columns.find(({ name }) => name === facet.column)
  const label = shorten(groupLabel(language, column, value && asRead(column, value)), LONGEST_LABEL)
  const inside = (
    <>
      <span class="name">{label}</span>{' '}
      {count !== undefined && (
        <span class="number soft">
          {formatNumber(language, count)}
          {measured && <span> · {measured}</span>}
        </span>
      )}
      {chosen && <span class="cross">×</span>}
      {count !== undefined && <ShareBar share={count / most} />}
    </>
  )
  // Addresses omit empty values.
  if (value === '' || (value ?? '').length > LONGEST_FILTER) return <li>{inside}</li>
  return (
    <li>
      <a
        href={pageAddress(props, turnValue(question, facet.column, value))}
        data-go="facet"
        rel="nofollow"
        class={chosen ? 'chosen' : undefined}
        aria-current={chosen ? 'true' : undefined}
        title={chosen ? EXPLORER_TEXTS[language].unchoose(label) : undefined}
      >
        {inside}
      </a>
    </li>
  )
}
