/** @jsxImportSource preact */
import { Table } from '../../parts/table.tsx'
import { useLanguage, useTexts } from '../../signed-in/page-language.ts'
import { Section, SmallButton } from '../../signed-in/section.tsx'
import { COLUMN_DESK_TEXTS, NOTATION_TEXTS } from '../../texts/desk-columns.ts'
import { WRITING } from '../../texts/texts.ts'
import { describeColumn } from './column-changes.ts'
import type { DraftViewOptions } from './use-draft.ts'

/** Cells with values in another notation: what they would become, and the buttons that do it. */
export function Notations(options: DraftViewOptions) {
  const texts = useTexts(NOTATION_TEXTS)
  if (options.draft.notations.length === 0) return null
  return (
    <Section class="card" id="notation-title" title={texts.title}>
      {options.draft.notations.map((notation) => (
        <Column key={notation.column} {...options} {...notation} />
      ))}
    </Section>
  )
}

type Notation = DraftViewOptions['draft']['notations'][number]

function Column(options: DraftViewOptions & Notation) {
  const { draft, desk, column, type, decimal_mark: mark, cells, values } = options
  const texts = useTexts(NOTATION_TEXTS)
  const types = useTexts(COLUMN_DESK_TEXTS)
  const { decimalMark } = WRITING[useLanguage()]
  // Thousands have no separator, so that a number cannot be mistaken again.
  const write = (number: string) => number.replace('.', decimalMark)
  const text = texts.text(column, cells, types[`type_${type}`])
  const open = values.find(({ otherwise }) => otherwise !== null)
  const other = mark === '.' ? ',' : '.'
  const button = (label: string, fields: Parameters<typeof describeColumn>[2]) => (
    <SmallButton
      about={`${label}: ${column}`}
      onPress={() => desk.decide(describeColumn(draft, column, fields))}
    >
      {label}
    </SmallButton>
  )
  return (
    <>
      <p>{text}</p>
      <Table
        label={text}
        head={[texts.inFile, texts.asRead, [texts.cells]]}
        rows={values.map(({ value, count, read_as: readAs, otherwise }) => [
          <code key="value">{value}</code>,
          otherwise === null ? write(readAs) : texts.either(write(readAs), write(otherwise)),
          count,
        ])}
      />
      <div class="row">
        {mark === null && button(texts.readAs(types[`type_${type}`]), { type })}
        {mark !== null && open === undefined && button(texts.read, { decimal_mark: mark })}
        {open && button(texts.readSo(open.value, write(open.read_as)), { decimal_mark: mark })}
        {open && button(texts.readSo(open.value, write(open.otherwise ?? '')), { decimal_mark: other })}
      </div>
    </>
  )
}
