/** Published workbooks, and those that other readers are tested with: each gives the values that its name promises. */

import { expect } from 'bun:test'
import { type Converted, convertPath } from '../support/converted.ts'
import { corpusFiles, corpusPath, corpusTest, type Suite } from '../support/corpus.ts'
import { openWorkplace } from '../support/ingest.ts'

/** What a file must give: its records, a check of the whole conversion, or the pattern of its refusal. */
type Promised = readonly (readonly string[])[] | ((converted: Converted) => void) | RegExp

const grid = (rows: number, columns: number, cell: (row: number, column: string) => string) =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => cell(row + 1, String.fromCharCode(65 + column))),
  )
const dashed = (rows: number, columns: number) => grid(rows, columns, (row, column) => `s1--${column}${row}`)
const spaced = (rows: number, columns: number) => grid(rows, columns, (row, column) => `s1 - ${column}${row}`)
const csv3 = [1, 2, 3].map((row) => [1, 2, 3].map((column) => `csv--${row}${column}`))
const EMPTY = /has no text in it/
const records = (expected: readonly (readonly string[])[]) => (converted: Converted) =>
  expect(converted.records).toEqual(expected)
const PARTLY = [
  ['s1--A1', 's1--B1', 's1--C1', 's1--D1', 's1--E1'],
  ['s1--A2', 's1--B2', 's1--C2', '', ''],
]
const DATES = [
  ['2021-01-01', '15'],
  ['2021-01-02', '16'],
  ['255:10:10', '17'],
]
const ALL_STRINGS = ['A', 'B', 'C']

