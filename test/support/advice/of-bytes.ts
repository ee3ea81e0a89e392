/** Advice about encodings, quotes, delimiters and sheets. */

import { encodeText } from '../encode-text.ts'
import { xlsx } from '../workbooks.ts'
import { type AdviceCase, lines } from './case.ts'

const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))
const CAFE = encodeText('a,b\n1,Þór\n2,x\n', 'windows-1252')

export const OF_BYTES: Readonly<Record<string, AdviceCase>> = {
  'an encoding without proof': {
    given: ['read/table/table-warnings.ts encoding'],
    file: CAFE,
    said: /warning: the encoding is taken to be windows-1250.*--encoding (\S+) reads it so/,
    take: (encoding) => ({ typed: `--encoding ${encoding}` }),
    rows: 2,
  },
  'an encoding without proof, confirmed': {
    given: ['read/table/table-warnings.ts encoding'],
    file: CAFE,
    said: /warning: the encoding is taken to be windows-1250.*--encoding windows-1250 confirms/,
    take: { typed: '--encoding windows-1250' },
    rows: 2,
  },
  'an encoding of other languages': {
    given: ['read/table/table-warnings.ts encoding'],
    file: encodeText(
      lines('a,b', ...Array.from({ length: 9 }, (_, i) => `${i},Brä${'äöüß'[i % 4]}xq`)),
      'windows-1252',
    ),
    said: /warning: .* are of no language that it is for\. --encoding names another one/,
    take: { typed: '--encoding windows-1250' },
    rows: 9,
  },
  'an encoding that was asked for': {
    given: ['read/table/table-warnings.ts encoding'],
    file: lines('a,b', '1,Iași'),
    at: { typed: '--encoding windows-1250' },
    said: /warning: the file is read as windows-1250.*--encoding utf-8 reads it so/,
    take: { typed: '--encoding utf-8' },
    rows: 1,
  },
  'broken bytes in the header': {
    given: ['read/table/table-warnings.ts encoding'],
    file: Buffer.concat([Buffer.from('jude'), Buffer.from([0xfe]), Buffer.from(',n\nIași,3\nTimiș,4\n')]),
    said: /warning: the header has bytes that utf-8 does not have.*name it with --encoding/,
    take: { typed: '--encoding windows-1250' },
    rows: 2,
  },
  'broken bytes in rows': {
    given: ['publish/edition/gates.ts --encoding'],
    file: encodeText('a,b\n1,Iaşi\n2,Timişoara\n', 'windows-1250'),
    at: { typed: '--encoding utf-8' },
    said: /x invalid_encoding, first on line 2; if the file is in another encoding, name it with --encoding/,
    take: { typed: '--encoding windows-1250' },
    rows: 2,
  },
  'a byte that no text has': {
    given: ['read/source/encoding/sniff.ts encoding'],
    file: utf16('ăîșț;ăîșț\nășîț;țțșș\n'),
    said: /is not text: it has a NUL byte .* --encoding/,
    take: { typed: '--encoding utf-16le' },
    rows: 1,
  },
  'JSON in an encoding that it is not in': {
    given: ['read/source/conversion/converter.ts encoding'],
    file: encodeText('[{"a":"Şomcuta"},{"a":"Alba"}]', 'windows-1250'),
    at: { typed: '--encoding windows-1253' },
    said: /it is not valid windows-1253; name its encoding with --encoding/,
    take: { typed: '--encoding windows-1250' },
    rows: 2,
  },
  'JSON in an encoding of its own': {
    given: ['read/source/json/object-records.ts encoding'],
    file: encodeText('[{"a":"Iaşi"},{"a":"Alba"}]', 'windows-1250'),
    said: /not valid UTF-8.*name its encoding with --encoding/,
    take: { typed: '--encoding windows-1250' },
    rows: 2,
  },
  'a quote that is never closed': {
    given: ['read/records/quoted-cells.ts quote'],
    file: lines('judet,nota', 'Alba,"x', 'Arad,y'),
    said: /the quote that opens cell 2 on line 2 is never closed.* --quote none/,
    take: { typed: '--quote none' },
    rows: 2,
  },
  'more cells than columns can be': {
    given: ['read/records/sample.ts delimiter'],
    file: lines('judet;total', `Alba;${',5'.repeat(17_000)}`, 'Arad;6'),
    at: { typed: '--delimiter ,' },
    said: /line 2 has 17001 cells, .*: is --delimiter right\?/,
    take: { typed: "--delimiter ';'" },
    rows: 2,
  },
  'a workbook of two tables': {
    given: ['read/source/spreadsheet/sheet-choice.ts sheet'],
    file: xlsx([
      {
        name: 'Large',
        rows: [
          ['a', 'b'],
          [1, 2],
          [3, 4],
        ],
      },
      {
        name: 'Small',
        rows: [
          ['c', 'd'],
          [5, 6],
        ],
      },
    ]),
    said: /the sheet 'Large' was read.* the other one is 'Small' .* \(--sheet\)/,
    take: { typed: '--sheet Small' },
    rows: 1,
  },
}
