/** Advice about encodings, quotes, delimiters and sheets. */

import { encodeText } from '../encode-text.ts'
import { xlsx } from '../workbooks.ts'
import { type AdviceCase, lines } from './case.ts'

const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))
const CAFE = encodeText('a,b\n1,Þór\n2,x\n', 'windows-1252')

export const OF_BYTES: Readonly<Record<string, AdviceCase>> = {
  'an encoding without proof': {
    given: ['encoding_other --encoding'],
    file: CAFE,
    said: /warning: The letters were read as windows-1250.*--encoding (\S+) reads it so/,
    take: (encoding) => ({ typed: `--encoding ${encoding}` }),
    rows: 2,
  },
  'an encoding without proof, confirmed': {
    given: ['encoding_other --encoding'],
    file: CAFE,
    said: /warning: The letters were read as windows-1250.*--encoding windows-1250 confirms/,
    take: { typed: '--encoding windows-1250' },
    rows: 2,
  },
  'an encoding of other languages': {
    given: ['encoding_words --encoding'],
    file: encodeText(
      lines('a,b', ...Array.from({ length: 9 }, (_, i) => `${i},Brä${'äöüß'[i % 4]}xq`)),
      'windows-1252',
    ),
    said: /warning: .* look wrong\. --encoding names another one/,
    take: { typed: '--encoding windows-1250' },
    rows: 9,
  },
  'an encoding that was asked for': {
    given: ['encoding_asked --encoding'],
    file: lines('a,b', '1,Iași'),
    at: { typed: '--encoding windows-1250' },
    said: /warning: The file is read as windows-1250.*--encoding utf-8 reads it so/,
    take: { typed: '--encoding utf-8' },
    rows: 1,
  },
  'broken bytes in the header': {
    given: ['header_bytes --encoding'],
    file: Buffer.concat([Buffer.from('jude'), Buffer.from([0xfe]), Buffer.from(',n\nIași,3\nTimiș,4\n')]),
    said: /warning: The header has bytes that do not exist in utf-8.*name it with --encoding/,
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
    given: ['not_text --encoding'],
    file: utf16('ăîșț;ăîșț\nășîț;țțșș\n'),
    said: /neither a table nor text.* --encoding\. \(sample\.csv has a NUL byte/,
    take: { typed: '--encoding utf-16le' },
    rows: 1,
  },
  'JSON in an encoding that it is not in': {
    given: ['wrong_encoding --encoding'],
    file: encodeText('[{"a":"Şomcuta"},{"a":"Alba"}]', 'windows-1250'),
    at: { typed: '--encoding windows-1253' },
    said: /The file is not written in windows-1253\. Name its encoding with --encoding/,
    take: { typed: '--encoding windows-1250' },
    rows: 2,
  },
  'JSON in an encoding of its own': {
    given: ['read/source/json/json.ts encoding'],
    file: encodeText('[{"a":"Iaşi"},{"a":"Alba"}]', 'windows-1250'),
    said: /not valid UTF-8.*name its encoding with --encoding/,
    take: { typed: '--encoding windows-1250' },
    rows: 2,
  },
  'a quote that is never closed': {
    given: ['open_quote --quote'],
    file: lines('judet,nota', 'Alba,"x', 'Arad,y'),
    said: /The quote that opens on line 2, in cell 2, is never closed.* --quote none/,
    take: { typed: '--quote none' },
    rows: 2,
  },
  'more cells than columns can be': {
    given: ['too_many_columns --delimiter'],
    file: lines('judet;total', `Alba;${',5'.repeat(17_000)}`, 'Arad;6'),
    at: { typed: '--delimiter ,' },
    said: /Line 2 has 17,001 cells, .*Is --delimiter right\?/,
    take: { typed: "--delimiter ';'" },
    rows: 2,
  },
  'a workbook of two tables': {
    given: ['read/source/spreadsheet/workbook.ts sheet'],
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