const XLSX: Readonly<Record<string, Promised>> = {
  'csv_test_create_from_file.xlsx': EMPTY,
  'file_corrupted.xlsx': ({ format }) => expect(format).toBe('csv'),
  'file_with_empty_num_fmts_tag_in_styles_xml.xlsx': [['95.22', '2023-03-01']],
  'file_with_no_sheets_in_workbook_xml.xlsx': /no sheet/,
  'file_with_no_styles_in_workbook_xml.xlsx': dashed(1, 2),
  'file_with_sheet_xml_not_matching_content_types.xlsx': /part of the sheet .* is missing/,
  'one_sheet_with_capital_shared_strings_filename.xlsx': dashed(5, 5),
  'one_sheet_with_inline_strings.xlsx': spaced(5, 5),
  'one_sheet_with_invalid_xml_characters.xlsx': [['Invalid & character']],
  'one_sheet_with_pre_encoded_html_entities.xlsx': [['quote: &#34; - ampersand: &amp;']],
  'one_sheet_with_shared_multiline_strings.xlsx': grid(5, 5, (row, column) => `s1\n${column}${row}`),
  'one_sheet_with_shared_strings.xlsx': dashed(5, 5),
  'one_sheet_with_shared_strings_containing_text_and_hyperlink_in_same_cell.xlsx': [
    ['go to https://github.com please'],
  ],
  'one_sheet_with_shared_strings_missing_unique_count.xlsx': dashed(2, 2),
  'one_sheet_with_shared_strings_missing_unique_count_and_count.xlsx': dashed(2, 2),
  'sheet_with_all_cell_types.xlsx': ({ records, errors }) => {
    expect(records[0]?.slice(2, 9)).toEqual([
      ...['false', 'true', '2015-06-03T13:21:58', '2015-06-01', '10', '10.43', ''],
    ])
    expect(errors).toEqual([{ cell: 8, count: 1 }])
  },
  'sheet_with_columnwidths.xlsx': [['foo', 'bar']],
  'sheet_with_custom_date_formats_and_no_apply_number_format.xlsx': [
    ['42382', '42382', '2016-01-13', '2016-01-13', '04:43:25'],
  ],
  'sheet_with_dates_and_times.xlsx': ({ records }) =>
    expect(records.slice(0, 2)).toEqual([
      Array.from({ length: 5 }, () => '2016-01-13'),
      ['04:43:25', '04:43:25', '04:43:25', '04:43:25', '16:43:25'],
    ]),
  'sheet_with_different_numeric_value_dates.xlsx': [
    ['2015-09-01', '2015-09-02', '2015-09-01T22:23:00'],
    ['1900-02-28T23:59:59', '1900-03-01T00:00:00', '1900-02-29T11:00:00'],
  ],
  'sheet_with_different_numeric_value_dates_1904_calendar.xlsx': [
    ['2019-09-02', '2019-09-03', '2019-09-02T22:23:00'],
    ['1904-02-29T23:59:59', '1904-03-02T00:00:00', '1904-03-01T11:00:00'],
  ],
  'sheet_with_different_numeric_value_times.xlsx': [
    ['00:00:00', '11:29:00', '23:29:00', '01:42:25', '13:42:25'],
  ],
  'sheet_with_dimensions_and_empty_cells.xlsx': PARTLY,
  'sheet_with_empty_cells.xlsx': [
    ['A', '', 'C'],
    ['0', '', ''],
    ['1', '1', ''],
  ],
  'sheet_with_empty_cells_without_dimensions.xlsx': [
    ['A', '', 'C'],
    ['0', '', ''],
    ['1', '1', ''],
  ],
  'sheet_with_empty_rows_and_missing_row_index.xlsx': [
    ...[[], dashed(2, 3)[1] as string[], [], []],
    ...dashed(6, 3).slice(4),
  ],
  'sheet_with_empty_shared_string.xlsx': [['s1--A1', '', 's1--C1']],
  'sheet_with_formulas.xlsx': [
    ['val1', 'val2', 'total1', 'total2', 'DateFunction', 'Average'],
    ['10', '20', '30', '21', '2022-05-05', '1.5'],
    ['11', '21', '32', '41', '', ''],
  ],
  'sheet_with_lots_of_shared_strings.xlsx': ({ records }) => {
    expect(new Set(records.map((cells) => cells.join()))).toEqual(new Set(['str,str,str,str,str']))
  },
  'sheet_with_missing_cell_reference.xlsx': [['s1--A1']],
  'sheet_with_multiple_value_nodes_in_inline_strings.xlsx': [['VALUE 1 VALUE 2 VALUE 3 VALUE 4', 's1 - B1']],
  'sheet_with_no_cells.xlsx': EMPTY,
  'sheet_with_no_shared_strings_file.xlsx': [
    ['10', '11'],
    ['20', '21'],
  ],
  'sheet_with_prefixed_shared_strings_xml.xlsx': dashed(2, 5),
  'sheet_with_prefixed_xml_files.xlsx': spaced(3, 3),
  'sheet_with_preserve_space_shared_strings.xlsx': [['  s1--A1', 's1--B1  ', '  s1--C1  ']],
  'sheet_with_pronunciation.xlsx': [['名前', '一二三四']],
  'sheet_with_row_not_starting_at_column_a.xlsx': [['', '', 's1--C1', 's1--D1', 's1--E1']],
  'sheet_with_same_numeric_value_date_formatted_differently.xlsx': ({ records }) =>
    expect(new Set(records[0])).toEqual(new Set(['2015-01-01'])),
  'sheet_with_same_numeric_value_durations_formatted_differently.xlsx': ({ records }) =>
    expect(records.slice(1)).toEqual(
      ['03:07:05', '00:07:05', '00:00:05'].map((text) => Array.from({ length: 12 }, () => text)),
    ),
  'sheet_with_strict_ooxml.xlsx': ({ records }) => {
    expect(records[0]?.slice(0, 2)).toEqual(['UNIQUE_ACCOUNT_IDENTIFIER', 'ACTIVITY_PERIOD'])
    expect(records.length).toBeGreaterThan(1)
  },
  'sheet_with_untrimmed_inline_strings.xlsx': [['A'], [' A '], ['\n\tA\n\t']],
  'sheet_with_zeros_in_row.xlsx': [ALL_STRINGS, ['1', '2', '3'], ['0', '0', '0']],
  'sheet_without_dimensions_and_empty_cells.xlsx': PARTLY,
  'sheet_without_dimensions_but_spans_and_empty_cells.xlsx': PARTLY,
  'two_sheets_one_hidden_one_not.xlsx': EMPTY,
  'two_sheets_with_merged_cells.xlsx': ({ records, spans }) => {
    expect(spans[0]).toEqual({ record: 1, cell: 0, width: 2 })
    expect(records.map(([first]) => first)).toEqual(['s1 - A1', 's1 - A2', 's1 - A2', 's1 - A4', 's1 - A5'])
  },
  'two_sheets_with_shared_strings.xlsx': spaced(5, 5),
  'two_sheets_with_inline_strings.xlsx': spaced(5, 5),
  'two_sheets_with_custom_names.xlsx': ({ sheet }) => expect(sheet).toBe('CustomName1'),
  'two_sheets_with_custom_names_and_custom_active_tab.xlsx': ({ sheet }) => expect(sheet).toBe('CustomName1'),
  'two_sheets_with_sheets_definition_in_reverse_order.xlsx': ({ sheet }) => expect(sheet).toBe('Sheet1'),
  'xlsx_test_create_from_file_by_mime_type.xlsx': csv3,
  'xlsx_without_styles_file.xlsx': ({ records }) => expect(records[1]?.[6]).toBe('12345'),
}

