/** How soon the service answers, and how much memory it takes while idle. */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tradeTable } from '../../src/commands/demo/trade.ts'
import { residentMb, run, type Service, startScript, startService } from './process.ts'
import { atMost, beside, type Measurement, median } from './report.ts'
import { sampleFile } from './sample-file.ts'

const STARTS = 5

/** Starts the service over `data` on a free port. */
export function startIzvor(program: string[], data: string): Promise<Service> {
  return startService([...program, 'serve', '--port', '0', '--data', data])
}

/** A folder with this many datasets of `rows` rows each: how soon the service answers, and its memory when idle. */
export async function measureManyDatasets(
  program: string[],
  datasets: number,
  rows: number,
  folder: string,
): Promise<Measurement[]> {
  const data = join(folder, 'many')
  const csv = sampleFile(tradeTable(2023, rows), rows)
  for (let i = 1; i <= datasets; i++) {
    await run([...program, 'ingest', csv, '--id', `trade${i}`, '--domain', 'bench', '--data', data, '--json'])
  }
  const { startMs, idleMb } = await startOften(program, data)
  return [
    atMost(`start with ${datasets} datasets`, startMs, 150, ' ms', `median of ${STARTS}`),
    atMost(
      `memory when idle with ${datasets} datasets`,
      idleMb,
      120,
      ' MB',
      'resident, right after the start',
    ),
  ]
}

async function startOften(program: string[], data: string): Promise<{ startMs: number; idleMb: number }> {
  const starts: number[] = []
  for (let i = 0; i < STARTS; i++) {
    const service = await startIzvor(program, data)
    starts.push(service.startMs)
    await service.stop()
  }
  const idle = await startIzvor(program, data)
  const idleMb = residentMb(idle.pid)
  await idle.stop()
  return { startMs: median(starts), idleMb }
}

export async function measureStart(program: string[], data: string, folder: string): Promise<Measurement[]> {
  const first = await startIzvor(program, join(folder, 'first-start'))
  await first.stop()
  const { startMs, idleMb } = await startOften(program, data)
  const bare = await startScript('./bare-server.ts', fileURLToPath(import.meta.url))
  const [bareMs, bareMb] = [bare.startMs, residentMb(bare.pid)]
  await bare.stop()
  const line = (line: Measurement, peer: number) => beside(line, 'bare Bun.serve', peer, false)
  return [
    line(atMost('first start, empty folder', first.startMs, 1000, ' ms'), bareMs),
    line(atMost('start', startMs, 150, ' ms', `median of ${STARTS}`), bareMs),
    line(atMost('memory when idle', idleMb, 120, ' MB', 'resident, right after the start'), bareMb),
  ]
}
