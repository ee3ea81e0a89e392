/** JSON and NDJSON: objects become rows, and nothing is silently rounded, lost or mistaken for null. */

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { convertBytes, refusalOf } from '../support/converted.ts'
import { encodeText } from '../support/encode-text.ts'
import { openWorkplace } from '../support/ingest.ts'
import { runs } from '../support/property-runs.ts'

test('columns are the names of all objects in order of first appearance, nested ones by their path', async () => {
  const { header, records } = await convertBytes(
    '[{"a":1,"b":{"c":"x","d":[1, {"e" : "f g"}]}}, {"z":null,"a":2}, {"a":true,"late":"y"}]',
  )
  expect(header).toEqual(['a', 'b.c', 'b.d', 'z', 'late'])
  expect(records).toEqual([
    ['1', 'x', '[1,{"e":"f g"}]', '', ''],
    ['2', '', '', '', ''],
    ['true', '', '', '', 'y'],
  ])
})

test('numbers keep the digits they are written with', async () => {
  const workplace = openWorkplace()
  await workplace.ingest('[{"id":12345678901234567890,"x":1.50},{"id":1,"x":2.25}]')
  expect(workplace.rows()).toEqual([
    { id: '12345678901234567890', x: 1.5 },
    { id: '1', x: 2.25 },
  ])
})

test('an empty text differs from null in a column of texts, and is a counted repair in one of numbers', async () => {
  const workplace = openWorkplace()
  const report = await workplace.ingest('[{"t":"","n":1},{"t":null,"n":""},{"t":"x","n":3}]')
  expect(workplace.rows()).toEqual([
    { t: '', n: 1 },
    { t: null, n: null },
    { t: 'x', n: 3 },
  ])
  expect(report.repairs).toEqual([{ column: 'n', kind: 'empty_text', count: 1 }])
})

test('the only array of objects inside an object is read and reported; two of one size are refused', async () => {
  const wrapped =
    '{"help":"x","tags":["a"],"result":{"total":2,"records":[{"a":1},{"a":2}],"fields":[{"id":"a"}]}}'
  const { records, decisions } = await convertBytes(wrapped)
  expect(records).toEqual([['1'], ['2']])
  expect(decisions[0]?.reason).toContain("'result.records'")
  expect(decisions[0]?.reason).toContain("'result.fields'")
  expect(await refusalOf('{"a":[{"x":1}],\n"b":[{"x":1}]}')).toContain("'a', 'b'")
  expect(await refusalOf('{"a":\n1}')).toContain('no list of objects')
  expect(await refusalOf('[]')).toContain('no list of objects')
})

test('NDJSON: blank lines are left out, and bad ones quarantined by line, with their text', async () => {
  const workplace = openWorkplace()
  const lines = ['{"a":1,"b":"x"}', '', '{"a":2,,"b":"y, \\"z\\""}', '{"a":3}', '[1]', '{"a":4,"c":"late"}']
  const report = await workplace.ingest(`\ufeff${lines.join('\r\n')}`, { maxQuarantine: 1 })
  expect(report.dialect.format).toBe('ndjson')
  expect(report.rows).toEqual({ read: 5, blank: 1, imported: 3, quarantined: 2, left_out: 0 })
  expect(workplace.quarantine()).toEqual([
    { line: 3, column: null, reason: 'invalid_json', raw: '{"a":2,,"b":"y, \\"z\\""}' },
    { line: 5, column: null, reason: 'invalid_json', raw: '[1]' },
  ])
  expect(workplace.rows()).toEqual([
    { a: 1, b: 'x', c: null },
    { a: 3, b: null, c: null },
    { a: 4, b: null, c: 'late' },
  ])
})

test('a bad line of a file with one column is quarantined as well', async () => {
  const workplace = openWorkplace()
  await workplace.ingest('{"a":1}\n{"a":\n{"a":2}\n', { maxQuarantine: 1 })
  expect(workplace.rows()).toEqual([{ a: 1 }, { a: 2 }])
  expect(workplace.quarantine().map(({ line, raw }) => [line, raw])).toEqual([[2, '{"a":']])
})

test('broken JSON is refused with line and column', async () => {
  expect(await refusalOf('[{"a":1},\n {"a":2 "b":3}]')).toContain('line 2, at character 9')
  expect(await refusalOf('[{"a":1},\n{"a":2}')).toContain('line 2')
  expect(await refusalOf('[{"a":1}] x')).toContain('something follows')
  expect(await refusalOf('[{"a":01}]')).toContain('a value was expected')
  expect(await refusalOf('[{"a":"\\x"}]')).toContain('means nothing')
  expect(await refusalOf(Buffer.from('[{"a":"\xff"}]', 'latin1'))).toContain('UTF-8')
})

