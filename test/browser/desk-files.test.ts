/**
 * Files that a clerk publishes using only the page, by mouse and by keyboard alone, each in at most the steps that the
 * table allows: real files as published by institutions (skipped if missing), and files made here. The served data is
 * compared with what an independent reader found.
 */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cookie } from 'playwright-core'
import type { Language } from '../../src/base/text/language.ts'
import { DESK_TEXTS } from '../../src/pages/texts/desk.ts'
import { ADVICE_TEXTS, DRAFT_TEXTS } from '../../src/pages/texts/desk-draft.ts'
import { POINT_TEXTS } from '../../src/pages/texts/desk-points.ts'
import { DOMAIN_TEXTS } from '../../src/pages/texts/parts.ts'
import { FILE_REFUSALS } from '../../src/read/report/texts/file-refusals.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { type ChosenFile, Clerk, type Way } from '../support/clerk.ts'
import { corpusPath, there, truthOf } from '../support/corpus.ts'
import { type DeskSite, startDesk } from '../support/desk-site.ts'
import { cnp } from '../support/personal.ts'
import { IS_FULL } from '../support/property-runs.ts'
import { type Served, type ServedRow, servedAt } from '../support/served.ts'

setDefaultTimeout(120_000)

interface FileCase {
  /** The name of a fixture, or a function that makes the file. */
  readonly file: string | (() => ChosenFile)
  /** Clicks, choices by keyboard and fields filled in, from the first page to “published”. */
  readonly steps: number
  readonly what: string
  /** What the clerk does between reading and publishing, besides domain and title. */
  readonly settle?: (clerk: Clerk) => Promise<void>
  readonly check: (served: Served) => void | Promise<void>
  /** The way it is tested in every run; a full run tests all ways. */
  readonly always?: Way
}

const plain = (name: string, what: string): FileCase => ({
  ...{ file: name, what, steps: 5 },
  check: (served) => expectTruth(served, name),
})

const FIXTURES: readonly FileCase[] = [
  plain('f02_siruta_cp1250_semicolon.csv', 'windows-1250 is found, padded cells and "10,00" are read'),
  plain('f03_parc_auto_ro_fleet_2025.csv', 'a column without a name, quoted delimiters'),
  {
    file: 'f04_somaj_martie_2019_1.csv',
    what: 'the row of totals is left out',
    steps: 6,
    async settle(clerk) {
      await clerk.press(clerk.button(ADVICE_TEXTS[clerk.language].leaveTotals))
      await clerk.read()
    },
    async check({ rows, all }) {
      const total = truthOf('f04_somaj_martie_2019_1.csv').last_nonblank.map(digits)
      expect(rows).toBe(42)
      expect(sum(await all(), 'numar_total_someri')).toBe(total[1] as number)
      expect(sum(await all(), 'numar_someri_neindemnizati')).toBe(total[5] as number)
    },
  },
  {
    file: 'f08_rpl2021_etnie_merged_headers.xlsx',
    what: 'a header of merged cells below a title; signs in place of values',
    steps: 7,
    always: 'keyboard',
    async settle(clerk) {
      await clerk.markAsNull('-')
      await clerk.markAsNull('*')
    },
    async check({ rows, first, all }) {
      // A title, two header levels and the numbering are records with content, but not rows.
      expect(rows).toBe(sheetOf('f08_rpl2021_etnie_merged_headers.xlsx', 'Tab 2.2.2').nonblank_rows - 4)
      const { judet_municipiu_oras_comuna: place, populatia_rezidenta_total: people, ...others } = first
      expect([place, people]).toEqual(['ROMÂNIA', 19_053_815])
      const groups = Object.entries(others).filter(([name]) => name.startsWith('etnia_'))
      expect(groups.reduce((total, [, count]) => total + Number(count), 0)).toBe(19_053_815)
      for (const row of await all())
        for (const [name] of groups) expect(typeof (row[name] ?? 0)).toBe('number')
    },
  },
  {
    file: 'f09_siruta_uat_pe_judete_43_sheets.xls',
    what: 'one of 43 sheets is chosen',
    steps: 7,
    always: 'mouse',
    settle: (clerk) => clerk.chooseSheet('13 cluj'),
    check({ rows, first }) {
      // The header ends with the eighth record, a row of letters.
      expect(rows).toBe(sheetOf('f09_siruta_uat_pe_judete_43_sheets.xls', '13 cluj').nrows - 8)
      expect(Object.values(first).slice(0, 4)).toEqual([13, 'CLUJ', 11, 'CJ'])
    },
  },
  {
    file: 'f12_ins_unquoted_decimal_comma.csv',
    what: 'decimal commas that cut cells in two',
    steps: 5,
    check({ rows, first, last }) {
      const truth = truthOf('f12_ins_unquoted_decimal_comma.csv')
      expect(rows).toBe(truth.data_records)
      expect(Object.values(first)).toEqual([...truth.first.slice(0, 4), 56.7])
      expect(Object.values(last)).toEqual([...truth.last_nonblank.slice(0, 4), 91.5])
    },
  },
  {
    file: 'f15_civil_service_postcodes_2021.ods',
    what: 'notes on the first sheet, title rows, signs in place of values',
    steps: 6,
    settle: (clerk) => clerk.markAsNull('[c]'),
    async check({ rows, all }) {
      const sheets = sheetsOf('f15_civil_service_postcodes_2021.ods') as readonly string[]
      const filled = Number(/\d+/.exec(sheets.find((sheet) => sheet.startsWith('Staff_in_post')) ?? '')?.[0])
      // Four titles and the header are above the rows.
      expect(rows).toBe(filled - 5)
      for (const { total_number_of_civil_servants: total } of await all())
        expect(typeof (total ?? 0)).toBe('number')
    },
  },
  plain('f16_spitale_cp1252.csv', 'two letters far from the start say which encoding it is'),
  {
    file: 'f17_gasto_mexico_latin1.csv',
    what: 'another encoding, and the source as a note below the table',
    steps: 5,
    always: 'mouse',
    check({ rows, first }) {
      const truth = truthOf('f17_gasto_mexico_latin1.csv')
      expect(rows).toBe(truth.data_records - truth.blank_records - 1)
      expectRow(first, truth.first)
    },
  },
  {
    file: 'f18_giss_title_rows_cr_only.csv',
    what: 'title rows, lines that end in CR alone, stars in place of values',
    steps: 7,
    async settle(clerk) {
      await clerk.markAsNull('*****')
      await clerk.markAsNull('****')
    },
    check({ rows, last }) {
      const truth = truthOf('f18_giss_title_rows_cr_only.csv')
      expect(rows).toBe(133)
      expectRow(
        last,
        truth.last_nonblank.map((cell) => (cell.startsWith('*') ? '' : cell)),
      )
    },
  },
]

