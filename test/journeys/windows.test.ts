/**
 * The executable for Windows, run by Wine. Needs the file that `bun run build windows-x64` makes, named by IZVOR_WINDOWS,
 * and a compiler for Windows (mingw), as in `.ci/run`.
 */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { hasWine, startWine } from '../support/wine/wine.ts'
import { xlsx } from '../support/workbooks.ts'
import { bodyOf, izvor, JOURNEY_TIMEOUT, mint, serve, succeed } from './program.ts'

setDefaultTimeout(3 * JOURNEY_TIMEOUT)

const PROGRAM = process.env.IZVOR_WINDOWS
const isHere = PROGRAM !== undefined && existsSync(PROGRAM)
if (!isHere) console.warn('skipped: IZVOR_WINDOWS names no executable')
const canRun = isHere && hasWine()

const COUNTIES = [
  ['județ', 'valoare'],
  ['Iași', '2,5'],
  ['Argeș', '1'],
  ['Cluj', '3'],
]

test.skipIf(!canRun)(
  'the executable for Windows works in deep folders and in names with spaces and diacritics, and stops when its console closes',
  async () => {
    const wine = await startWine()
    const home = join(tempDir(), 'Documente și date (Ștefan)')
    mkdirSync(home)
    const there = { ...wine, program: PROGRAM as string, cwd: home }
    const data = ['--data', 'date mele']
    await Bun.write(join(home, 'Județe și valori.csv'), COUNTIES.map((row) => row.join(';')).join('\r\n'))
    await Bun.write(join(home, 'Județe.xlsx'), xlsx([{ name: 'Foaia 1', rows: COUNTIES }]))

    const file = ['ingest', 'Județe și valori.csv', '--id', 'valori', '--domain', 'test']
    expect(await succeed([...file, ...data], there)).toContain('3 rows imported of 3 records')
    const workbook = ['ingest', 'Județe.xlsx', '--id', 'foaie', '--domain', 'test']
    expect(await succeed([...workbook, ...data], there)).toContain('3 rows imported of 3 records')
    const deep = Array.from(
      { length: 6 },
      () => 'Direcția Județeană de Statistică și Prognoză a Județului',
    ).join('/')
    await succeed([...file, '--data', deep], there)
    expect((await izvor(['datasets', 'verify', '--data', deep], there)).code).toBe(0)

    await succeed(['backup', 'copie de rezervă.tar', ...data], there)
    await succeed(['restore', 'copie de rezervă.tar', '--yes', ...data], there)
    const { secret } = await mint('date mele', there)

    const service = await serve('date mele', ['serve'], there)
    const list = await bodyOf(await service.get('/v1/test/valori?sort=judet', secret))
    expect(list.data.map(({ judet }: { judet: string }) => judet)).toEqual(['Argeș', 'Cluj', 'Iași'])
    const taken = await izvor(['serve', '--port', new URL(service.address).port, '--data', 'alta'], there)
    expect(taken.stderr).toContain('is taken by another program')

    await succeed(['datasets', 'remove', 'valori', '--yes', ...data], there)
    expect(readdirSync(join(home, 'date mele', 'datasets', 'valori'))).toEqual([])

    await wine.closeConsole(basename(PROGRAM as string))
    expect(await service.exited).toBe(0)
    await until(() => !existsSync(join(home, 'date mele', 'service.json')))
  },
)
