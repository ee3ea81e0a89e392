/** Single-byte encodings by the evidence of words: read correctly, or with a warning that names the option. */

import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { PROVEN } from '../../src/read/source/encoding/encoding-score.ts'
import { surveyFile } from '../../src/read/source/encoding/sniff.ts'
import { encodeText } from '../support/encode-text.ts'
import { openWorkplace } from '../support/ingest.ts'
import { runs } from '../support/property-runs.ts'
import { tempDir } from '../support/temp-dir.ts'

const WORDS: Record<string, { words: string; encodings: readonly string[] }> = {
  Romanian: {
    words:
      'Județul Iași Târgu Frumoș Brăila Însurăței Vâlcea Băile Constanța Mureș Argeș Bistrița Năsăud Timiș Galați Ilfov București învățământ școală preț locuință căsătorii născuți vârstă șomeri total și până fără după',
    encodings: ['iso-8859-16'],
  },
  'Romanian with cedillas': {
    words:
      'Judeţul Iaşi Târgu Frumoş Brăila Însurăţei Vâlcea Băile Constanţa Mureş Argeş Bistriţa Năsăud Timiş Galaţi Bucureşti învăţământ şcoală preţ locuinţă căsătorii născuţi vârstă şomeri total şi până fără după',
    encodings: ['windows-1250', 'iso-8859-2'],
  },
  Hungarian: {
    words:
      'népesség születések száma férfi nő összesen győr székesfehérvár kőszeg hódmezővásárhely település megye önkormányzat szűk gyűjtő mezőgazdaság terület időszak évi jövedelem könyvtár bűnözés őriszentpéter',
    encodings: ['windows-1250', 'iso-8859-2'],
  },
  Polish: {
    words:
      'województwo Łódź Kraków Poznań Gdańsk liczba ludności mężczyźni kobiety powiat świętokrzyskie małopolskie śląskie wartość sprzedaży ogółem miesiąc październik żółty gmina urząd książka ćwiczenie',
    encodings: ['windows-1250', 'iso-8859-2'],
  },
  Czech: {
    words:
      'okres Plzeň Zlín České Budějovice Ústí Děčín Třebíč počet obyvatel muži ženy příjmy důchod průměrná mzda zaměstnanců celkem říjen květen úřad město část číslo šířka žák středočeský',
    encodings: ['windows-1250', 'iso-8859-2'],
  },
  French: {
    words:
      'commune département Île-de-France Rhône Besançon Orléans année décès naissances hôpital élèves lycée collège total août fête forêt mère père très près été coût où déjà société français çà Angoulême',
    encodings: ['windows-1252'],
  },
  German: {
    words:
      'Bevölkerung Straße Köln München Düsseldorf Thüringen Baden-Württemberg Männer weiblich Jahr Größe Höhe Anzahl Schüler Gebäude Flächen Äcker Übergang öffentlich fünf zwölf Maß Fuß',
    encodings: ['windows-1252', 'windows-1250', 'iso-8859-2'],
  },
  Spanish: {
    words:
      'España señor Núñez año descripción gestión población número teléfono código Córdoba Málaga León niños mujeres pingüino también más aquí según país días función presupuesto ejecución compañía',
    encodings: ['windows-1252'],
  },
  Russian: {
    words:
      'Население по области город Москва Санкт-Петербург район количество рождений смертей мужчины женщины всего год объём подъезд щётка эффективность юбилей жильё цена',
    encodings: ['windows-1251'],
  },
  Bulgarian: {
    words:
      'Население по области град София Пловдив община брой раждания умирания мъже жени общо година съвет училище щъркел цена площ първи',
    encodings: ['windows-1251'],
  },
  Greek: {
    words:
      'Πληθυσμός Αθήνα Θεσσαλονίκη νομός δήμος άνδρες γυναίκες σύνολο έτος γεννήσεις θάνατοι σχολείο μαθητές τιμή ποσό οδός αριθμός ΑΘΗΝΑ ΚΡΗΤΗ ΣΥΝΟΛΟ ηλικία ώρα',
    encodings: ['windows-1253'],
  },
}

function survey(text: string, encoding: string) {
  const bytes = encodeText(text, encoding)
  const path = join(tempDir(), 'f')
  writeFileSync(path, bytes)
  const found = surveyFile({ path, name: 'f', bytes: bytes.length }, undefined)
  return { ...found, text: new TextDecoder(found.encoding as Bun.Encoding).decode(bytes) }
}

/** Cedilla and comma below have the same bytes. */
const plain = (text: string) => text.replace(/[ȘȚșț]/g, (letter) => 'ŞŢşţ'['ȘȚșț'.indexOf(letter)] as string)

const LANGUAGES = Object.entries(WORDS).flatMap(([language, { words, encodings }]) =>
  encodings.map((encoding) => [language, encoding, words.split(' ')] as const),
)

test.each(LANGUAGES)('%s in %s is read correctly and called proven', (_, encoding, words) => {
  const text = `a,b\n${words.map((word) => `1,${word}\n`).join('')}`
  const found = survey(text, encoding)
  expect(plain(found.text)).toBe(plain(text))
  expect(found.confidence).toBeGreaterThanOrEqual(PROVEN)
})

