/** @jsxImportSource preact */
import type { ServedDataset } from '../../store/catalog/record.ts'
import { pageAddress } from '../explorer/addresses.ts'
import { describeQuestion } from '../explorer/filter-panel.tsx'
import { Table } from '../parts/table.tsx'
import { measureLabel, measureText } from '../question/measures.ts'
import type { Question } from '../question/question.ts'
import { groupLabel } from '../question/shown-column.ts'
import { type Reader, rowsOfGroup } from '../summary/shown.ts'
import { MAP_TEXTS } from '../texts/dataset.ts'
import { SUMMARY_TEXTS } from '../texts/site.ts'
import { CLASSES, type CountyFigures } from './ask-counties.ts'
import { drawingOf, WIDTH } from './frame.ts'
import { degreesOf, OUTLINED, OUTLINES, type Outline, transformTo } from './outlines.ts'

interface CountyMapProps extends Reader {
  readonly served: ServedDataset
  readonly figures: CountyFigures
  readonly question: Question
}

/** Room above the outlines for the name and figure of the county under the pointer. */
const HEAD = 40
const { height: HEIGHT, place } = drawingOf(OUTLINED)

/** Counties shaded by a measure, the legend, and the rows without a place on the map. Needs no script and no request. */
export function CountyMap(props: CountyMapProps) {
  const { language, figures, served, question } = props
  const texts = MAP_TEXTS[language]
  const label = [
    texts.counties(measureLabel(language, figures.measure, served.columns)),
    ...describeQuestion(language, served.columns, question),
  ].join(' · ')
  return (
    <figure class="drawing">
      <figcaption class="unseen">{label}</figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <svg
        class="map counties"
        viewBox={`0 ${-HEAD} ${WIDTH} ${HEAD + HEIGHT}`}
        role="group"
        aria-label={label}
      >
        <defs>
          <NoRows />
        </defs>
        {OUTLINES.map((outline) => (
          <County {...props} outline={outline} />
        ))}
        {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: it cannot be focused, and links say the names */}
        <g aria-hidden="true">
          {OUTLINES.map((outline) => {
            const [x, y] = placeOf(outline)
            return (
              <text
                class={(figures.counties.get(outline.name)?.level ?? 0) > CLASSES / 2 ? 'code over' : 'code'}
                x={x}
                y={y}
              >
                {outline.code}
              </text>
            )
          })}
        </g>
      </svg>
      <Legend {...props} />
      {figures.elsewhere > 0 && <p class="small">{texts.elsewhere(figures.elsewhere)}</p>}
    </figure>
  )
}

const TRANSFORM = transformTo(place)

/** The colour as an attribute: the policy for styles allows none in the page. */
function shadeOf(level: number | null): string {
  return level === null ? 'var(--surface)' : `var(--level-${level})`
}

/** Where a county's letters are drawn. */
function placeOf({ label }: Outline): [number, number] {
  const { x, y } = place(degreesOf(label))
  return [Math.round(x), Math.round(y) + 4]
}

/** A county, linked to its rows. By keyboard it is reached with arrow keys, or without scripts through the table. */
function County({ outline, ...props }: CountyMapProps & { outline: Outline }) {
  const found = props.figures.counties.get(outline.name)
  const at = placeOf(outline).join()
  const text = `${outline.name}: ${figureText(props, found)}`
  const fill = found ? shadeOf(found.level) : 'url(#no-rows)'
  const shape = (
    <>
      <path fill={fill} transform={TRANSFORM} d={outline.path} />
      <text class="pointed" x={WIDTH / 2} y={-12}>
        {text}
      </text>
    </>
  )
  const address = found && addressOf(props, found.values)
  return address === undefined ? (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: nothing happens at a click; arrow keys stop here
    <g class="county" role="img" aria-label={text} data-at={at}>
      {shape}
    </g>
  ) : (
    <a class="county" href={address} rel="nofollow" tabIndex={-1} aria-label={text} data-at={at}>
      {shape}
    </a>
  )
}

