/** Columns about people: recognised by what is in them, reported before publication, never printed. */

import { describe, expect, test } from 'bun:test'
import { CommandError } from '../../src/base/errors.ts'
import { openDatabase } from '../../src/db/open.ts'
import { maskPersonal, maskValue } from '../../src/read/values/personal-data.ts'
import { openWorkplace, SETTINGS, STRICT, writeDefinition } from '../support/ingest.ts'
import { cnp } from '../support/personal.ts'

/** An account without an owner in a bank that does not exist, with the check digits of ISO 7064. */
function iban(number: number): string {
  const account = `ZZZZ${String(number).padStart(16, '0')}`
  const digits = [...`${account}RO00`].map((sign) => Number.parseInt(sign, 36)).join('')
  return `RO${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`
}

const WARN = { settings: { ...SETTINGS, personal_data: 'warn' } } as const
const many = (write: (i: number) => string) => Array.from({ length: 30 }, (_, i) => write(i))
const fileOf = (name: string, cells: readonly string[]) =>
  `${name};nr\n${cells.map((cell, i) => `${cell};${i % 3}\n`).join('')}`

const KINDS: [string, string, string[]][] = [
  ['cnp', 'cod', many(cnp)],
  ['email', 'adresa', many((i) => `nume.${i}@exemplu.ro`)],
  ['phone', 'contact', many((i) => `072${String(i).padStart(7, '1')}`)],
  ['phone', 'contact', many((i) => `+44 20 7946 0${String(i).padStart(3, '0')}`)],
  ['phone', 'contact', many((i) => `0258/81${String(i).padStart(2, '0')}.12`)],
  ['iban', 'cont', many(iban)],
  // Below such a header the lost zero of a number is recognised.
  ['phone', 'Telefon', many((i) => `25881${String(i).padStart(4, '0')}`)],
]

test.each(KINDS)(
  '%s in a column called %s is reported with its rows, in a warning',
  async (kind, name, cells) => {
    const place = openWorkplace()
    const report = await place.ingest(fileOf(name, cells), WARN)
    const column = name.toLowerCase()
    expect(report.personal_data).toEqual([{ column, kind, share: 1, rows: 30, acknowledged: false } as never])
    expect(report.warnings).toEqual([expect.stringContaining(`"personal_data": ["${column}"]`)])
    expect(report.published).toBe(true)
  },
)

test.each([
  ['codes of 13 digits without the checksum', 'cod', many((i) => `59412340${String(i).padStart(5, '0')}`)],
  ['fractions of ten digits', 'valoare', many((i) => `0.2${String(71234567 + i * 7919)}`)],
  ['decimals below a header for telephones', 'mobile', many((i) => `72.${1234567 + i * 7919}`)],
  ['negative fractions', 'valoare', many((i) => `-0.2${71234567 + i * 7919}`)],
  ['customs codes', 'cod', many((i) => String(2_501_100_000 + i * 3_100_000))],
  ['dates', 'data', many((i) => `${String((i % 28) + 1).padStart(2, '0')}.03.2024`)],
  ['web addresses', 'web', many((i) => `https://exemplu.ro/@${i}`)],
  ['accounts with wrong check digits', 'cont', many((i) => iban(i).replace(/^RO../, 'RO00'))],
  ['numbers of nine digits without a name', 'valoare', many((i) => `25881${String(i).padStart(4, '0')}`)],
])('%s are not about people', async (_, name, cells) => {
  expect((await openWorkplace().ingest(fileOf(name, cells))).personal_data).toEqual([])
})

test('a text column with a few addresses is not a column of addresses, unless its name says so', async () => {
  const cells = many((i) => (i < 3 ? `nume${i}@exemplu.ro` : `text ${i}`))
  expect((await openWorkplace().ingest(fileOf('observatii', cells))).personal_data).toEqual([])
  expect((await openWorkplace().ingest(fileOf('E-mail', cells))).personal_data).toMatchObject([
    { kind: 'email', rows: 3, share: 0.1 },
  ])
})

