import { expect, test } from 'bun:test'
import { detectDialect, findHeader, parseDelimiter } from '../../src/ingest/dialect.ts'

function detect(text: string, given: Parameters<typeof detectDialect>[1] = {}) {
  const sample = { bytes: new TextEncoder().encode(text), whole: true }
  const dialect = detectDialect(sample, given)
  return {
    delimiter: String.fromCharCode(dialect.delimiter),
    quote: dialect.quote < 0 ? '' : String.fromCharCode(dialect.quote),
    lineEnd: dialect.lineEnd,
    header: (row?: number) => findHeader(sample, dialect, row),
  }
}

test.each([
  [',', 'a,b,c\n1,2,3\n4,5,6\n'],
  [';', 'a;b;c\n1,5;2,5;3,5\n4,0;5,1;6,2\n'],
  ['\t', 'nume\tadresa\nIon\tStr. Lungă, nr. 5; ap. 3\nAna\tBd. Unirii, nr. 1; ap. 2\n'],
  ['|', 'a|b\n1;2|x\n3;4|y\n'],
  [',', 'trip,time\n10242,04:32:00\n10243,05:10:30\n'],
  [';', 'a;b\n"x;1,2";3\n"y;1,2";4\n'],
  ['^', 'a^b\n1^2\n3^4\n'],
])('%j is found between the cells of %j', (delimiter, text) => {
  expect(detect(text).delimiter).toBe(delimiter)
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

test.each([
  ['crlf', 'a,b\r\n"x\ny",2\r\n'],
  ['lf', 'a,b\n"x\r\ny",2\n'],
  ['cr', 'a,b\r1,2\r'],
  ['mixed', 'a,b\n1,2\r\n'],
])('line ends are %s whatever stands inside quotes', (lineEnd, text) => {
  expect(detect(text).lineEnd).toBe(lineEnd as never)
})

test('title rows and blank rows above the header are skipped', () => {
  const { header } = detect(
    'Situația șomerilor,,,\n\nmartie 2019,,,\nJudet,Total,Femei,\nAlba,5,2,\nArad,6,3,\n',
  )
  expect(header()).toMatchObject({
    record: 4,
    blankBefore: 1,
    cells: ['Judet', 'Total', 'Femei', ''],
    nextLine: 5,
  })
})

test('a header with blank names, or narrower than its rows, is still the header', () => {
  expect(detect(',value\n1,5\n2,6\n').header().record).toBe(1)
  expect(detect('Name,Date,Value\nTOTAL,2005,56,7\nTOTAL,2006,57,1\n').header().cells).toEqual([
    'Name',
    'Date',
    'Value',
  ])
})

test('the header asked for is taken, counted in records, blank ones included', () => {
  const { header } = detect('"title\nin two lines",x\n\na,b\n1,2\n')
  expect(header(3)).toMatchObject({ record: 3, cells: ['a', 'b'], nextLine: 5 })
  expect(() => header(2)).toThrow(/record 2, which --header-row names as the header, is blank/)
  expect(() => header(9)).toThrow(/record 9, .* is not there/)
})

test('a delimiter is one ASCII character, written as itself, \\t or tab', () => {
  expect([';', '\\t', 'tab', 'TAB', '\t'].map(parseDelimiter)).toEqual([59, 9, 9, 9, 9])
  for (const wrong of ['', ';;', '§', '"', '\n'])
    expect(() => parseDelimiter(wrong)).toThrow(/delimiter must be one/)
})
