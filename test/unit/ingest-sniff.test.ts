import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeToUtf8 } from '../../src/read/source/encoding/decode.ts'
import { normalizeEncoding } from '../../src/read/source/encoding/encoding-names.ts'
import { surveyFile } from '../../src/read/source/encoding/sniff.ts'
import { recogniseFile } from '../../src/read/source/file-format.ts'
import { encodeText } from '../support/encode-text.ts'
import { tempDir } from '../support/temp-dir.ts'

const ROMANIAN = 'județ;oraş\nIaşi;Târgu Frumoş\nBrăila;Însurăţei\nVâlcea;Băile Govora\n'

function recognise(bytes: Uint8Array | string): string {
  const path = join(tempDir(), 'f')
  writeFileSync(path, bytes)
  return recogniseFile(path).name
}

function survey(bytes: Uint8Array | string, encoding?: string) {
  const path = join(tempDir(), 'f')
  writeFileSync(path, bytes)
  return { path, ...surveyFile({ path, name: 'f', bytes: bytes.length }, encoding) }
}

/** What the file reads as, decoded as the ingest does. */
function readBack(bytes: Uint8Array, encoding?: string): { encoding: string; text: string } {
  const found = survey(bytes, encoding)
  if (found.isUtf8)
    return { encoding: found.encoding, text: readFileSync(found.path).subarray(found.markBytes).toString() }
  const target = `${found.path}.utf8`
  decodeToUtf8(found.path, found.markBytes, found.encoding, target)
  return { encoding: found.encoding, text: readFileSync(target, 'utf8') }
}

test.each(['windows-1250', 'windows-1252', 'iso-8859-2', 'iso-8859-16'])(
  '%s is recognised by the letters and signs that only it has there',
  (encoding) => {
    const text = {
      'windows-1250': 'nume\n„Şcoala Ştefan cel Mare” – Iaşi\nBraşov, Constanţa\n',
      'windows-1252': 'nombre\nEspaña, año 2011, señor Núñez\nDescripción de la gestión\n',
      'iso-8859-2': 'név\nŠkoda Plzeň, Žilina, Ľubica, košice, šport, teľa, Łódź\n',
      'iso-8859-16': 'nume\n„Școala Ștefan cel Mare” Iași\n„Brașov” Constanța\n',
    }[encoding] as string
    expect(readBack(encodeText(text, encoding))).toEqual({ encoding, text })
  },
)

test('two bytes above ASCII, far from the start, decide the encoding of a whole file', () => {
  const text = `name,town\n${'plain,plain\n'.repeat(200_000)}Primăria,Iaşi\n`
  expect(survey(encodeText(text, 'windows-1250'))).toMatchObject({ encoding: 'windows-1250', isUtf8: false })
  expect(survey(text)).toMatchObject({ encoding: 'utf-8', isUtf8: true, confidence: 1 })
})

test('UTF-8 is recognised with characters split between two reads at any byte', () => {
  for (const shift of [0, 1, 2, 3]) {
    const text = `${'x'.repeat(shift)}${'ă\u{1f600}ț'.repeat(150_000)}`
    expect(survey(text).isUtf8).toBe(true)
  }
})

