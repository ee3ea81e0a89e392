/**
 * Damages well-formed random tables in every way of `damages.ts`, ingests them, and counts served rows that are not rows
 * of the table, and records that are neither served nor in quarantine. The seed of a table determines it.
 *
 *     bun test/fuzz/damage.ts [--tables 20000] [--seed 1] [--processes 2]
 *     bun test/fuzz/damage.ts --only 1000042 --show
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Catalog } from '../../src/store/catalog/catalog.ts'
import { DataDir } from '../../src/store/files/data-dir.ts'
import { type Workplace, workplaceIn } from '../support/ingest.ts'
import { makeFile, type Trial, tryTable } from './damage-trial.ts'
import { DAMAGES } from './damages.ts'

/** How many tables have seeds under one seed of the command. */
const SEEDS = 1_000_000
const MOST_SHOWN = 10
/** How many faulty tables of each kind of damage are printed with their seeds. */
const MOST_SEEDS = 4

const { values } = parseArgs({
  options: {
    tables: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1000) },
    processes: { type: 'string', default: '2' },
    /** The number of this process among all. */
    part: { type: 'string' },
    only: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
})

function wholeNumber(name: 'tables' | 'seed' | 'processes'): number {
  if (/^\d{1,7}$/.test(values[name])) return Number(values[name])
  throw new Error(`--${name} must be a whole number, not ${values[name]}`)
}

const tables = wholeNumber('tables')
const first = wholeNumber('seed') * SEEDS
const processes = wholeNumber('processes')

async function inWorkplace<T>(work: (place: Workplace) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'izvor-damage-'))
  const dataDir = new DataDir(join(folder, 'data'))
  dataDir.create()
  const catalog = Catalog.open(dataDir)
  try {
    return await work(workplaceIn(dataDir, catalog, folder))
  } finally {
    catalog.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Tries every n-th of the tables and prints a line for each. */
async function tryPart(part: number): Promise<void> {
  await inWorkplace(async (place) => {
    for (let at = part; at < tables; at += processes)
      console.log(JSON.stringify(await tryTable(place, first + at)))
  })
}

/** @returns the number of faults */
async function tryAll(): Promise<number> {
  const began = performance.now()
  const trials: Trial[] = []
  const parts = Array.from({ length: processes }, (_, part) => runPart(part, (trial) => trials.push(trial)))
  const codes = await Promise.all(parts)
  const seconds = Math.round((performance.now() - began) / 1000)
  const faults = printTrials(trials)
  console.log(`damage: ${trials.length} tables in ${seconds} s, ${faults} faults, --seed ${first / SEEDS}`)
  return codes.some((code) => code !== 0) || trials.length < tables ? faults + 1 : faults
}

async function runPart(part: number, onTrial: (trial: Trial) => void): Promise<number> {
  const given = ['--tables', tables, '--seed', first / SEEDS, '--processes', processes, '--part', part]
  const child = Bun.spawn([process.execPath, import.meta.path, ...given.map(String)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of child.stdout) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() as string
    for (const line of lines) {
      const trial = JSON.parse(line) as Trial
      onTrial(trial)
      printFaults(trial)
    }
  }
  return child.exited
}

let shown = 0

function printFaults({ seed, damage, wrong, lost }: Trial): void {
  if (wrong.length + lost.length === 0 || shown++ >= MOST_SHOWN) return
  const faults = [...wrong.map((one) => `WRONG ${one}`), ...lost.map((one) => `LOST ${one}`)]
  console.error(`--only ${seed} (${damage})\n  ${faults.slice(0, 3).join('\n  ')}`)
}

/** Prints one line for each kind of damage. @returns the number of faults */
function printTrials(trials: readonly Trial[]): number {
  const heads = ['tables', 'served', 'mended', 'quarantined', 'refused', 'good served', 'WRONG', 'LOST']
  console.log(''.padEnd(38) + heads.map((head) => head.padStart(12)).join(''))
  for (const name of [...DAMAGES.map((damage) => damage.name), 'all']) {
    const own = name === 'all' ? trials : trials.filter(({ damage }) => damage === name)
    const sum = (count: (trial: Trial) => number) => own.reduce((total, trial) => total + count(trial), 0)
    const share = sum(({ undamagedServed }) => undamagedServed) / sum(({ undamaged }) => undamaged)
    const figures = [
      own.length,
      sum(({ served }) => served),
      sum(({ mended }) => mended),
      sum(({ quarantined }) => quarantined),
      sum(({ isRefused }) => Number(isRefused)),
      `${(100 * share).toFixed(1)} %`,
      sum(({ wrong }) => wrong.length),
      sum(({ lost }) => lost.length),
    ]
    const faulty = own.filter(({ wrong, lost }) => wrong.length + lost.length > 0).map(({ seed }) => seed)
    const seeds = name === 'all' ? '' : `  ${faulty.slice(0, MOST_SEEDS).join(' ')}`
    console.log(name.padEnd(38) + figures.map((figure) => String(figure).padStart(12)).join('') + seeds)
  }
  return trials.reduce((total, { wrong, lost }) => total + wrong.length + lost.length, 0)
}

async function tryOnly(seed: number): Promise<number> {
  const { file, bytes } = makeFile(seed)
  if (values.show) {
    console.log(new TextDecoder().decode(bytes))
    const damaged = file.pieces.filter(({ isDamaged }) => isDamaged).map(({ text }) => text)
    console.log(`${damaged.length} damaged:\n${damaged.join('\n')}`)
  }
  const trial = await inWorkplace(async (place) => {
    const found = await tryTable(place, seed)
    if (values.show && !found.isRefused)
      console.log({ mended: place.repaired(), quarantine: place.quarantine() })
    return found
  })
  console.log(trial)
  return trial.wrong.length + trial.lost.length
}

if (values.part !== undefined) await tryPart(Number(values.part))
else process.exit((await (values.only ? tryOnly(Number(values.only)) : tryAll())) === 0 ? 0 : 1)
