/**
 * Damaged records: what their neighbours and the rest of the table prove about them, and no more. `test/fuzz/damage.ts`
 * tries the same with thousands of tables.
 */

import { expect, test } from 'bun:test'
import { tryTable } from '../fuzz/damage-trial.ts'
import { DAMAGES } from '../fuzz/damages.ts'
import { Dice } from '../fuzz/dice.ts'
import { openWorkplace } from '../support/ingest.ts'

const TOWNS = ['Alba', 'Arad', 'Cluj', 'Dolj', 'Gorj', 'Iasi', 'Olt', 'Sibiu', 'Timis', 'Vaslui']
const town = (i: number) => TOWNS[i % TOWNS.length] as string
const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('')
const ALL = { maxQuarantine: 1, maxMended: 1 }

/** Reasons and texts of what is in quarantine after an ingest. */
async function quarantineOf(text: string): Promise<[reason: string, raw: string][]> {
  const place = openWorkplace()
  await place.ingest(text, ALL)
  expect(place.repaired()).toEqual([])
  return place.quarantine().map(({ reason, raw }) => [reason, raw])
}

/** Tables for each kind of damage. */
const TABLES = 8
const FIRST_SEED = 2_000_000

test('every row of a damaged table is served as it was, or listed with its text, and none is lost', async () => {
  const place = openWorkplace()
  let served = 0
  for (let at = 0; at < TABLES * DAMAGES.length; at++) {
    const trial = await tryTable(place, FIRST_SEED + at)
    expect(trial).toMatchObject({ wrong: [], lost: [] })
    served += trial.served
  }
  expect(served).toBeGreaterThan(1000)
}, 60_000)

const FIRMS = lines(30, (i) => (i % 2 ? `"Firma ${i}, SRL",${i}` : `Firma ${i},${i % 4 ? i : ''}`))

test('two records that lost the line end between them are not joined, nor is a blank cell cut', async () => {
  const joined = 'Popa SA,12Ionescu SA,9'
  expect(await quarantineOf(`nume,nr\n${FIRMS}${joined}\n`)).toEqual([['too_many_cells', joined]])
  const texts = lines(30, (i) => `Firma ${i},${i % 3 ? `nota ${i}` : ''}`)
  expect(await quarantineOf(`nume,nota\n${texts}Popa,Ionescu,\n`)).toEqual([
    ['too_many_cells', 'Popa,Ionescu,'],
  ])
})

test('a blank cell that may be surplus prevents joining a text', async () => {
  const good = lines(
    30,
    (i) => `${i % 2 ? `"Firma ${i}, SRL"` : `Firma ${i}`},${i % 3 ? `Str. ${town(i)}` : ''},${i}`,
  )
  const record = 'Popa SA,Str. Lunga,,7'
  expect(await quarantineOf(`nume,strada,nr\n${good}${record}\n`)).toEqual([['too_many_cells', record]])
})

test('adjacent records of one width have another layout: no text is joined, no blank is cut', async () => {
  const good = lines(30, (i) => `${i},${i % 2 ? `"Str. ${town(i)}, nr. ${i}"` : `Str. ${town(i)}`}`)
  const longer = lines(3, (i) => `${i},Str. Lunga,Popa ${town(i)}`)
  expect(await quarantineOf(`nr,strada\n${good}${longer}`)).toHaveLength(3)
  const two = openWorkplace()
  await two.ingest(`nr,strada\n${good}${lines(2, (i) => `${i},Str. Lunga,Popa ${town(i)}`)}`, ALL)
  expect(two.repaired()).toHaveLength(2)
  const codes = lines(40, (i) => `${town(i)},${i},RO${i % 9}`)
  const blanks = `Alba,1,RO1,\nArad,2,RO2,x\nCluj,3,RO3,\n`
  expect(await quarantineOf(`judet,nr,cod\n${codes}${blanks}`)).toHaveLength(3)
})

test('thousands are joined only where commas delimit cells', async () => {
  const good = lines(30, (i) => `${i};${i + 1},000,000`)
  expect(await quarantineOf(`nr;buget\n${good}7;5,000,000;125\n`)).toEqual([
    ['too_many_cells', '7;5,000,000;125'],
  ])
})