function NoRows() {
  return (
    <pattern
      id="no-rows"
      width="6"
      height="6"
      patternUnits="userSpaceOnUse"
      patternTransform="scale(5 3.5) rotate(45)"
    >
      <rect class="ground" width="6" height="6" />
      <line class="stripe" x1="0" y1="0" x2="0" y2="6" />
    </pattern>
  )
}

/** A figure with all its digits. */
function write({ language, figures, served }: CountyMapProps, figure: string | null): string {
  return measureText(language, figures.measure, served.columns, figure)
}

function figureText(props: CountyMapProps, found: ReturnType<CountyFigures['counties']['get']>): string {
  const texts = MAP_TEXTS[props.language]
  if (found === undefined) return texts.noRows
  return found.figure === null ? texts.noFigure : write(props, found.figure)
}

/** The address of a county's rows, in all its spellings. */
function addressOf(
  { served, chosenLanguage, figures, question }: CountyMapProps,
  [first = null, ...more]: readonly (string | null)[],
): string | undefined {
  const column = served.columns[figures.rows.column]!.name
  const rows = rowsOfGroup(question, column, { part: null }, first)
  const others = more.map((value) => ({ column, operator: 'eq', value: value! }))
  return (
    rows &&
    pageAddress({ dataset: served, chosenLanguage }, { ...rows, filters: [...rows.filters, ...others] })
  )
}

function Legend(props: CountyMapProps) {
  const { language, figures } = props
  const texts = MAP_TEXTS[language]
  const names = [texts.class0, texts.class1, texts.class2, texts.class3, texts.class4]
  // By class, the figures in descending order.
  const levels = Array.from({ length: CLASSES }, (_, level) =>
    [...figures.counties.values()].flatMap((one) => (one.level === level ? one.figure! : [])),
  )
  const empty = OUTLINES.filter(({ name }) => !figures.counties.has(name)).length
  const entry = (swatch: preact.VNode, text: string, count: number) => (
    <li>
      <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
        {swatch}
      </svg>{' '}
      {text} <span class="soft">({texts.inCounties(count)})</span>
    </li>
  )
  return (
    <ul class="legend small bare flow number" aria-label={texts.legend}>
      {levels.map((all, level) => {
        const [most, least] = [all[0], all.at(-1)]
        if (least === undefined || most === undefined) return null
        const range = least === most ? write(props, least) : `${write(props, least)} – ${write(props, most)}`
        const swatch = <rect fill={shadeOf(level)} width="10" height="10" />
        return entry(swatch, `${names[level]}: ${range}`, all.length)
      })}
      {empty > 0 &&
        entry(<path class="stripes" d="M0,0h10v10h-10zM0,5l5-5M0,10l10-10M5,10l5-5" />, texts.noRows, empty)}
    </ul>
  )
}

/** The exact figures: counties in descending order, those without rows, values that name no county, and the total. */
export function CountyTable(props: CountyMapProps) {
  const { language, served, figures } = props
  const texts = MAP_TEXTS[language]
  const { total, overall } = SUMMARY_TEXTS[language]
  const link = (name: string, values: readonly (string | null)[]) => {
    const address = addressOf(props, values)
    return address === undefined ? name : <a href={address}>{name}</a>
  }
  return (
    <Table
      label={texts.county}
      head={[texts.county, [measureLabel(language, figures.measure, served.columns)]]}
      rows={[
        ...[...figures.counties].map(([name, found]) => [link(name, found.values), figureText(props, found)]),
        ...OUTLINES.flatMap(({ name }) => (figures.counties.has(name) ? [] : [[name, texts.noRows]])),
        ...figures.others.map(({ value, figure }) => [
          link(groupLabel(language, served.columns[figures.rows.column]!, value), [value]),
          write(props, figure),
        ]),
      ]}
      foot={[figures.isAdditive ? total : overall, write(props, figures.total)]}
      hasRowHeads
      isTall
      class="summary"
    />
  )
}