const MADE: readonly FileCase[] = [
  {
    file: () => ({ name: 'Angajați.csv', content: people() }),
    what: 'personal codes are named, and left out',
    steps: 6,
    always: 'keyboard',
    async settle(clerk) {
      await clerk.press(clerk.button(POINT_TEXTS[clerk.language].leaveOutOf('cnp')))
      await clerk.read()
    },
    check({ rows, first }) {
      expect(rows).toBe(30)
      expect(first).toEqual({ functie: 'consilier', salariu: 4000 })
    },
  },
  {
    file: () => ({ name: 'Stricat.csv', content: damaged() }),
    what: 'rows of which nobody knows where their cells belong are left out, knowingly',
    steps: 6,
    always: 'mouse',
    async settle(clerk) {
      await clerk.tick(clerk.page.getByLabel(POINT_TEXTS[clerk.language].acceptQuarantine))
    },
    async check({ rows, all }) {
      expect(rows).toBe(80)
      for (const { an, suma } of await all()) expect(suma).toBe(Number(an) * 3)
    },
  },
]

const people = () =>
  `cnp,funcție,salariu\n${Array.from({ length: 30 }, (_, i) => `${cnp(i)},consilier,${4000 + i}\n`).join('')}`

/** A fifth of the rows lack a cell in the middle. */
const damaged = () =>
  `an,suma,loc\n${Array.from({ length: 100 }, (_, i) => (i % 5 === 4 ? `${i},Cluj ${i}\n` : `${i},${i * 3},Cluj ${i}\n`)).join('')}`

const digits = (cell: string) => Number(cell.replaceAll(',', ''))
const sum = (rows: readonly ServedRow[], column: string) =>
  rows.reduce((total, row) => total + Number(row[column]), 0)

/** What the independent reader found in the sheets of a workbook. */
function sheetsOf(file: string): readonly unknown[] {
  const truth: unknown = truthOf(file)
  const { sheets } = truth as { readonly sheets: readonly unknown[] }
  return sheets
}

interface SheetTruth {
  readonly name: string
  readonly nonblank_rows: number
  readonly nrows: number
}

function sheetOf(file: string, name: string): SheetTruth {
  const sheet = (sheetsOf(file) as readonly SheetTruth[]).find((one) => one.name === name)
  if (sheet === undefined) throw new Error(`truth.json has no sheet ${name} of ${file}`)
  return sheet
}

/** Compares served values with the cells they were read from: numbers by value, texts by their trimmed characters. */
function expectRow(row: ServedRow, cells: readonly string[]): void {
  for (const [index, value] of Object.values(row).entries()) {
    const cell = cells[index]?.trim() ?? ''
    if (typeof value === 'number')
      expect([Number(cell), Number(cell.replace(',', '.')), digits(cell)]).toContain(value)
    else if (typeof value === 'string') expect(value.replace(/\s+/g, ' ')).toBe(cell.replace(/\s+/g, ' '))
    else if (value === null) expect(cell).toBe('')
  }
}

function expectTruth({ rows, first, last }: Served, name: string): void {
  const truth = truthOf(name)
  expect(rows).toBe(truth.data_records - truth.blank_records)
  expectRow(first, truth.first)
  expectRow(last, truth.last_nonblank)
}

