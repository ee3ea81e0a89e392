/** Advice about what keeps a file from being published. */

import { type AdviceCase, columns, lines, TABLE } from './case.ts'

const TWO = lines('judet,populatie', 'Alba,5', 'Arad,6')
const KEYED = { defined: { ...columns({ name: 'luna' }, { name: 'judet' }), primary_key: ['luna', 'judet'] } }
const MAILS = lines('nume,email', 'Ana,ana@exemplu.ro', 'Ion,ion@exemplu.ro')

export const OF_GATES: Readonly<Record<string, AdviceCase>> = {
  'other columns': {
    given: ['drift --accept-drift'],
    served: { file: TWO },
    file: lines('judet,total', 'Alba,5'),
    said: /does not have the columns that are published[\s\S]*--accept-drift/,
    take: { typed: '--accept-drift' },
    rows: 1,
  },
  'a column with another header': {
    given: ['drift name', 'drift source', 'publish/edition/compare-served.ts columns'],
    served: { file: TWO },
    file: lines('judet,populatia', 'Alba,5'),
    said: /perhaps 'populatie' has another header now: (\{.*?\}) under "columns" in a definition says so[\s\S]*"name" as it is served, "source" as the file has it/,
    take: (column) => ({ defined: columns({ name: 'judet' }, JSON.parse(column)) }),
    rows: 1,
  },
  'an appended column with another header and type': {
    given: ['append_drift columns', 'append_drift name', 'append_drift source', 'append_drift type'],
    served: { file: TWO },
    file: lines('judet,pers', 'Alba,5.5'),
    at: { typed: '--append' },
    said: /so its rows cannot be added[\s\S]*"name" and "type" as they are served, "source" as the file has it/,
    take: {
      typed: '--max-quarantine 100%',
      defined: columns({ name: 'judet' }, { name: 'populatie', source: 'pers', type: 'integer' }),
    },
    rows: 0,
  },
  'keys that are served': {
    given: ['duplicate_key replace_where'],
    served: { ...KEYED, file: lines('luna,judet,total', '1,Alba,5') },
    file: lines('luna,judet,total', '1,Alba,6'),
    at: { ...KEYED, typed: '--append' },
    said: /have the same key as published rows[\s\S]*under "replace_where" in a definition/,
    take: { defined: { replace_where: ['luna'] } },
    rows: 1,
  },
  'too many refused rows': {
    given: ['quarantine --max-quarantine'],
    file: `${TABLE}${lines('Vaslui', 'Vrancea')}`,
    said: /cannot be read\. 2 of 10 rows \(20\.0 %\)[\s\S]*--max-quarantine/,
    take: { typed: '--max-quarantine 20%' },
    rows: 8,
  },
  'too many mended rows': {
    given: ['too_many_mended --max-mended'],
    file: `${TABLE}${lines('Vaslui,5,6,,', 'Vrancea,5,6,,')}`,
    said: /were mended[\s\S]*--max-mended/,
    take: { typed: '--max-mended 20%' },
    rows: 10,
  },
  'mended rows that are not wanted': {
    given: ['too_many_mended --ragged'],
    file: `${TABLE}${lines('Vaslui,5,6,,', 'Vrancea,5,6,,')}`,
    said: /were mended[\s\S]*with --ragged quarantine none is mended/,
    take: { typed: '--ragged quarantine --max-quarantine 20%' },
    rows: 8,
  },
  'few rows': {
    given: ['too_few_rows --accept-shrink'],
    served: { file: lines('judet,populatie', ...Array.from({ length: 30 }, (_, i) => `J${i},${i}`)) },
    file: TWO,
    said: /Fewer than half of the published rows[\s\S]*Rows that are served: 30; rows that would be: 2[\s\S]*--accept-shrink/,
    take: { typed: '--accept-shrink' },
    rows: 2,
  },
  'a part of the rows': {
    given: ['too_few_rows --append'],
    served: { file: lines('judet,populatie', ...Array.from({ length: 30 }, (_, i) => `J${i},${i}`)) },
    file: TWO,
    said: /Rows that are served: 30; rows that would be: 2[\s\S]*if the file is a part, add it with --append/,
    take: { typed: '--append' },
    rows: 2,
  },
  'no rows': {
    given: ['empty --accept-drift'],
    served: { file: TWO },
    file: 'judet,populatie\n',
    said: /the dataset would become empty[\s\S]*--accept-drift/,
    take: { typed: '--accept-drift' },
    rows: 0,
  },
  'data about people, refused': {
    given: ['personal_data --allow-personal-data'],
    env: { IZVOR_PERSONAL_DATA: 'strict' },
    file: MAILS,
    said: /seems to hold personal data[\s\S]*say so with --allow-personal-data email,/,
    take: { typed: '--allow-personal-data email' },
    rows: 2,
  },
  'data about people, refused, and meant': {
    given: ['personal_data personal_data'],
    env: { IZVOR_PERSONAL_DATA: 'strict' },
    file: MAILS,
    said: /seems to hold personal data[\s\S]*or name them under "personal_data" in a definition/,
    take: { defined: { personal_data: ['email'] } },
    rows: 2,
  },
  'data about people': {
    given: ['personal_data --allow-personal-data'],
    file: MAILS,
    said: /warning: The column “email” seems to hold e-mail addresses.*--allow-personal-data email says so/,
    take: { typed: '--allow-personal-data email' },
    rows: 2,
  },
  'data about people that are meant': {
    given: ['personal_data personal_data'],
    file: MAILS,
    said: /warning: The column “email” seems to hold e-mail addresses.*"personal_data": (\[.*?\]) in a definition/,
    take: (list) => ({ defined: { personal_data: JSON.parse(list) } }),
    rows: 2,
  },
  'names of earlier releases': {
    given: ['read/definition/columns.ts columns'],
    served: {
      file: lines('judet,Rata %', 'Alba,5'),
      defined: columns({ name: 'judet' }, { name: 'rata', source: 'Rata %' }),
    },
    file: lines('judet,Rata %', 'Arad,6'),
    said: /columns keep the names that they are served by: 'rata' .* \("columns" in a definition\)/,
    take: {
      typed: '--accept-drift',
      defined: columns({ name: 'judet' }, { name: 'rata_percent', source: 'Rata %' }),
    },
    rows: 1,
  },
}
