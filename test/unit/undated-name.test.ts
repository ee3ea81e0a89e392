import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { titleAbove, undatedName } from '../../src/base/text/undated-name.ts'
import { openWorkplace } from '../support/ingest.ts'
import { tempDir } from '../support/temp-dir.ts'

const NAMES: readonly (readonly [given: string, left: string])[] = [
  ['parcari_septembrie_2026', 'parcari'],
  ['parcari-sept-2026', 'parcari'],
  ['parcari 2026-09-15', 'parcari'],
  ['parcari_15.09.2026', 'parcari'],
  ['parcari (1)', 'parcari'],
  ['parcari_septembrie_2026 (2)', 'parcari'],
  ['2025_salarii_aug', '2025_salarii'],
  ['Salarii pe luna august 2025', 'Salarii'],
  ['Lista funcțiilor la data de 31.03.2025', 'Lista funcțiilor'],
  ['Situația la 1 martie', 'Situația'],
  ['export_20260915_103000', 'export'],
  ['export_2026-09-15T10:30', 'export'],
  ['raport 2026 septembrie', 'raport'],
  ['raport_202609', 'raport'],
  ['raport_2026_09', 'raport'],
  ['raport_09_2026', 'raport'],
  ['raport Sep2026', 'raport'],
  ['Șomaj ianuarie - septembrie 2026', 'Șomaj'],
  ['Vânzări 1-15 septembrie 2026', 'Vânzări'],
  ['Unemployment as of 31 December 2025', 'Unemployment'],
  ['Populația pe județe, mai 2026', 'Populația pe județe'],
  ['ÎNMATRICULĂRI DECEMBRIE 2025', 'ÎNMATRICULĂRI'],
  ['Prețuri (octombrie 2026)', 'Prețuri'],
  // Years stay, and so does what only looks like a moment.
  ['buget_2026', 'buget_2026'],
  ['elevi_2015_2016', 'elevi_2015_2016'],
  ['elevi 2015-2016', 'elevi 2015-2016'],
  ['comert_2023', 'comert_2023'],
  ['abonați noi', 'abonați noi'],
  ['zona_13', 'zona_13'],
  ['cod_123456', 'cod_123456'],
  ['Dunărea de Jos', 'Dunărea de Jos'],
  ['drumar', 'drumar'],
  ['eures_pclm_judete_sem1_2023', 'eures_pclm_judete_sem1_2023'],
  // Nothing else is left.
  ['septembrie_2026', 'septembrie_2026'],
  ['2026-09-15', '2026-09-15'],
  ['', ''],
]

describe('a name without its day and month', () => {
  for (const [given, left] of NAMES)
    test(`'${given}' is '${left}'`, () => expect(undatedName(given)).toBe(left))

  const WORDS = [
    'parcari',
    'Lista școlilor',
    'buget_2026',
    'registru auto',
    'IMOBILE',
    'elevi_2015_2016',
  ] as const
  const MONTHS = [
    ['ianuarie', 'ian', 'January', 'jan'],
    ['februarie', 'feb', 'February'],
    ['martie', 'mar', 'March'],
    ['aprilie', 'apr', 'April'],
    ['mai', 'May'],
    ['iunie', 'iun', 'June', 'jun'],
    ['iulie', 'iul', 'July', 'jul'],
    ['august', 'aug', 'August'],
    ['septembrie', 'sept', 'sep', 'September'],
    ['octombrie', 'oct', 'October'],
    ['noiembrie', 'noi', 'nov', 'November'],
    ['decembrie', 'dec', 'December'],
  ] as const

  test('is the same for every day of every month, in every notation', () => {
    const two = (number: number) => String(number).padStart(2, '0')
    const moment = fc
      .record({
        year: fc.integer({ min: 1990, max: 2040 }),
        month: fc.integer({ min: 1, max: 12 }),
        day: fc.integer({ min: 1, max: 28 }),
        word: fc.nat(),
        form: fc.integer({ min: 0, max: 7 }),
        gap: fc.constantFrom(' ', '_', '-', '.'),
      })
      .map(({ year, month, day, word, form, gap }) => {
        const words = MONTHS[month - 1]!
        const name = words[word % words.length]!
        return [
          [name, year].join(gap),
          [day, name, year].join(gap),
          [year, two(month), two(day)].join(gap),
          [two(day), two(month), year].join(gap),
          [year, two(month)].join(gap),
          `${year}${two(month)}${two(day)}`,
          [day, name].join(gap),
          [year, name].join(gap),
        ][form]!
      })
    const end = fc.constantFrom('', ' (1)', ' (12)')
    const gap = fc.constantFrom(' ', '_', '-', ' - ')
    fc.assert(
      fc.property(
        fc.constantFrom(...WORDS.filter((word) => !/\d$/.test(word))),
        gap,
        moment,
        end,
        (word, between, when, copy) => {
          expect(undatedName(`${word}${between}${when}${copy}`)).toBe(word)
        },
      ),
      { numRuns: 3000 },
    )
    for (const word of WORDS) expect(undatedName(word)).toBe(word)
  })

  test('takes time proportional to its length, whatever it consists of', () => {
    const started = performance.now()
    for (const piece of ['2026-', '1', ' ', '_', 'mai ', '(1)', '01.', 'la '])
      undatedName(`x${piece.repeat(500)}y`)
    expect(performance.now() - started).toBeLessThan(500)
  })
})

test('the title above a table is the first record that names its subject', () => {
  expect(
    titleAbove([
      'MINISTERUL EDUCAȚIEI',
      'Anexa nr. 1',
      'Tabelul 3',
      'Situația  elevilor\npe județe la 30 septembrie 2026',
      '(date provizorii)',
    ]),
  ).toBe('Situația elevilor pe județe')
  expect(
    titleAbove(['Primăria Municipiului Cluj-Napoca', 'Tel. 0264 596 030', '2026', 'Sursa: INS']),
  ).toBeNull()
  expect(titleAbove(['x '.repeat(150), 'Lista școlilor'])).toBe('Lista școlilor')
})

test('next month’s file is recognised as the next edition by the title above its table', async () => {
  const place = openWorkplace()
  const folder = tempDir()
  const file = (month: string, rows: string) => {
    const path = join(folder, `elevi_${month}_2026.csv`)
    writeFileSync(path, `Situația elevilor pe județe, ${month} 2026;\n\nJudeț;Elevi\n${rows}`)
    return [path, { domain: 'education' }] as const
  }
  const first = await place.ingestPath(...file('septembrie', 'Cluj;1\nIași;2\nAlba;3\n'))
  const next = await place.ingestPath(...file('octombrie', 'Cluj;1\nIași;2\nAlba;4\n'))
  expect([first.dataset, first.title, next.dataset, next.version]).toEqual([
    'elevi',
    'Situația elevilor pe județe',
    'elevi',
    2,
  ])
  expect(place.catalog.descriptor('elevi')?.title).toBe('Situația elevilor pe județe')
})