test.each(['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])(
  '%s with a byte order mark',
  (encoding) => {
    expect(readBack(encodeText(`\ufeff${ROMANIAN}`, encoding))).toEqual({ encoding, text: ROMANIAN })
  },
)

test.each(['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])('%s without a byte order mark', (encoding) => {
  expect(readBack(encodeText(ROMANIAN, encoding))).toEqual({ encoding, text: ROMANIAN })
})

test('characters beyond the basic plane survive every wide encoding', () => {
  const text = `a,b\n${'\u{1f600}ț,x\n'.repeat(9000)}`
  for (const encoding of ['utf-16le', 'utf-32be'])
    expect(readBack(encodeText(text, encoding), encoding).text).toBe(text)
})

test('a requested encoding is used, under its usual names', () => {
  const bytes = encodeText('preţ,Iaşi', 'iso-8859-2')
  expect(readBack(bytes, 'latin2').text).toBe(new TextDecoder('iso-8859-2').decode(bytes))
  expect(['UTF8', 'cp1250', 'latin1', 'ISO_8859-16', 'utf-16', 'utf32'].map(normalizeEncoding)).toEqual([
    'utf-8',
    'windows-1250',
    'windows-1252',
    'iso-8859-16',
    'utf-16le',
    'utf-32le',
  ])
  expect(() => normalizeEncoding('klingon')).toThrow(/encoding “klingon” is not known/)
})

test('UTF-8 with a few wrong bytes is not taken for something else', () => {
  const bytes = new TextEncoder().encode(`a,b\n${'țară,oraș\n'.repeat(50)}`)
  bytes[bytes.length - 6] = 0xff
  expect(survey(bytes)).toMatchObject({ encoding: 'utf-8', isUtf8: false })
  expect(readBack(bytes).text).toContain('\ufdd2')
})

test.each([
  ['a surrogate', [0xed, 0xa0, 0x80], 3],
  ['an overlong form', [0xe0, 0x80, 0xaf], 3],
  ['a character beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80], 4],
  ['a character cut off', [0xe2, 0x82], 1],
  ['a character cut off by a letter', [0xe2, 0x82, 0x41], 1],
  ['a stray byte between characters', [0xc8, 0x99, 0xff, 0xc8, 0x9b], 1],
])('%s is not UTF-8: each broken place is marked, and what is around it is kept', (_, wrong, places) => {
  const before = new TextEncoder().encode(`a,b\n${'țară,oraș\n'.repeat(50)}`)
  const { text } = readBack(new Uint8Array([...before, ...wrong, 10]))
  const kept = Buffer.from(wrong)
    .toString('utf8')
    .replace(/\ufffd/g, '')
  expect(text.replaceAll('\ufdd2', '')).toBe(`${Buffer.from(before)}${kept}\n`)
  expect(text.split('\ufdd2')).toHaveLength(places + 1)
})

test('broken bytes are marked alike when split between two reads at any byte', () => {
  for (let shift = 0; shift < 8; shift++) {
    const good = Buffer.from(`${'x'.repeat((1 << 20) - 10 + shift)}ă\u{1f600}ț`)
    const bytes = Buffer.concat([good, Buffer.from([0xf0, 0x9f]), Buffer.from('ă'.repeat(1000))])
    expect(readBack(bytes).text).toBe(`${good}\ufdd2${'ă'.repeat(1000)}`)
  }
})

test.each([
  'PAR1,cod,nume\n1,2,3\n',
  'BZh,cod\n1,2\n',
  'Rar!,cod\n1,2\n',
  '7z,cod\n1,2\n',
  '<id>,<name>\n1,2\n',
  '<a>;<b>\n1;2\n',
  '<5 ani,>5 ani\n1,2\n',
])('%j is text, whatever it begins with', (content) => {
  expect(recognise(content)).toBe('delimited text')
  expect(survey(content)).toMatchObject({ encoding: 'utf-8' })
})

test('a file with NUL bytes is not text', () => {
  expect(() => survey('a,b\n1,\0\n')).toThrow(/nor text\..*NUL byte at offset 6/)
})

test.each([
  ['PK\x03\x04....[Content_Types].xml', 'a ZIP archive'],
  ['%PDF-1.7', 'a PDF document'],
  ['\n <!DOCTYPE html><p>404', 'an HTML page'],
  ['<!-- saved from url --><p>x</p>', 'an HTML page'],
  ['<div class="error">404</div>', 'an HTML page'],
  ['<table>\n<tr><td>1</td></tr></table>', 'an HTML page'],
  ['<?xml version="1.0"?>', 'an XML document'],
  ['<rows><row/></rows>', 'an XML document'],
  ['<feed xmlns="http://www.w3.org/2005/Atom">', 'an XML document'],
  ['PAR1\x15\x04\x15...PAR1', 'a Parquet file'],
  ['BZh91AY&SYx', 'a bzip2 archive'],
  ['Rar!\x1a\x07\x01', 'a RAR archive'],
  [' [{"a": 1}]', 'JSON'],
  ['{"a": 1}\n{"a": 2}\n', 'NDJSON'],
])('%j is not delimited text, and is called what it is', (content, name) => {
  expect(recognise(content)).toBe(name)
})

test('archives and old workbooks are recognised', () => {
  expect(recognise(Bun.gzipSync(new TextEncoder().encode('a,b')))).toBe('a gzip archive')
  expect(recognise(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1]))).toContain('an XLS workbook')
})

test('the SHA-256 is that of the bytes of the file', () => {})
