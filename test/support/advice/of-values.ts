/** Advice about values. */

import { type AdviceCase, columns, lines, NAMES } from './case.ts'

const MANY = [1, 2, 3].flatMap((round) => NAMES.map((name, i) => `${name} ${round},${i}`))
const RARE = [...Array.from({ length: 30 }, (_, i) => `Loc ${i};${i + 1}.${i + 100}`), 'Dej;12.5']
const DATES = lines('judet;data', 'Alba;1/2/2019', 'Arad;3/4/2019')

export const OF_VALUES: Readonly<Record<string, AdviceCase>> = {
  'a total': {
    given: ['read/values/totals.ts totals'],
    file: lines('judet,total', 'Alba,5', 'Arad,6', 'Total,11'),
    said: /line 4 begins with 'Total'.* \(--totals leave_out\)/,
    take: { typed: '--totals leave_out' },
    rows: 2,
  },
  'a total that was left out': {
    given: ['read/values/totals.ts totals'],
    file: lines('judet,total', 'Alba,5', 'Arad,6', 'Total,11'),
    at: { typed: '--totals leave_out' },
    said: /line 4 begins with 'Total'.* \(--totals keep\)/,
    take: { typed: '--totals keep' },
    rows: 3,
  },
  'totals of groups': {
    given: ['subtotals --totals'],
    file: lines('judet,total', 'Alba,5', 'Arad,6', 'Total Vest,11', 'Iasi,3', 'Vaslui,4', 'Total Est,7'),
    said: /warning: 2 rows are totals of other rows.*--totals leave_out leaves them out/,
    take: { typed: '--totals leave_out' },
    rows: 4,
  },
  'totals of groups that were left out': {
    given: ['read/values/totals.ts totals'],
    file: lines('judet,total', 'Alba,5', 'Arad,6', 'Total Vest,11', 'Iasi,3', 'Vaslui,4', 'Total Est,7'),
    at: { typed: '--totals leave_out' },
    said: /2 rows from line 4 on are totals.* \(--totals keep\)/,
    take: { typed: '--totals keep' },
    rows: 6,
  },
  'dates of an open order': {
    given: ['date_order --date-order'],
    file: DATES,
    said: /warning: The column data has dates such as 1\/2\/2019.*--date-order mdy reads them the other way/,
    take: { typed: '--date-order mdy' },
    rows: 2,
  },
  'dates of an open order, confirmed': {
    given: ['date_order --date-order'],
    file: DATES,
    said: /warning: .*--date-order dmy confirms/,
    take: { typed: '--date-order dmy' },
    rows: 2,
  },
  'dates in the order of another column': {
    given: ['read/values/date-order.ts date_order'],
    file: lines('data;alta', '1/2/2019;12/31/2019', '3/4/2019;1/2/2019'),
    said: /the month first, as in the other columns \(--date-order dmy\)/,
    take: { typed: '--date-order dmy' },
    rows: 2,
  },
  'numbers with either decimal mark': {
    given: ['decimal_mark read', 'decimal_mark decimal_mark'],
    file: lines('judet;total', 'Alba;1.234', 'Arad;2.345'),
    said: /warning: The column total has numbers such as .*"decimal_mark": "([.,])" under "read" in a definition says so/,
    take: (mark) => ({ defined: { read: { decimal_mark: mark as '.' } } }),
    rows: 2,
  },
  'a decimal mark of another column': {
    given: ['read/values/load-columns.ts decimal_mark'],
    file: lines('judet;total;rata', 'Alba;1.234;1,5', 'Arad;2.345;2,5'),
    said: /with ',' as the decimal mark, as in the other columns \("decimal_mark" under "read" in a definition\)/,
    take: { defined: { read: { decimal_mark: '.' } } },
    rows: 2,
  },
  'decimals that few values prove, confirmed': {
    given: ['decimal_mark_rare read', 'decimal_mark_rare decimal_mark'],
    file: lines('judet;total', ...RARE),
    said: /warning: The column total has numbers such as 1\.100.* "decimal_mark": "([.,])" under "read" in a definition confirms/,
    take: (mark) => ({ defined: { read: { decimal_mark: mark as '.' } } }),
    rows: 31,
  },
  'decimals that few values prove, kept as texts': {
    given: ['decimal_mark_rare type'],
    file: lines('judet;total', ...RARE),
    said: /warning: The column total has numbers such as 1\.100.*"type": "string" in a definition keeps the texts/,
    take: { defined: columns({ name: 'total', type: 'string' }) },
    rows: 31,
  },
  'decimals with both marks': {
    given: ['read/values/evidence.ts decimal_mark', 'read/values/evidence.ts type'],
    file: lines('judet;total', 'Alba;1.5', 'Arad;2,25'),
    said: /'total' is text: 1 of its values is written differently from the others; "decimal_mark": "\." of the column in a definition reads '2,25' as 2\.25/,
    take: { defined: columns({ name: 'total', decimal_mark: '.' }) },
    rows: 2,
  },
  'values that a declared type reads': {
    given: ['read/values/evidence.ts type'],
    file: lines('judet,total', ...NAMES.map((name, i) => `${name},${i}`), 'Vaslui,12 %', 'Vrancea,12'),
    said: /"type": "integer" in a definition reads '12 %' as 12/,
    take: { defined: columns({ name: 'total', type: 'integer' }) },
    rows: 10,
  },
  'marks for no value': {
    given: ['read/values/obstacles.ts null_values'],
    file: lines('judet,total', ...MANY, 'Vaslui,-', 'Vrancea,n/a'),
    said: /'total' is text and not integer because of 2 values.*; --null-values '?-,n\/a'? makes them null/,
    take: { typed: '--null-values -,n/a' },
    rows: 26,
  },
  'marks for no value in what is published': {
    given: ['commands/ingest/columns.ts --accept-drift'],
    served: { file: lines('judet,total', ...MANY, 'Vaslui,-') },
    file: lines('judet,total', ...MANY, 'Vaslui,n/a'),
    said: /--null-values '?n\/a'? makes it null, in every column\na column that is published .* --accept-drift/,
    take: { typed: '--null-values n/a --accept-drift' },
    rows: 25,
  },
  'values that are no numbers': {
    given: ['read/values/obstacles.ts type'],
    file: lines('judet,total', ...NAMES.map((name, i) => `${name},${i}`), 'Vaslui,multi', 'Vrancea,12'),
    said: /'total' is text and not integer because of 1 value.*"type": "integer" in a definition sends their rows/,
    take: { defined: columns({ name: 'total', type: 'integer' }) },
    rows: 9,
  },
  'numbers in lakh': {
    given: ['read/values/evidence.ts type', 'read/values/evidence.ts null_values'],
    file: lines('stat;total', 'Kerala;1,42,782', 'Goa;17,450', 'Delhi;950', 'Bihar;NA'),
    said: /grouped in lakh.* "type": "integer" in a definition .* --null-values NA makes the others null/,
    take: { typed: '--null-values NA', defined: columns({ name: 'total', type: 'integer' }) },
    rows: 4,
  },
  'another quote further down': {
    given: ['double_quotes --quote'],
    file: `id,name\n${Array.from({ length: 20_000 }, (_, i) => `${i},'a, ${i}'\n`).join('')}7,"abc"\n`,
    said: /warning: The column name keeps the double quotes around some values \(1\).*--quote settles it/,
    take: { typed: '--quote "\'"' },
    rows: 20_001,
  },
}