const WAYS: readonly (readonly [Way, Language])[] = [
  ['mouse', 'ro'],
  ['keyboard', 'en'],
  ...(IS_FULL
    ? ([
        ['mouse', 'en'],
        ['keyboard', 'ro'],
      ] as const)
    : []),
]

describeInBrowser('desk: files', () => {
  let desk: DeskSite
  const folder = mkdtempSync(join(tmpdir(), 'izvor-files-'))
  const cookies = new Map<Language, Cookie[]>()
  beforeAll(async () => {
    desk = await startDesk([])
    for (const language of ['ro', 'en'] as const)
      await desk.visit({ language }, async (_, context) => {
        await desk.enterAsPublisher(context, `files-${language}@example.org`, { language })
        cookies.set(language, await context.cookies())
      })
  })
  afterAll(async () => {
    await desk?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Runs a journey for a signed-in clerk, starting at the first page. */
  const begin = (way: Way, language: Language, journey: (clerk: Clerk) => Promise<void>) =>
    desk.visit({ language }, async (page, context) => {
      await context.addCookies(cookies.get(language) ?? [])
      await page.goto('/publish')
      await page.locator('#address button:enabled').waitFor()
      await journey(new Clerk(page, language, way))
    })

  /** The dataset served at an address that the page shows. */
  const served = (address: string) => servedAt(desk.site, new URL(address).pathname)

  /** The file under a name for this run, so that each run creates a separate dataset. */
  async function fileOf({ file }: FileCase, prefix: string): Promise<ChosenFile> {
    if (typeof file === 'string') {
      const path = join(folder, `${prefix} ${file}`)
      await Bun.write(path, Bun.file(corpusPath('fixtures', file)))
      return path
    }
    const made = file()
    return typeof made === 'string' ? made : { ...made, name: `${prefix} ${made.name}` }
  }

  function publishes(one: FileCase, way: Way, language: Language): void {
    const name = typeof one.file === 'string' ? one.file : 'a file made here'
    const guarantee = `${name}, ${way}, ${language}: ${one.what}; at most ${one.steps} steps`
    test.skipIf(typeof one.file === 'string' && !there)(guarantee, () =>
      begin(way, language, async (clerk) => {
        await clerk.choose(await fileOf(one, `${way} ${language}`))
        await one.settle?.(clerk)
        await clerk.describe(`${one.what}, ${way}`, DOMAIN_TEXTS[language].economy)
        await clerk.publish()
        const address = clerk.page.locator('section:has(> #outcome-title) code').nth(1)
        await one.check(await served((await address.textContent()) ?? ''))
        expect(clerk.steps).toBeLessThanOrEqual(one.steps)
      }),
    )
  }

  for (const [way, language] of WAYS)
    for (const one of [...FIXTURES, ...MADE]) if (IS_FULL || one.always === way) publishes(one, way, language)

  for (const [way, language] of WAYS.filter((_, index) => IS_FULL || index === 1))
    test(`${way}, ${language}: a web page in place of a table is refused with advice, and its draft is removed in 3 steps`, () =>
      begin(way, language, async (clerk) => {
        const content = '<!doctype html><html><body><h1>Sold out</h1></body></html>'
        await clerk.choose({ name: `${way} ${language} page.csv`, content })
        const points = clerk.page.locator('.points')
        await points.getByText(String(FILE_REFUSALS.not_a_table[language])).waitFor()
        await clerk.press(clerk.button(DRAFT_TEXTS[language].removeDraft))
        await clerk.press(clerk.button(DESK_TEXTS[language].remove, clerk.page.getByRole('dialog')))
        await clerk.page.waitForURL(/publish(\?|$)/)
        expect(clerk.steps).toBe(3)
      }))

  test.skipIf(!IS_FULL)('a file of 100 MB shows its first rows before all are read; 4 steps', () =>
    begin('mouse', 'ro', async (clerk) => {
      const path = join(folder, 'Mare.csv')
      const rows = await writeLarge(path, 100_000_000)
      const seen = clerk.page.getByText(DRAFT_TEXTS.ro.previewed).waitFor()
      await clerk.choose(path)
      await seen
      await clerk.describe('Un fișier mare', DOMAIN_TEXTS.ro.economy)
      await clerk.publish()
      const { rows: found, last } = await servedAt(desk.site, '/v1/economy/mare')
      expect(found).toBe(rows)
      expect(last).toEqual({ numar: rows, loc: `Localitatea ${rows % 977}`, suma: rows * 3 })
      expect(clerk.steps).toBe(4)
    }),
  )
})

/** @returns its rows */
async function writeLarge(path: string, bytes: number): Promise<number> {
  const file = await open(path, 'w')
  let size = (await file.write('număr;loc;sumă\n')).bytesWritten
  let rows = 0
  while (size < bytes) {
    const lines = Array.from({ length: 50_000 }, () => {
      rows += 1
      return `${rows};Localitatea ${rows % 977};${rows * 3}\n`
    })
    size += (await file.write(lines.join(''))).bytesWritten
  }
  await file.close()
  return rows
}