test('a record with a stray quote is not mended', async () => {
  const good = lines(30, (i) => `${i},${town(i)},nota ${i}`)
  const record = '7,""Alba", veche,nota 3'
  expect(await quarantineOf(`nr,judet,nota\n${good}${record}\n`)).toMatchObject([
    [expect.any(String), record],
  ])
})

test('a quote that closes within a text leaves no cell that contains a delimiter', async () => {
  const good = lines(30, (i) => `RO${1000 + i},"${i},5",${town(i)}`)
  const record = '"RO8881,"87325,3",Dolj'
  expect(await quarantineOf(`cod,valoare,judet\n${good}${record}\n`)).toEqual([['broken_quote', record]])
})

test('a quote without a delimiter before it leaves no values in neighbouring columns', async () => {
  const good = lines(30, (i) => `Item ${i},$${10 + i}.50,${i % 2 ? '"Wool, Silk"' : 'Linen'},size ${i % 5}`)
  const record = 'Item 7,$33.83"Organic Cotton, Linen",size 3'
  expect(await quarantineOf(`name,price,material,size\n${good}${record}\n`)).toEqual([
    ['broken_quote', record],
  ])
  const inches = lines(30, (i) => `${i},${i}" pipe,"said ""${town(i)}",${i}" nail,${i}`)
  expect(await quarantineOf(`nr,a,b,c,d\n${inches}`)).toEqual([])
  const atEnds = lines(30, (i) => `${i}" pipe,${i},${i}" nail`)
  expect(await quarantineOf(`a,nr,b\n${atEnds}`)).toEqual([])
})

test.each(['Item 7,$33.83"Cotton",size 3,extra', 'extra,Item 7,$33.83"Cotton",size 3'])(
  'a value that is surplus elsewhere does not make up for a missing delimiter beside a quote: %s',
  async (record) => {
    const good = lines(30, (i) => `Item ${i},$${10 + i}.50,${i % 2 ? '"Wool, Silk"' : 'Linen'},size ${i % 5}`)
    expect(await quarantineOf(`name,price,material,size\n${good}${record}\n`)).toEqual([['shifted', record]])
  },
)

test('columns that change places further down are reported with the line, and lower the confidence', async () => {
  const rows = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => [from + i, town(i), `Str. ${town(i * 7)} ${i}`])
  const write = (all: readonly (readonly unknown[])[]) => all.map((row) => `${row.join(';')}\n`).join('')
  const other = rows(60, 40).map(([nr, judet, strada]) => [nr, strada, judet])
  const attempt = (text: string) => openWorkplace().attempt(`nr;judet;strada\n${text}`, ALL)
  const swapped = await attempt(write(rows(0, 60)) + write(other))
  expect(swapped.warning_codes).toMatchObject([
    { code: 'columns_exchanged', values: { columns: 'judet, strada', line: 62 } },
  ])
  expect(swapped.dialect.confidence).toBeLessThan(0.8)
  const turned = rows(60, 40).map(([nr, judet, strada]) => [judet, strada, nr])
  expect((await attempt(write(rows(0, 60)) + write(turned))).warning_codes).toMatchObject([
    { code: 'columns_exchanged', values: { line: 62 } },
  ])
  const whole = await attempt(write(rows(0, 100)))
  expect(whole.warning_codes).toEqual([])
  expect(whole.dialect.confidence).toBeGreaterThan(0.9)
})

test('flags and pairs of places are not columns that change places, even if each has what the other had before', async () => {
  const flags = lines(100, (i) => (i < 50 ? `${i},da,nu` : `${i},nu,da`))
  const pairs = lines(100, (i) => `${i},${town(Math.floor(i / 10))},${town(i)}`)
  for (const rows of [flags, pairs]) {
    const report = await openWorkplace().attempt(`nr,de_la,la\n${rows}`, ALL)
    expect(report.warning_codes).toEqual([])
  }
})

test('columns of texts with the same words do not change places, however few rows there are', async () => {
  const words =
    'drum apa teren proiect sat comuna la cu pentru fara vechi nou lucrari finalizat amanat'.split(' ')
  const place = openWorkplace()
  for (let seed = 0; seed < 150; seed++) {
    const dice = new Dice(seed)
    const text = () => Array.from({ length: dice.between(2, 3) }, () => dice.pick(words)).join(' ')
    const rows = lines(dice.between(40, 60), () => `${text()};${text()};${text()}`)
    const { warning_codes } = await place.attempt(`a;b;c\n${rows}`, { ...ALL, dryRun: true })
    expect(warning_codes).toEqual([])
  }
})