const PRODUCED = [
  ['header1', 'header2', 'header3', 'header4'],
  ['val11', 'val12', 'val13', 'val14'],
  ['val21', '', 'val23', 'val23'],
  [],
  ['', '10.43', '29.11', ''],
]
const odsGrid = (name: string, rows: number, columns: number) =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => `${name}${row + 1}${column + 1}`),
  )

const ODS: Readonly<Record<string, Promised>> = {
  'csv_test_create_from_file.ods': EMPTY,
  'file_corrupted.ods': /damaged/,
  'file_generated_by_excel_2010_windows.ods': PRODUCED,
  'file_generated_by_excel_office_online.ods': PRODUCED,
  'file_generated_by_libre_office.ods': PRODUCED,
  'non_zip.ods': ({ format }) => expect(format).toBe('csv'),
  'ods_test_create_from_file_by_mime_type.ods': csv3,
  'one_sheet_with_strings.ods': odsGrid('ods--', 2, 3),
  'sheet_with_all_cell_types.ods': [
    [
      ...['ods--11', 'ods--12', 'true', 'false', '0', '10.43', '1987-11-29', '1987-11-29T13:37:00'],
      ...['1987-11-29T13:37:00Z', '1987-11-29T13:37:00-10:00', '13:37:00', '0', '0.42', '42', '9.99'],
    ],
  ],
  'sheet_with_dates_and_times.ods': [
    Array.from({ length: 5 }, () => '2016-05-19T16:39:00'),
    ['11:29:00', '13:23:45', '01:23:45', '01:23:45', '13:23:45'],
  ],
  'sheet_with_empty_cells.ods': [ALL_STRINGS, ['0', '', ''], ['1', '1', '']],
  'sheet_with_empty_rows.ods': ({ records }) =>
    expect(records.map(([first]) => first)).toEqual([
      undefined,
      'ods--21',
      undefined,
      undefined,
      'ods--51',
      'ods--61',
    ]),
  'sheet_with_formulas.ods': [
    ['val1', 'val2', 'total1', 'total2'],
    ['10', '20', '30', '21'],
    ['11', '21', '32', '41'],
  ],
  'sheet_with_hyperlinks.ods': [
    ['email', 'text'],
    ['1@example.com', 'text'],
    ['2@example.com', 'text and https://github.com/box/spout/issues/218 and text'],
  ],
  'sheet_with_inline_font_formatting.ods': [['I am a yellow bird']],
  'sheet_with_invalid_date_time.ods': [['INVALID_DATE', 'INVALID TIME']],
  'sheet_with_multiline_string.ods': [['string\non multiple\nlines!']],
  'sheet_with_no_cells.ods': EMPTY,
  'sheet_with_number_columns_repeated.ods': [
    ['foo', 'foo', 'foo', '', '', 'true', 'true', '10.43', '10.43', '10.43', '10.43'],
  ],
  'sheet_with_number_rows_repeated.ods': [
    ['foo', '10.43'],
    ['foo', '10.43'],
  ],
  'sheet_with_only_one_cell.ods': [['foo']],
  'sheet_with_undefined_value_type.ods': [['ods--11', 'foo', 'ods--13']],
  'sheet_with_untrimmed_strings.ods': ({ records }) =>
    expect(records.map(([cell]) => cell?.trim())).toEqual(['A', 'A', 'A']),
  'sheet_with_various_spaces.ods': [
    [
      '    4 spaces before and after    ',
      ' 1 space before and after',
      '2 spaces after  ',
      '  2 spaces before',
      '3 spaces   in the middle\nand 2 spaces  in the middle',
    ],
  ],
  'sheet_with_whitespaces_as_xml.ods': [['Lorem  ipsum\tdolor sit amet']],
  'sheet_with_zeros_in_row.ods': [ALL_STRINGS, ['1', '2', '3'], ['0', '0', '0']],
  'two_sheets_one_hidden_one_not.ods': ({ sheet, decisions }) => {
    expect(sheet).toBe('Sheet2')
    expect(decisions[0]?.reason).toContain("'Sheet1' (1 row, hidden)")
  },
  'two_sheets_with_custom_names.ods': EMPTY,
  'two_sheets_with_no_settings_xml_file.ods': odsGrid('ods--sheet1--', 2, 3),
  'two_sheets_with_strings.ods': odsGrid('ods--sheet1--', 2, 3),
}

