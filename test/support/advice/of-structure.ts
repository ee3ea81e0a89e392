/** Advice about where a table begins and ends, and about records of a different width. */

import { type AdviceCase, columns, lines, NAMES, ROWS, TABLE } from './case.ts'

export const OF_STRUCTURE: Readonly<Record<string, AdviceCase>> = {
  'a second table': {
    given: ['read/structure/body.ts header_row'],
    file: `${TABLE}\n${lines('cod,explicatie,valoare', 'A,alfa,1', 'B,beta,2')}`,
    said: /a second table begins on line 11 .* \(--header-row\)/,
    take: { typed: '--header-row 11' },
    rows: 2,
  },
  'a note': {
    given: ['read/structure/body.ts footnotes'],
    file: `${TABLE}Sursa: INS,,\n`,
    said: /is a note, not a row .*\("footnotes": "keep" under "read" in a definition\)/,
    take: { defined: { read: { footnotes: 'keep' } } },
    rows: 9,
  },
  titles: {
    given: ['read/structure/header.ts header_row'],
    file: `Populatia,,\n${TABLE}`,
    said: /the records above it for titles: 'Populatia' \(--header-row\)/,
    take: { typed: '--header-row 1' },
    rows: 9,
  },
  'a header of two records': {
    given: ['read/structure/header.ts header_row'],
    file: lines('judet,total,femei', ',persoane,persoane', ...ROWS),
    said: /records 1 to 2 are one header.* \(--header-row\)/,
    take: { typed: '--header-row 1' },
    rows: 9,
  },
  'no header': {
    given: ['read/structure/find-header.ts header_row'],
    file: TABLE,
    at: { typed: '--header-row 0' },
    said: /the file has no header, as --header-row says.* \(--header-row\)/,
    take: { typed: '--header-row 1' },
    rows: 8,
  },
  'a header that looks like data': {
    given: ['header_like_data --header-row'],
    file: lines(...ROWS),
    said: /--header-row 0 when the file has no header, or --header-row 1 when it is one/,
    take: { typed: '--header-row 0' },
    rows: 8,
  },
  'a header that looks like data and is one': {
    given: ['header_like_data --header-row'],
    file: lines(...ROWS),
    said: /--header-row 0 when the file has no header, or --header-row 1 when it is one/,
    take: { typed: '--header-row 1' },
    rows: 7,
  },
  'records that describe a table': {
    given: ['texts_below_header --header-row', 'read/structure/find-header.ts header_row'],
    file: lines('Title,GDP', 'CDID,ABMI', 'Unit,', 'Notes,', '1948,5', '1949,6', '1950,7'),
    said: /--header-row 4 when record 4 names the columns, or --header-row 1,2 when all below it are rows/,
    take: { typed: '--header-row 4' },
    rows: 3,
  },
  'a stray quote in the header': {
    given: ['stray_header_quote --quote'],
    file: lines('judet,"total', 'Alba,5"x', 'Arad,6'),
    said: /The header on line 1 has a stray quote.* --quote none/,
    take: { typed: '--quote none' },
    rows: 2,
  },
  'a stray quote in a title': {
    given: ['stray_header_quote --header-row'],
    file: lines('judet,"titlu', 'Alba"x,5', 'judet,total', 'Arad,6'),
    said: /The header on line 1 has a stray quote.* another header with --header-row/,
    take: { typed: '--header-row 3' },
    rows: 1,
  },
  'an unusual delimiter': {
    given: ['weak_delimiter --delimiter'],
    file: lines('name: x', 'value: 5', 'other: y'),
    said: /not certain that “:” separates the cells.* --delimiter/,
    take: { typed: '--delimiter :' },
    rows: 2,
  },
  'fixed width': {
    given: ['fixed_width --delimiter'],
    file: lines('JUDET    TOTAL', 'Alba      5,1', 'Arad      6,2', 'Cluj      7,3'),
    said: /as in a printed report.* --delimiter ,/,
    take: { typed: '--delimiter , --header-row 0' },
    rows: 3,
  },
  'a column of lines that look delimited': {
    given: ['other_delimiter --delimiter'],
    file: lines('judet total', 'Alba 5', 'Arad 6'),
    said: /separated by “space”\. Say it with --delimiter ' '/,
    take: { typed: "--delimiter ' '" },
    rows: 2,
  },
  'a title, or the name of a column of texts': {
    given: ['title_or_name --header-row', 'title_or_name --delimiter'],
    file: lines('observatii', 'unu; doi', 'trei; patru', 'cinci; sase'),
    said: /--header-row 2 when it is a title, or --delimiter , when it is the name of one column/,
    take: { typed: '--header-row 2' },
    rows: 2,
  },
  'the name of a column of texts': {
    given: ['title_or_name --header-row', 'title_or_name --delimiter'],
    file: lines('observatii', 'unu; doi', 'trei; patru', 'cinci; sase'),
    said: /--header-row 2 when it is a title, or --delimiter , when it is the name of one column/,
    take: { typed: '--delimiter ,' },
    rows: 3,
  },
  'a blank column': {
    given: ['read/values/load-columns.ts columns'],
    file: lines('judet,,total', 'Alba,,5', 'Arad,,6'),
    said: /column 2 has neither a name nor any value.* \("columns" in a definition\)/,
    take: { defined: columns({ name: 'column_2' }) },
    rows: 2,
  },
}

export const OF_WIDTHS: Readonly<Record<string, AdviceCase>> = {
  'a header that is short of a name, and stands elsewhere': {
    given: ['header_width --header-row'],
    file: lines('judet,total', 'nume,adresa,nota', 'Ion,Lunga,a', 'Ana,Mica,b', 'Dan,Noua,c'),
    said: /The header has 2 names, but .* Name the right record with --header-row/,
    take: { typed: '--header-row 2' },
    rows: 3,
  },
  'a header that is short of a name': {
    given: ['header_width --header-row', 'header_width source'],
    file: lines('judet,total', ...ROWS),
    said: /--header-row 0 and give the columns their names in a definition \("source": "column_1" …\)/,
    take: {
      typed: '--header-row 0',
      defined: columns(
        { name: 'judet', source: 'column_1' },
        { name: 'total', source: 'column_2' },
        { name: 'femei', source: 'column_3' },
      ),
    },
    rows: 8,
  },
  'lines that are cut at the wrong places': {
    given: ['header_width --delimiter', 'header_width --quote'],
    file: lines('judet,nume', "Alba,'a, b'", "Arad,'c, d'", 'Cluj,e f'),
    at: { typed: "--quote '\"'" },
    said: /cut at the wrong places, --delimiter and --quote say where/,
    take: { typed: '--quote "\'"' },
    rows: 3,
  },
  'a mended row': {
    given: ['read/widths/width-outcome.ts ragged'],
    file: `${TABLE}${lines(...NAMES.map((name) => `${name} 2,1,2`), ...NAMES.map((name) => `${name} 3,1,2`), 'Vaslui,5,6,,')}`,
    said: /1 row, on line 26, is mended: surplus delimiters .* \(--ragged quarantine\)/,
    take: { typed: '--ragged quarantine' },
    rows: 24,
  },
}