test.each(LANGUAGES)('a few words of %s in %s are read correctly or warned about', (_, encoding, words) => {
  let wrong = 0
  fc.assert(
    fc.property(fc.subarray([...words], { minLength: 1, maxLength: 8 }), (some) => {
      const text = `a,b\n${some.map((word) => `1,${word}\n`).join('')}`
      const found = survey(text, encoding)
      const isRight = plain(found.text) === plain(text)
      if (!isRight) wrong++
      if (!isRight)
        expect({ some, read: found.text, sure: found.confidence }).toMatchObject({
          sure: expect.closeTo(0.7, 0.1),
        })
      expect(found.confidence).toBeGreaterThanOrEqual(0.6)
    }),
    { numRuns: runs(1000) },
  )
  expect(wrong).toBeLessThan(0.2 * runs(1000))
})

test.each([
  ['£10.50', 'windows-1252'],
  ['12 €', 'windows-1252'],
  ['1º piso', 'windows-1252'],
  ['M²', 'windows-1252'],
  ['¿Cuántos?', 'windows-1252'],
])('%s in %s', async (cell, encoding) => {
  const { text } = survey(`a,b\n1,${cell}\n2,x\n`, encoding)
  expect(text).toContain(cell)
})

test.each([
  ['100 µg/m³', 'windows-1252'],
  ['12 km²', 'windows-1252'],
  ['25 °C', 'windows-1252'],
  ['½', 'windows-1252'],
  ['10 €', 'windows-1252'],
  ['don’t', 'windows-1252'],
])('%s is proof enough', (cell, encoding) => {
  const found = survey(`a,b\n1,${cell}\n2,x\n`, encoding)
  expect(found.text).toContain(cell)
  expect(found.confidence).toBeGreaterThanOrEqual(PROVEN)
})

/** Bytes of words in encodings that are used only on request. */
const UNLISTED = {
  'windows-1254':
    'dd7374616e62756c 457369feeb68697220 4d75f06c61 49f0646972 de69726e616b 41f07269 4bfd72feeb686972',
  'windows-1257':
    'd06961756c696169 50616e6576ebfe7973 4d61feeb696b696169 4be56461696e696169 54656cf06961690a 556b6d657267eb 506c756e67eb',
  'koi8-r': 'edcfd3cbd7c1 f3c1cecbd4 eecfd7cfd3c9c2c9d2d3cb ebc1dac1ced8 fec5ccd1c2c9ced3cb f3c1cdc1d2c1',
  ibm866: '8cae e1aaa2a0 8dae a2ae e1a8a1a8e0e1aa 8aa0a7a0adec 97a5abefa1a8ade1aa 91a0aca0e0a0',
  shift_jis: '938c8b9e 91e58de3 96bc8ce389ae 8e4496 79 959f89aa 906c8cfb 926a90ab',
} as const

test.each(Object.entries(UNLISTED))(
  'words in %s are warned about, whatever they are read as',
  async (_, hex) => {
    const words = hex.split(' ').map((word) => Buffer.concat([Buffer.from('1,'), Buffer.from(word, 'hex')]))
    const text = words.flatMap((word) => [word, Buffer.from('\n')])
    const { dialect, warnings } = await openWorkplace().ingest(Buffer.concat([Buffer.from('a,b\n'), ...text]))
    expect(dialect.confidence).toBe(0.6)
    expect(warnings).toEqual([expect.stringMatching(/(nothing proves it|look wrong).*--encoding/)])
  },
)

test('a better reading in an encoding that is used only on request is named', async () => {
  const russian = WORDS.Russian?.words.split(' ') ?? []
  const koi8 = new Map(
    [...new TextDecoder('koi8-r').decode(Uint8Array.from({ length: 256 }, (_, i) => i))].map((sign, byte) => [
      sign,
      byte,
    ]),
  )
  const lines = russian.map((word) =>
    Uint8Array.from([...`1,${word}\n`].map((sign) => koi8.get(sign) ?? 0x3f)),
  )
  const bytes = Buffer.concat([Buffer.from('a,b\n'), ...lines])
  const { warnings } = await openWorkplace().ingest(bytes)
  expect(warnings).toEqual([expect.stringMatching(/“Население” in koi8-r\. --encoding koi8-r reads it so/)])
  const place = openWorkplace()
  await place.ingest(bytes, { read: { encoding: 'koi8-r' } })
  expect(place.rows().map(({ b }) => b)).toEqual(russian)
})

test('a byte without a meaning costs its record and says nothing about the encoding of the others', async () => {
  const place = openWorkplace()
  const lines = Array.from({ length: 30 }, (_, i) => `${i},Café ${i}\n`).join('')
  const text = encodeText(`a,b\n${lines}`, 'windows-1252')
  const report = await place.ingest(Buffer.concat([text, Buffer.from([0x37, 0x2c, 0x78, 0x81, 0x79, 10])]))
  expect(report.dialect.encoding).toBe('windows-1252')
  expect(report.warnings).toEqual([])
  expect(place.quarantine()).toMatchObject([{ line: 32, reason: 'invalid_encoding', raw: '7,x\ufffdy' }])
})