describe('where personal data refuse an ingest', () => {
  const file = fileOf(
    'email',
    many((i) => `nume.${i}@exemplu.ro`),
  )

  test('nothing is published, and the refusal names what answers it', async () => {
    const place = openWorkplace()
    const error = await place.ingest(file, STRICT).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(CommandError)
    expect((error as CommandError).kind).toBe('refused')
    expect((error as CommandError).message).toMatch(/'email' looks like e-mail.*--allow-personal-data/s)
    expect(place.catalog.find('sample')).toBeUndefined()
  })

  test('the option and the definition acknowledge them', async () => {
    const definition = writeDefinition({ id: 'sample', domain: 'test', personal_data: ['email'] })
    for (const answer of [{ allowPersonalData: ['email'] }, { definition }]) {
      const report = await openWorkplace().ingest(file, { ...STRICT, ...answer })
      expect(report).toMatchObject({ published: true, warnings: [], personal_data: [{ acknowledged: true }] })
    }
  })

  test('acknowledging one column says nothing about another', async () => {
    const two = `a;b\n${many((i) => `a${i}@exemplu.ro;b${i}@exemplu.ro\n`).join('')}`
    const definition = writeDefinition({ id: 'sample', domain: 'test', personal_data: ['a'] })
    const request = { ...STRICT, definition, dryRun: true } as const
    const { refusals } = await openWorkplace().ingest(two, request)
    expect(refusals).toHaveLength(1)
    expect(refusals[0]?.message).toContain("'b' looks like")
    expect(refusals[0]?.message).not.toContain("'a' looks like")
  })

  test('a missing column cannot be acknowledged', async () => {
    const definition = writeDefinition({ id: 'sample', domain: 'test', personal_data: ['emial'] })
    expect(openWorkplace().ingest(file, { definition })).rejects.toThrow(/“emial”.* \(personal_data names it/)
  })
})

test('no report holds a complete personal value', async () => {
  const rows = many((i) => `${cnp(i)};nume.${i}@exemplu.ro;072${String(i).padStart(7, '1')};${iban(i)}\n`)
  const short = many((i) => `${cnp(i)};nume.${i}@exemplu.ro;072${String(i).padStart(7, '1')}\n`)
  const text = `cnp;email;telefon;iban\n${rows.join('')}${short.join('')}`
  const report = JSON.stringify(
    await openWorkplace().ingest(text, {
      ...WARN,
      maxQuarantine: 1,
      read: { ragged: 'quarantine', header_row: 1 },
    }),
  )
  expect(report).toContain('too_few_cells')
  for (let i = 0; i < 30; i++) {
    for (const value of [cnp(i), `nume.${i}@exemplu.ro`, `072${String(i).padStart(7, '1')}`, iban(i)])
      expect(report).not.toContain(value)
  }
})

test('a masked value is recognisable only to those who know it', () => {
  expect(maskValue('nume@exemplu.ro')).toBe('n•••@•••••••.••')
  expect(maskPersonal(`Ion, ion@exemplu.ro, 12.5, 2024-01-31`)).toBe('Ion, i••@•••••••.••, 12.5, 2024-01-31')
  const code = cnp(1).replace(/^(.)(.{6})/, '$1 $2\u00a0')
  expect(maskPersonal(`Ion, ${code}, 3`)).toBe(`Ion, ${maskValue(code)}, 3`)
})

const FILLED = 400
/** Texts below a header, the first ones with codes in them. */
const remarks = (
  name: string,
  codes: readonly string[],
  write = (code: string) => `dosar al lui CNP:${code}, depus`,
) =>
  `nr;${name}\n${Array.from({ length: FILLED }, (_, i) => `${i};${codes[i] === undefined ? `fara observatii ${i}` : write(codes[i] as string)}\n`).join('')}`
const three = [0, 1, 2].map(cnp)
const grouped = (between: string) => {
  const codes = many((i) => cnp(i).replace(/^(.)(.{6})(.{5})/, ['$1', '$2', '$3', ''].join(between)))
  return `nr;cod\n${codes.map((code, i) => `${i};${code}\n`).join('')}`
}

describe('personal codes', () => {
  test.each([
    ['three inside texts', remarks('observatii', three)],
    ['three in one text', remarks('observatii', [three.join(', ')])],
    ['three as cells among texts', remarks('observatii', three, (code) => code)],
    [
      'a fiftieth of a column whose name says so',
      remarks(
        'titular_cnp',
        Array.from({ length: 8 }, (_, i) => cnp(i)),
      ),
    ],
    [
      'a fifth of a column',
      `nr;cod\n${Array.from({ length: 10 }, (_, i) => `${i};${i < 2 ? cnp(i) : `x${i}`}\n`).join('')}`,
    ],
    ['with blanks in them', grouped(' ')],
    ['with non-breaking spaces in them', grouped('\u00a0')],
    ['with hyphens in them', grouped('-')],
    ['joined by a comma', remarks('observatii', three, (code) => `${code},${cnp(9)}`)],
  ])('%s are refused by default', async (_, file) => {
    const { refusals, warnings } = await openWorkplace().attempt(file)
    const column = /nr;(\w+)/.exec(file)?.[1] as string
    expect(refusals).toMatchObject([
      { kind: 'personal_data', override: `--allow-personal-data ${column}`, columns: [column] },
    ])
    expect(warnings).toEqual([])
  })

  const other = (change: (code: string) => string) => three.map(change)
  test.each([
    ['two inside texts', remarks('observatii', three.slice(1))],
    [
      'with a wrong checksum',
      remarks(
        'observatii',
        other((code) => code.slice(0, 12) + ((Number(code[12]) + 1) % 10)),
      ),
    ],
    [
      'of a county that does not exist',
      remarks('observatii', ['1900101990013', '1900101490011', '1900101900018']),
    ],
    [
      'of the thirtieth of February',
      remarks('observatii', ['1900230410014', '2900230410017', '1850230410011']),
    ],
    [
      'that go on with digits',
      remarks(
        'observatii',
        other((code) => `${code}7`),
      ),
    ],
    [
      'that are decimals',
      remarks(
        'valoare',
        other((code) => `0.${code}`),
        (code) => code,
      ),
    ],
  ])('%s are not personal codes', async (_, file) => {
    expect((await openWorkplace().attempt(file)).personal_data).toEqual([])
  })

  test('product codes of 13 digits are not personal codes, though the checksum fits some of them', async () => {
    const goods = Array.from({ length: 20_000 }, (_, i) => String(1_900_101_000_000 + i * 7919))
    const file = `nr;cod\n${goods.map((code, i) => `${i};${code}\n`).join('')}`
    expect((await openWorkplace().attempt(file)).refusals).toEqual([])
  })

  test('are allowed by column name, which is kept: the next edition asks only for other columns', async () => {
    const place = openWorkplace()
    const file = (extra: string) =>
      `nr;titular;${extra}\n${many((i) => `${i};${cnp(i)};${cnp(i + 40)}\n`).join('')}`
    const first = await place.ingest(`nr;titular\n${many((i) => `${i};${cnp(i)}\n`).join('')}`, {
      allowPersonalData: ['titular'],
    })
    expect([first.published, first.warnings]).toEqual([true, []])
    const next = await place.attempt(file('garant'), { acceptDrift: true })
    expect(next.refusals).toMatchObject([{ columns: ['garant'] }])
    const all = await place.ingest(file('garant'), { acceptDrift: true, allowPersonalData: true })
    expect(all.warning_codes).toContainEqual({ code: 'personal_data_all', values: { columns: 'garant' } })
    expect((await place.ingest(file('garant').replace('\n0;', '\n100;'))).refusals).toEqual([])
    const definition = writeDefinition({ id: 'sample', domain: 'test' })
    await place.ingest(file('garant').replace('\n0;', '\n101;'), { definition })
    expect(place.catalog.record('sample')?.definition).toEqual({
      ...{ id: 'sample', domain: 'test', personal_data: ['titular', 'garant'] },
    })
  })

  test('allowed for a name that is not a column are refused as wrong usage', () => {
    const request = { allowPersonalData: ['titluar'] }
    expect(openWorkplace().ingest(remarks('titular', three), request)).rejects.toThrow(/“titluar”/)
  })

  test('a column that is left out needs no answer', async () => {
    const columns = [{ name: 'nr' }]
    const definition = writeDefinition({ id: 'sample', domain: 'test', columns, other_columns: 'drop' })
    expect((await openWorkplace().ingest(remarks('cnp', three), { definition })).published).toBe(true)
  })

  test('in columns served before this was asked stay on an append, are reported once, and are asked for by hand', async () => {
    const place = openWorkplace()
    const rows = (from: number) => `nr;cod\n${many((i) => `${from + i};${cnp(from + i)}\n`).join('')}`
    const append = (from: number) => place.attempt(rows(from), { append: true, acceptShrink: true })
    await place.ingest(rows(0), WARN)
    const database = openDatabase(place.dataDir.catalogDb)
    database.exec("UPDATE versions SET record = json_set(record, '$.reading.revision', 4)")
    database.close()
    expect((await place.attempt(rows(30), { dryRun: true })).refusals).toMatchObject([{ columns: ['cod'] }])
    const first = await append(30)
    expect([first.published, first.warning_codes]).toEqual([
      true,
      [{ code: 'personal_data_served', values: { columns: 'cod' } }],
    ])
    const second = await append(60)
    expect([second.published, second.warning_codes]).toEqual([true, []])
  })
})