test('the end of a text with broken quotes is not a row', async () => {
  const good = lines(30, (i) => `Strada ${i},"nota\n${i}",${town(i)}`)
  const joined = 'Strada A,"nota\nx"Strada B,7,Alba'
  expect(await quarantineOf(`strada,nota,judet\n${good}${joined}\n${good}`)).toEqual([
    ['broken_quote', 'Strada A,"nota'],
    ['broken_quote', 'x"Strada B,7,Alba'],
  ])
  const open = '"Strada\nLunga",7,Alba'
  const lost = open.replace('Lunga"', 'Lunga')
  const rows = lines(30, (i) => `"Strada\n${i}",${i},${town(i)}`)
  expect(await quarantineOf(`strada,nr,judet\n${rows}${lost}\n${rows}`)).toEqual([
    ['broken_quote', '"Strada'],
    ['line_break', 'Lunga,7,Alba'],
  ])
  const halves = 'Strada A,7,Alba"x\ny",8,Dolj'
  const plain = lines(30, (i) => `Strada ${i},${i},${town(i)}`)
  expect(await quarantineOf(`strada,nr,judet\n${plain}${halves}\n${plain}`)).toEqual([
    ['broken_quote', 'Strada A,7,Alba"x'],
    ['broken_quote', 'y",8,Dolj'],
  ])
})

test('rows within the quotes of a cell are quarantined with it', async () => {
  const good = lines(30, (i) => `2024-01-${10 + (i % 18)};"${town(i)}";${i}`)
  const swallowed = '2024-01-05;"Alba;7\n2024-01-06;Dolj";8'
  expect(await quarantineOf(`data;judet;nr\n${good}${swallowed}\n${good}`)).toEqual([
    ['broken_quote', swallowed],
  ])
  const place = openWorkplace()
  const listed = lines(30, (i) => `${i};"un text; lung\ncu; virgule"`)
  await place.ingest(`nr;nota\n${listed}`, { maxQuarantine: 0 })
  expect(place.rows()).toHaveLength(30)
})

test('values of categories in other columns prove a shift, even where a street is called 1750', async () => {
  const good = lines(
    40,
    (i) => `${i % 2 ? 'da' : 'nu'},${town(i)},${i % 3 ? 'da' : 'nu'},${i}.5,${i},Strada ${town(i)} ${i}`,
  )
  const record = 'Cluj,da,66932.3,,1750,'
  expect(await quarantineOf(`activ,judet,platit,rata,nr,strada\n${good}${record}\n${good}`)).toEqual([
    ['shifted', record],
  ])
  const lists = lines(
    40,
    (i) => `${'drum '.repeat(1 + (i % 5))}${i},${town(i)},${1000 + 37 * i},${i},Strada ${town(i)} ${i}`,
  )
  const first = 'Cluj,9410,169,1886,'
  expect(await quarantineOf(`nota,judet,populatie,nr,strada\n${lists}${first}\n${lists}`)).toEqual([
    ['shifted', first],
  ])
  const alone = 'nu,Harghita,1877,3.5,7,'
  expect(await quarantineOf(`activ,judet,platit,rata,nr,strada\n${good}${alone}\n${good}`)).toEqual([])
})

test('rows that are shifted alike do not hide each other through the value that they bring into a category', async () => {
  const flag = (i: number) => (i % 3 ? 'da' : 'nu')
  const good = lines(
    200,
    (i) => `${i};${i % 4 ? '' : `nota ${town(i)} ${i}`};${flag(i)};${flag(i + 1)};${i % 9 ? town(i) : ''}`,
  )
  const shifted = ['nota veche;;da;Dolj;', 'drum vechi;da;nu;Dolj;']
  expect(await quarantineOf(`nr;nota;activ;platit;judet\n${good}${shifted.join('\n')}\n${good}`)).toEqual(
    shifted.map((record) => ['shifted', record]),
  )
})