test('a requested encoding is warned about when the file is UTF-8, and used', async () => {
  const place = openWorkplace()
  const { warnings } = await place.ingest('a,b\n1,Iași\n', { read: { encoding: 'windows-1250' } })
  expect(warnings).toEqual([
    'The file is read as windows-1250, as you chose, but it may also be utf-8: “IaČ™i” would be “Iași”. --encoding utf-8 reads it so.',
  ])
  expect(place.rows()).toEqual([{ a: 1, b: 'IaČ™i' }])
})

test('a header with broken bytes is reported', async () => {
  const bytes = Buffer.concat([
    Buffer.from('jude'),
    Buffer.from([0xff]),
    Buffer.from(',n\nIași,3\nBrăila,4\n'),
  ])
  const { warnings, columns } = await openWorkplace().ingest(bytes)
  expect(columns.map(({ name }) => name)).toEqual(['jude', 'n'])
  expect(warnings).toEqual([
    expect.stringMatching(/^The header has bytes that do not exist in utf-8: 'jude\ufffd'\. .*--encoding/),
  ])
})

test('an unproven reading is a warning with a word in both readings and the options that settle it', async () => {
  const bytes = encodeText('a,b\n1,Þór\n2,x\n', 'windows-1252')
  const { warnings, dialect } = await openWorkplace().ingest(bytes)
  expect(dialect).toMatchObject({ encoding: 'windows-1250' })
  expect(dialect.confidence).toBeGreaterThanOrEqual(0.6)
  expect(warnings).toEqual([
    'The letters were read as windows-1250, but nothing proves it: “Ţór” would be “Þór” in windows-1252. --encoding windows-1252 reads it so, --encoding windows-1250 confirms.',
  ])
  const place = openWorkplace()
  const asked = await place.ingest(bytes, { read: { encoding: 'windows-1252' } })
  expect(asked.warnings).toEqual([])
  expect(place.rows()[0]).toEqual({ a: 1, b: 'Þór' })
})

/** UTF-8 rows, some of them in another encoding. */
const mixed = (rows: number, foreign: (i: number) => boolean) =>
  Buffer.concat([
    Buffer.from('nr,oraș\n'),
    ...Array.from({ length: rows }, (_, i) =>
      foreign(i)
        ? Buffer.from(encodeText(`${i},Iaşi\n`, 'windows-1250'))
        : Buffer.from(`${i},Târgu Mureș ${i % 7}\n`),
    ),
  ])

test('records with invalid UTF-8 are quarantined with their text, the others are served', async () => {
  const place = openWorkplace()
  const report = await place.ingest(mixed(2000, (i) => i % 40 === 7))
  expect(report.rows).toMatchObject({ read: 2000, imported: 1950, quarantined: 50 })
  expect(report.quarantine).toEqual([{ reason: 'invalid_encoding', count: 50, first_line: 9 }])
  expect(place.quarantine()[0]).toMatchObject({ line: 9, column: null, raw: '7,Ia\ufffdi' })
  expect(place.rows().some(({ oras }) => /[\ufffd\ufdd2]/.test(String(oras)))).toBe(false)
})

test('too many such records refuse the file', async () => {
  const report = await openWorkplace().attempt(mixed(1000, (i) => i % 7 === 3))
  expect(report.refusals).toEqual([
    expect.objectContaining({ kind: 'quarantine', message: expect.stringContaining('invalid_encoding') }),
  ])
})

test('a file of another encoding with lines of UTF-8 is warned about', async () => {
  const { warnings } = await openWorkplace().ingest(mixed(100, (i) => i % 5 !== 0))
  expect(warnings).toEqual([expect.stringMatching(/nothing proves it: .* in utf-8\. --encoding utf-8/)])
})

test('a requested encoding that lacks some bytes costs only their records', async () => {
  const place = openWorkplace()
  const rows = Array.from({ length: 30 }, (_, i) => `${i},plain\n`).join('')
  await place.ingest(Buffer.concat([Buffer.from(`a,b\n${rows}`), Buffer.from([0x78, 0x2c, 0xff, 10])]), {
    read: { encoding: 'windows-1253' },
  })
  expect(place.rows()).toHaveLength(30)
  expect(place.quarantine()).toMatchObject([{ reason: 'invalid_encoding', raw: 'x,\ufffd' }])
})

test('a replacement character that the publisher wrote is a character like any other', async () => {
  const place = openWorkplace()
  await place.ingest('a,b\n1,neindemniza\ufffdi\n')
  expect(place.rows()).toEqual([{ a: 1, b: 'neindemniza\ufffdi' }])
})

test('a repair never turns two characters into one', async () => {
  const place = openWorkplace()
  const misread = (text: string) => Buffer.from(text).toString('latin1')
  const report = await place.ingest(`a,b\n1,${misread('București, Brăila').replace(',', '')}\n2,a \u0096 b\n`)
  expect(place.rows().map(({ b }) => b)).toEqual([misread('București Brăila'), 'a – b'])
  expect(report.repairs).toEqual([{ column: 'b', kind: 'misread_windows_1252', count: 1 }])
})