const MERGED = ({ records, spans }: Converted) => {
  expect(records).toEqual([
    ['Row Merge', '', 'Not Merged'],
    ['Column Merge', 'Chunk Merged', ''],
  ])
  expect(spans).toEqual([
    { record: 1, cell: 0, width: 2 },
    { record: 2, cell: 1, width: 3 },
  ])
}
const RANGE = ({ records }: Converted) =>
  expect(records).toEqual([
    ['A1', 'B1', 'C1', '', 'E1', 'F1', 'G1', 'H1'],
    [],
    ['A3', 'B3', 'C3', '', 'E3', 'F3', 'G3', 'H3'],
    ['A4', 'B4', 'C4', '', 'E4', 'F4', 'G4', 'H4'],
  ])

const CALAMINE: Readonly<Record<string, Promised>> = {
  'biff5_write.xls': ({ records }) =>
    expect(records).toEqual([
      ['1', '2', '3', ''],
      ['true', 'false', '', 'sheetjs'],
      ['foo', 'bar', '2014-02-19', '0.3'],
      ['baz', '', 'qux', ''],
    ]),
  'date.ods': [
    ['2021-01-01', '15'],
    ['2021-01-01T10:10:10', '16'],
    ['10:10:10', '17'],
    ['10:10:10', '18'],
  ],
  'date.xls': DATES,
  'date.xlsx': DATES,
  'date_1904.xls': DATES,
  'date_1904.xlsx': DATES,
  'date_iso.xlsx': ({ records }) =>
    expect(records.slice(0, 3)).toEqual([['2021-01-01'], ['2021-01-01T10:10:10'], ['10:10:10']]),
  'encoded_entities.xlsx': [['&'], ['\n']],
  'errors.xlsx': EMPTY,
  'has_x000D_.xlsx': [['ABC\r\nDEF']],
  'header-row.xlsx': ({ records }) =>
    expect(records.slice(8)).toEqual([
      ['Columns', 'Column A', 'Column B', 'Column C'],
      ['put data here', '1', '2', '3'],
    ]),
  'issue127.ods': EMPTY,
  'issue127.xls': EMPTY,
  'issue127.xlsx': EMPTY,
  'merge_cells.xls': MERGED,
  'merge_cells.xlsx': MERGED,
  'merged_cells.ods': ({ records }) => expect(records.map(([first]) => first)).toEqual(['A', 'A', 'A']),
  'merged_range.xls': RANGE,
  'merged_range.xlsx': RANGE,
  'number_rows_repeated.ods': [['A', 'B'], ['C', 'D'], ['C', 'D'], [], [], ['C', 'D'], [], ['C', 'D']],
  'special_cells.ods': [
    ['Split\nLine'],
    ['Value  With spaces'],
    ['Value   With 3 spaces'],
    [' Value   With spaces before and after'],
    ['  Value   With 2 spaces before and after  '],
  ],
  'sst_continue.xls': ({ records }) => {
    expect(records).toHaveLength(136)
    for (const [i, [text]] of records.slice(0, 134).entries())
      expect(text).toEndWith(String(i + 1).padStart(4, '0'))
    expect(records.slice(134)).toEqual([['This is a long string with a serial num'], ['New CONTINUE block']])
  },
  'temperature-in-middle.xlsx': ({ records }) =>
    expect(records.slice(3)).toEqual([
      ['', 'label', 'value'],
      ['', 'celsius', '22.2222'],
      ['', 'fahrenheit', '72'],
    ]),
  'xls_wrong_decimals.xls': [['0.525625']],
}