test('100,000 levels are refused, not followed', async () => {
  const deep = 100_000
  expect(await refusalOf(`[{"a":${'['.repeat(deep)}${']'.repeat(deep)}}]`)).toContain('deeper than 1000')
  expect(await refusalOf(`[{"a":${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}}]`)).toContain('deeper than 1000')
})

test('neither a header nor a sheet can be requested', async () => {
  const { ingest } = openWorkplace()
  expect(ingest('[{"a":1}]', { read: { header_row: 2 } })).rejects.toThrow(
    'names of the columns are in the objects',
  )
  expect(ingest('[{"a":1}]', { read: { sheet: 'x' } })).rejects.toThrow('no sheets')
})

const flat = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 5 }).filter((name) => !/[.\ufdd0\ufdd1]|__proto__/.test(name)),
  fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null)),
  { minKeys: 1, maxKeys: 5 },
)

test('any flat objects come back equal, as array and as lines, however they are formatted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(flat, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (objects, asLines) => {
        const text = asLines
          ? objects.map((object) => JSON.stringify(object)).join('\n')
          : JSON.stringify(objects, null, 2)
        const { header, records } = await convertBytes(text, { format: asLines ? 'ndjson' : 'json' })
        const read = records.map((cells) =>
          Object.fromEntries(
            header?.map((name, i) => [name, cells[i] ?? '']).filter(([, cell]) => cell !== '') ?? [],
          ),
        )
        const meant = objects.map((object) =>
          Object.fromEntries(
            Object.entries(object)
              .filter(([, value]) => value !== null)
              .map(([name, value]) => [name, value === '' ? '\ufdd0' : String(value)]),
          ),
        )
        expect(read).toEqual(meant)
      },
    ),
    { numRuns: runs(50) },
  )
})

for (const encoding of ['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be']) {
  for (const mark of ['', '\ufeff']) {
    test(`JSON and NDJSON in ${encoding} ${mark === '' ? 'without a mark' : 'with its mark'} are read as what they are`, async () => {
      const objects = [
        { judet: 'Iași', sum: 1 },
        { judet: 'Bacău 5 €', sum: 2 },
      ]
      const lines = `${objects.map((object) => JSON.stringify(object)).join('\r\n')}\r\n`
      for (const [format, text] of [
        ['json', JSON.stringify(objects, null, 1)],
        ['ndjson', lines],
      ] as const) {
        const workplace = openWorkplace()
        const report = await workplace.ingest(encodeText(mark + text, encoding))
        expect(report.dialect).toMatchObject({ format, encoding })
        expect(workplace.rows()).toEqual(objects)
      }
    })
  }
}

test('JSON in a single-byte encoding is read when the encoding is named', async () => {
  const bytes = encodeText('[{"judeţ":"Iaşi"}]', 'windows-1250')
  const workplace = openWorkplace()
  await expect(workplace.ingest(bytes)).rejects.toThrow(/not valid UTF-8.*--encoding/)
  const report = await workplace.ingest(bytes, { read: { encoding: 'windows-1250' } })
  expect(report).toMatchObject({ dialect: { format: 'json', encoding: 'windows-1250' }, warnings: [] })
  expect(workplace.rows()).toEqual([{ judet: 'Iaşi' }])
})

test('lines of objects are still read as lines when the second one is broken', async () => {
  const workplace = openWorkplace()
  const lines = Array.from({ length: 12 }, (_, i) => (i === 1 ? '"a":1}' : `{"a":${i}}`)).join('\n')
  const report = await workplace.ingest(lines)
  expect(report.rows).toMatchObject({ read: 12, imported: 11, quarantined: 1 })
  expect(report.quarantine).toMatchObject([{ reason: 'invalid_json', first_line: 2 }])
})

test('an object whose only text is a comma or a quote is a row', async () => {
  const workplace = openWorkplace()
  await workplace.ingest(String.raw`[{"a":",","b":null},{"a":null,"b":"\""},{"a":"x","b":"y"}]`)
  expect(workplace.rows().map(({ a, b }) => [a, b])).toEqual([
    [',', null],
    [null, '"'],
    ['x', 'y'],
  ])
})
