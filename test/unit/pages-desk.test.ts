import { describe, expect, test } from 'bun:test'
import {
  describeColumn,
  dropColumn,
  renameHeader,
  restoreColumn,
} from '../../src/pages/desk/draft/column-changes.ts'
import { aboutAnswer, answersOf, headerRows } from '../../src/pages/desk/draft/draft-facts.ts'
import { gatherSuspects } from '../../src/pages/desk/draft/reading-options.tsx'
import { NOTATION_TEXTS } from '../../src/pages/texts/desk-columns.ts'
import type { DraftBody } from '../../src/publish/drafts/describe-draft.ts'
import { openQuestions, type Question } from '../../src/publish/drafts/questions.ts'
import type { IngestReport } from '../../src/publish/edition/compose-report.ts'

interface Column {
  readonly name: string
  readonly source_name: string | null
}

/** A draft, as far as a test needs it. */
function draftOf(columns: readonly Column[], rest: object = {}): DraftBody {
  const report = {
    dialect: { header_rows: [3, 4] },
    columns,
    refusals: [],
  } as unknown as IngestReport
  const draft = {
    report,
    definition: { id: 'a' },
    left_out: [],
    left_out_names: [],
    missing: [],
    outdated: false,
    ...rest,
  }
  return draft as unknown as DraftBody
}

const TWO = [
  { name: 'judet', source_name: ' Județ ' },
  { name: 'column_2', source_name: '' },
]

test('one cell in another notation is spoken of in the singular', () => {
  expect(NOTATION_TEXTS.en.text('suma', 1, 'number')).toBe(
    'The column suma (number) has 1 cell written differently from the others. Until you say how to read it, the column stays text.',
  )
  expect([1, 3].map((cells) => NOTATION_TEXTS.ro.text('suma', cells, 'număr'))).toEqual([
    'Coloana suma (număr) are o celulă scrisă altfel decât celelalte. Până nu alegeți cum se citește, coloana rămâne text.',
    'Coloana suma (număr) are 3 celule scrise altfel decât celelalte. Până nu alegeți cum se citesc, coloana rămâne text.',
  ])
})

describe('decisions about columns', () => {
  test('name all columns by header, so that the order stays', () => {
    expect(describeColumn(draftOf(TWO), 'column_2', { unit: 'lei', type: 'decimal', title: '' })).toEqual({
      columns: [
        { name: 'judet', source: 'Județ' },
        { name: 'column_2', unit: 'lei', type: 'decimal' },
      ],
    })
  })

  test('keep what a definition says, except what is taken back, and add no standardized column to it', () => {
    const columns = [{ name: 'judet', title: 'County', unit: 'x', canonical: 'counties' }, { name: 'gone' }]
    const draft = draftOf([...TWO, { name: 'judet_canonical', source_name: null }], {
      definition: { id: 'a', columns },
    })
    expect(describeColumn(draft, 'judet', { name: 'county', unit: null, type: null })).toEqual({
      columns: [
        { name: 'county', source: 'Județ', title: 'County', canonical: 'counties' },
        { name: 'column_2' },
        { name: 'gone' },
      ],
    })
  })

  test('leave a column out and take it back', () => {
    expect(dropColumn(draftOf(TWO), 'judet')).toEqual({
      columns: [{ name: 'column_2' }],
      other_columns: 'drop',
    })
    const [, second] = TWO as [Column, Column]
    expect(restoreColumn(draftOf([second], { left_out: ['Județ'] }), 'Județ')).toEqual({
      columns: [{ name: 'column_2' }],
      other_columns: null,
    })
    const several = draftOf([{ name: 'judet', source_name: 'JUDET' }], {
      left_out: ['Județ', 'An'],
      left_out_names: ['judet', 'an'],
    })
    expect(restoreColumn(several, 'Județ').columns).toEqual([
      { name: 'judet', source: 'JUDET' },
      { name: 'judet_2', source: 'Județ' },
    ])
  })

  test('leave out the first of equal headers, while the others keep theirs', () => {
    const equal = [
      { name: 'valoare', source_name: 'Valoare' },
      { name: 'an', source_name: 'An' },
      { name: 'valoare_2', source_name: 'valoare ' },
    ]
    const second = { name: 'valoare_2', source: 'valoare', source_number: 2 }
    const dropped = dropColumn(draftOf(equal), 'valoare')
    expect(dropped).toEqual({ columns: [{ name: 'an', source: 'An' }, second], other_columns: 'drop' })
    const left = draftOf(equal.slice(1), {
      definition: { id: 'a', columns: dropped.columns, other_columns: 'drop' },
      left_out: ['Valoare', 'Nr'],
      left_out_names: ['valoare', 'nr'],
    })
    expect(restoreColumn(left, 'Valoare').columns).toEqual([
      { name: 'an', source: 'An' },
      second,
      { name: 'valoare', source: 'Valoare' },
    ])
  })

  test('identify a column with a served one, whether a definition declares it or not', () => {
    expect(renameHeader(draftOf(TWO), 'county', 'Județ')).toEqual({
      columns: [{ name: 'county', source: 'Județ' }, { name: 'column_2' }],
    })
    const declared = draftOf([...TWO, { name: 'county', source_name: null }], {
      definition: { id: 'a', columns: [{ name: 'county', title: 'County', source: 'Judetul' }] },
    })
    expect(renameHeader(declared, 'county', 'Județ')).toEqual({
      columns: [{ name: 'column_2' }, { name: 'county', title: 'County', source: 'Județ' }],
    })
  })
})

test('the header is the decided one, else the one found', () => {
  const decided = (header_row: unknown) => draftOf(TWO, { definition: { id: 'a', read: { header_row } } })
  expect([draftOf(TWO), decided(2), decided([5, 6]), decided(0)].map(headerRows)).toEqual([
    [3, 4],
    [2],
    [5, 6],
    [],
  ])
})

describe('an answer to a question', () => {
  const asked = (rows: number) =>
    [
      { kind: 'quarantine', publish: 'max_quarantine', gate: true, column: null, values: { rows, of: 30 } },
      { kind: 'empty', publish: 'accept_drift', gate: true, column: null, values: {} },
      { kind: 'sheet', publish: null, gate: false, column: null, values: {} },
    ] as unknown as Question[]

  test('holds while the question is the same, and is asked again when it concerns other rows', () => {
    const accepted = { max_quarantine: aboutAnswer(asked(6), 'max_quarantine') }
    expect(answersOf(accepted, asked(6))).toEqual({ max_quarantine: 1 })
    expect(answersOf(accepted, asked(7))).toEqual({})
  })

  test('closes its question; advice never waits for one', () => {
    const kinds = (answers: object) => openQuestions(asked(6), answers).map(({ kind }) => kind)
    expect(kinds({})).toEqual(['quarantine', 'empty'])
    expect(kinds({ max_quarantine: 1 })).toEqual(['empty'])
    expect(kinds({ max_quarantine: 1, accept_drift: true })).toEqual([])
  })
})

test('values that kept columns from being numbers are listed most frequent first, with all their columns', () => {
  const near = { type: 'integer', share: 0.9, exceptions: 1 } as const
  const suspects = [
    { ...near, column: 'a', values: [{ value: '*', count: 3, first_line: 2 }] },
    { ...near, column: 'b', values: [{ value: '-', count: 2, first_line: 3 }] },
    { ...near, column: 'c', values: [{ value: '-', count: 5, first_line: 4 }] },
  ]
  expect(gatherSuspects({ suspects })).toEqual([
    { value: '-', count: 7, columns: ['b', 'c'] },
    { value: '*', count: 3, columns: ['a'] },
  ])
})
