import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDelimiter } from '../../src/read/definition/read-options.ts'
import { detectDialect } from '../../src/read/records/dialect.ts'
import { findHeader, readHeaderAt } from '../../src/read/structure/find-header.ts'
import { tempDir } from '../support/temp-dir.ts'

function detect(text: string, given: Parameters<typeof detectDialect>[1] = {}) {
  const sample = { bytes: new TextEncoder().encode(text), whole: true }
  const dialect = detectDialect(sample, given)
  return {
    delimiter: String.fromCharCode(dialect.delimiter),
    quote: dialect.quote < 0 ? '' : String.fromCharCode(dialect.quote),
    lineEnd: dialect.lineEnd,
    header: () => findHeader(sample, dialect),
    headerAt: (row: number, by = '--header-row') => {
      const path = join(tempDir(), 'f')
      writeFileSync(path, text)
      return readHeaderAt(path, 0, dialect, { rows: [row], by })
    },
  }
}

test.each([
  [',', 'a,b,c\n1,2,3\n4,5,6\n'],
  [';', 'a;b;c\n1,5;2,5;3,5\n4,0;5,1;6,2\n'],
  ['\t', 'nume\tadresa\nIon\tStr. Lungă, nr. 5; ap. 3\nAna\tBd. Unirii, nr. 1; ap. 2\n'],
  ['\t', 'nume\tcod\n\tx\n\ty\n\tz\nIon\t\nAna\t\n'],
  ['|', 'a|b\n1;2|x\n3;4|y\n'],
  [',', 'trip,time\n10242,04:32:00\n10243,05:10:30\n'],
  [';', 'a;b\n"x;1,2";3\n"y;1,2";4\n'],
  ['^', 'a^b\n1^2\n3^4\n'],
  ['^', 'cod^oras^note\n1^Cluj, RO^x\n2^Alba, RO^y; z\n3^Iasi, RO^w\n'],
  ['~', 'cod~oras\n1~Cluj, RO\n2~Alba, RO\n'],
  ['#', 'cod#oras\n1#Cluj, RO\n2#Alba, RO\n'],
  ['!', 'cod!oras!nr\n1!Cluj, RO!4\n2!Alba, RO!7\n'],
  ['*', 'cod*oras*nr\n1*Cluj, RO*4\n2*Alba, RO*7\n'],
  ['\x1f', 'cod\x1foras\x1fnr\n1\x1fCluj, RO\x1f4\n2\x1fAlba, RO\x1f7\n'],
  ['~', 'cod~oras~nr\n1~Cluj, RO~4\n2~Alba, RO~7\n'],
  [',', 'cod,oras\n1,a^b\n2,c^d\n'],
  [',', 'oras,a!b!c,d\n1,x!y!z,2\n2,y,3\n'],
  [',', 'cod,oras\n1,~5 km\n2,#7\n'],
])('%j is found between the cells of %j', (delimiter, text) => {
  expect(detect(text).delimiter).toBe(delimiter)
})

test('a symbol in texts that is in every record as often as a usual delimiter is not a certain one', () => {
  const sample = { bytes: new TextEncoder().encode('l*a*h,pret\n10*20*30,5\n11*21*31,6\n'), whole: true }
  expect(detectDialect(sample, {}).lead).toBeLessThan(0.6)
})

test('one column of sentences stays one column', () => {
  const text = 'observatii\nfără\nda, dar numai azi\nnu: închis\n12\nmâine\nalt text; încă unul\n'
  const { header } = detect(text)
  expect(header().cells).toEqual(['observatii'])
})

test('single quotes count only where they wrap cells and double quotes wrap none', () => {
  expect(detect("a,b\n'x, y','z'\n'u','v, w'\n").quote).toBe("'")
  expect(detect("a,b\nCEE'D,x\nO'Neil,y\n").quote).toBe('"')
  expect(detect('a,b\n"x",\'y\'\n"z",\'w\'\n').quote).toBe('"')
})

test('single quotes count where they wrap delimiters, even in a few cells only', () => {
  const rows = Array.from({ length: 20 }, (_, i) => (i % 5 === 0 ? `${i},'Cluj, RO',x\n` : `${i},Alba,x\n`))
  expect(detect(`cod,oras,nota\n${rows.join('')}`)).toMatchObject({ delimiter: ',', quote: "'" })
  const carets = Array.from({ length: 20 }, (_, i) => `${i}^'Cluj ^ ${i}, RO'^x\n`)
  expect(detect(`cod^oras^nota\n${carets.join('')}`)).toMatchObject({ delimiter: '^', quote: "'" })
  const plain = Array.from({ length: 20 }, (_, i) => `${i},'Cluj' and 'Alba',x\n`)
  expect(detect(`cod,oras,nota\n${plain.join('')}`).quote).toBe('"')
})

test.each([
  ['crlf', 'a,b\r\n"x\ny",2\r\n'],
  ['lf', 'a,b\n"x\r\ny",2\n'],
  ['cr', 'a,b\r1,2\r'],
  ['mixed', 'a,b\n1,2\r\n'],
])('line ends are %s whatever is inside quotes', (lineEnd, text) => {
  expect(detect(text).lineEnd).toBe(lineEnd as never)
})

test('title rows and blank rows above the header are skipped', () => {
  const { header } = detect(
    'Situația șomerilor,,,\n\nmartie 2019,,,\nJudet,Total,Femei,\nAlba,5,2,\nArad,6,3,\n',
  )
  expect(header()).toMatchObject({
    records: [4],
    blankBefore: 1,
    cells: ['Judet', 'Total', 'Femei', ''],
    nextLine: 5,
  })
})