const SUITES = { openspout_xlsx: XLSX, openspout_ods: ODS, calamine: CALAMINE } as const

for (const [suite, promises] of Object.entries(SUITES) as [Suite, Readonly<Record<string, Promised>>][]) {
  for (const name of corpusFiles(suite)) {
    corpusTest(suite, name, 'gives what its name promises', async (path) => {
      const promised = promises[name]
      if (promised === undefined) throw new Error('no promise for this file')
      const converted = await convertPath(path)
      if (typeof converted === 'string') {
        expect(converted).toMatch(promised instanceof RegExp ? promised : /^$/)
      } else if (promised instanceof RegExp) expect(converted.records).toMatch(promised)
      else if (typeof promised === 'function') promised(converted)
      else records(promised)(converted)
    })
  }
}

corpusTest('fixtures', 'f07_localitati.xlsx', 'is the same dataset as its CSV', async (path) => {
  const [fromCsv, fromXlsx] = await Promise.all(
    [corpusPath('fixtures', 'f07_localitati.csv'), path].map(async (file) => {
      const place = openWorkplace()
      const { columns, rows } = await place.ingestPath(file, { id: 'file', domain: 'test' })
      const types = columns.map(({ name, type, null_count, distinct_count }) => {
        return { name, type, null_count, distinct_count }
      })
      return { types, rows, data: place.rows('file') }
    }),
  )
  expect(fromXlsx?.rows.imported).toBe(13_851)
  expect(fromXlsx?.types).toEqual(fromCsv?.types as never)
  expect(fromXlsx?.data).toEqual(fromCsv?.data as never)
})

corpusTest(
  'fixtures',
  'f09_siruta_uat_pe_judete_43_sheets.xls',
  'the sheet of the whole country is read',
  async (path) => {
    const converted = (await convertPath(path)) as Converted
    expect(converted.sheet).toBe('toata tara')
    expect(converted.records).toHaveLength(3236)
    expect(converted.records.filter((cells) => cells.length > 0)).toHaveLength(3231)
    expect(converted.decisions[0]?.reason).toContain('36 more')
    expect((await convertPath(path, { sheet: '13 cluj' })) as Converted).toMatchObject({ sheet: '13 cluj' })
  },
)

corpusTest(
  'fixtures',
  'f09b_structura_eTransport.xls',
  'the largest list is read as the table',
  async (path) => {
    const place = openWorkplace()
    const { rows, dialect, columns } = await place.ingestPath(path, { id: 'file', domain: 'test' })
    expect(dialect).toMatchObject({ format: 'xls', sheet: 'structuraXML', header_rows: [1] })
    expect(rows).toMatchObject({ read: 125, imported: 125 })
    expect(columns).toHaveLength(12)
    const judet = (await convertPath(path, { sheet: 'listaJudet' })) as Converted
    expect(judet.records).toHaveLength(43)
  },
)

corpusTest(
  'fixtures',
  'f15_civil_service_postcodes_2021.ods',
  'notes are not read as the table',
  async (path) => {
    const place = openWorkplace()
    const { rows, dialect, decisions } = await place.ingestPath(path, { id: 'file', domain: 'test' })
    expect(dialect).toMatchObject({ format: 'ods', sheet: 'Staff_in_post', header_rows: [5] })
    expect(rows).toMatchObject({ read: 5539, imported: 5539 })
    expect(decisions[0]?.reason).toContain("'Notes' (12 rows), 'Leavers' (2828 rows)")
  },
)