test('a text of several lines keeps its quotes beside delimiters, doubled as they are', async () => {
  const place = openWorkplace()
  const texts = ['"Da," a spus,\n"Nu," a zis', '\r\n";', 'a\n";b']
  const write = (text: string) => `"${text.replaceAll('"', '""')}"`
  for (const delimiter of [',', ';']) {
    const rows = texts.map((text) => ['x', write(text)].join(delimiter))
    const last = ['y', 'z'].join(delimiter)
    await place.ingest(['nume', 'nota'].join(delimiter) + ['', ...rows, last].join('\n'), {
      ...ALL,
      read: { delimiter },
      maxQuarantine: 0,
      acceptDrift: true,
    })
    expect(place.rows().map(({ nota }) => nota)).toEqual([...texts.map((text) => text.trim()), 'z'])
  }
})

test('halves of texts that many rows begin with are quarantined, as is the row beside them', async () => {
  const good = lines(60, (i) => `${i},Str. ${town(i)} ${i}`)
  const broken = lines(4, (i) => `${100 + i},Str.\n${town(i)} 7`)
  expect(await quarantineOf(`nr,strada\n${good}${broken}${good}`)).toHaveLength(8)
  const first = lines(60, (i) => `Str. ${town(i)} ${i},${i}`)
  const begun = lines(4, (i) => `Str.\n${town(i)} 7,${i}`)
  expect(await quarantineOf(`strada,nr\n${first}${begun}${first}`)).toHaveLength(8)
})

test('lines that together make one record are not records with cells left off', async () => {
  const good = lines(30, (i) => `${town(i)},${i % 3 ? `nota ${i}` : ''},${i},Popa ${i},RO${i % 9}`)
  const broken = `${lines(4, (i) => `${town(i)},nota,${i},Popa\nIonescu ${i},RO${i}`)}Alba,o\nnota,7,Popa,RO3\n`
  expect(await quarantineOf(`judet,nota,nr,nume,cod\n${good}${broken}${good}`)).toHaveLength(10)
})

test.each([
  ['a value is missing in front', 'da;7;Alba;510101', '7;Alba;510101;'],
  ['a blank is in front', 'da;7;Alba;510101', ';da;7;Alba'],
  ['a code is among names', 'da;7;Alba;510101', 'da;Alba;510101;'],
])(
  'a row whose values are strange in their columns and fit the next ones is shifted: %s',
  async (_, good, record) => {
    const rows = lines(60, (i) =>
      good
        .replace('7', String(i))
        .replace('Alba', `Oras ${town(i)}`)
        .replace('510101', String(510_000 + i)),
    )
    const quarantine = await quarantineOf(
      `activ;nr;oras;cod\n${rows}${record.replace('Alba', 'Oras Alba')}\n`,
    )
    expect(quarantine.map(([reason]) => reason)).toEqual(['shifted'])
  },
)

test('a row of unusual values that fit no other columns better stays', async () => {
  const place = openWorkplace()
  const rows = lines(60, (i) => `${i};${town(i)};${i % 2 ? 'II' : 'IV'};`)
  await place.ingest(`nr;oras;rang;fictiv\n${rows}61;Bucuresti;0;\n62;1877;II;\n`, { maxQuarantine: 0 })
  expect(place.rows()).toHaveLength(62)
})

test('a value in a column without a name in the header refuses the file', async () => {
  const rows = lines(300, (i) => `${town(i)},${i},`)
  const attempt = (text: string) => openWorkplace().attempt(text, ALL)
  await expect(attempt(`judet,nr\n${rows}`)).resolves.toMatchObject({ refusals: [] })
  await expect(attempt(`judet,nr\n${rows}Alba,7,x\n${rows}`)).rejects.toThrow(/The header has 2 names/)
})

test('lines that lost their quotes still look delimited', async () => {
  const rows = lines(30, (i) => (i % 3 ? `"Str. ${town(i)} ${i}\t"da"` : `"Str. ${town(i)} ${i}"\t"nu"`))
  await expect(openWorkplace().attempt(`"strada"\t"activ"\n${rows}`, ALL)).rejects.toThrow(
    /separated by “tab”/,
  )
})

test('a delimiter that leaves quotes within cells is not chosen', async () => {
  const rows = lines(30, (i) =>
    i % 4 ? `"2024-01-${10 + (i % 18)}","Firma ${i}, SRL|SA"` : `2024-01-05;Firma ${i}`,
  )
  const report = await openWorkplace().ingest(`"data","firma"\n${rows}`, ALL)
  expect(report.dialect.delimiter).toBe(',')
})