test('a header with blank names, or narrower than its rows, is still the header', () => {
  expect(detect(',value\n1,5\n2,6\n').header().records).toEqual([1])
  expect(detect('Name,Date,Value\nTOTAL,2005,56,7\nTOTAL,2006,57,1\n').header().cells).toEqual([
    'Name',
    'Date',
    'Value',
  ])
})

test('the requested header is used, counted in records, blank ones included', () => {
  const { headerAt } = detect('"title\nin two lines",x\n\na,b\n1,2\n')
  expect(headerAt(3)).toMatchObject({ records: [3], cells: ['a', 'b'], nextLine: 5, warnings: [] })
  expect(() => headerAt(2)).toThrow(/Row 2, which was chosen as the header, is blank/)
  expect(() => headerAt(9, 'header_row in the definition')).toThrow(
    /Row 9, which was chosen as the header, is not there: the file has 4 rows/,
  )
})

test('the requested header may be anywhere in the file', () => {
  const titles = Array.from({ length: 60_000 }, (_, i) => `note ${i},\n`).join('')
  const { headerAt } = detect(`${titles}name,value\nAlba,1\n`)
  const end = titles.length + 'name,value\n'.length
  expect(headerAt(60_001)).toMatchObject({
    records: [60_001],
    cells: ['name', 'value'],
    end,
    nextLine: 60_002,
  })
})

test.each([
  ['id,,,\n1,2,3,4\n5,6,7,8\n', ['id', '', '', '']],
  ['id,,\n1,2,3\n', ['id', '', '']],
  ['id,\n1,2\n', ['id', '']],
  ['id,name,,,,\n1,x,2,3,4,5\n2,y,2,3,4,5\n', ['id', 'name', '', '', '', '']],
  ['id,,,\n1,,,\n2,3,4,5\n', ['id', '', '', '']],
])('a sparse header directly above data is not a title: %j', (text, cells) => {
  const header = detect(text).header()
  expect(header).toMatchObject({ records: [1], cells, warnings: [] })
})

test('blank names above data are a header without names, and the first row stays a row', () => {
  expect(detect(',\n1,2\n3,4\n').header()).toMatchObject({
    records: [1],
    blankBefore: 0,
    cells: ['', ''],
    end: 2,
    nextLine: 2,
    warnings: [{ code: 'unnamed_header', values: { line: 1 } }],
  })
  expect(detect(',,\nJudet,2019,2020\nAlba,1,7\n').header()).toMatchObject({ records: [2], blankBefore: 1 })
})

test('titles above years, serial numbers and names are titles, and a decision repeats them', () => {
  for (const names of ['Judet,2019,2020,2021', 'Judet,1,2,3', 'Judet,Total,Femei,']) {
    const header = detect(`Raport anual,,,\n2019,,,\n${names}\nAlba,5,2,9\nArad,6,3,4\n`).header()
    expect(header.records).toEqual([3])
    expect(header.decisions).toEqual([
      {
        kind: 'titles',
        reason: expect.stringMatching(/record 3 .* for titles: 'Raport anual', '2019'$/),
        override: '--header-row',
      },
    ])
  }
})

test('a header that looks like data is not a proven one', () => {
  const { of, sure, doubt } = detect('1,2\n3,5\n').header().confidence
  expect([of, sure]).toEqual(['header', 0.5])
  expect(doubt?.message).toMatch(/looks like a row of data\. \(1, 2\)/)
  expect(doubt?.override).toContain('--header-row 0')
  expect(doubt?.reasons).toEqual([{ code: 'header_like_data', values: { record: 1 } }])
  expect(detect('judet,2019\nAlba,5\n').header().warnings).toEqual([])
})

test('a header with a broken quote is refused, not guessed', () => {
  expect(() => detect('"id,name\n1,x\n2,"y"\n').header()).toThrow(/The header on line 1 has a stray quote/)
})

test('apostrophes are quotes only where they wrap a column and balance everywhere', () => {
  const rows = (wrap: (i: number) => string) =>
    Array.from({ length: 30 }, (_, i) => `${i},${wrap(i)}\n`).join('')
  expect(detect(`id,name\n${rows((i) => `'a, ${i}'`)}`).quote).toBe("'")
  expect(detect(`id,name\n${rows((i) => (i < 3 ? "'x'" : 'plain'))}`).quote).toBe('"')
  expect(detect(`id,name\n${rows((i) => (i === 9 ? "'t Hooft" : "'x'"))}`).quote).toBe('"')
  expect(detect(`id,name\n${rows((i) => (i === 9 ? "'x\ny'" : "'x'"))}`).quote).toBe('"')
})

test('a quote left open to the end of the sample does not hide the delimiter', () => {
  const sample = { bytes: new TextEncoder().encode(`a;b\n1;"x\n${'2;y\n'.repeat(500)}`), whole: false }
  expect(detectDialect(sample, {})).toMatchObject({ delimiter: 59 })
})

test('delimiter and quote are never the same', () => {
  expect(() => detect('a,b\n', { delimiter: 44, quote: 44 })).toThrow(/“,” cannot both/)
  expect(detect('a,b\n1,2\n', { quote: 44 }).delimiter).not.toBe(',')
})

test('a delimiter is one ASCII character, written as itself, \\t or tab', () => {
  expect([';', '\\t', 'tab', 'TAB', '\t'].map(parseDelimiter)).toEqual([59, 9, 9, 9, 9])
  for (const wrong of ['', ';;', '§', '"', '\n'])
    expect(() => parseDelimiter(wrong)).toThrow(/delimiter must be one/)
})
