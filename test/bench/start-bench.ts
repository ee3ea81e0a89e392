/** How soon the service is there, and what it takes up while nobody asks. */

import { join } from 'node:path'
import { residentMb, type Service, startService } from './process.ts'
import { atMost, type Measurement, median } from './report.ts'

const STARTS = 5

/** Starts the service over `data` on a free port. */
export function startIzvor(program: string[], data: string): Promise<Service> {
  return startService([...program, 'serve', '--port', '0', '--data', data])
}

export async function measureStart(program: string[], data: string, folder: string): Promise<Measurement[]> {
  const first = await startIzvor(program, join(folder, 'first-start'))
  await first.stop()
  const starts: number[] = []
  for (let i = 0; i < STARTS; i++) {
    const service = await startIzvor(program, data)
    starts.push(service.startMs)
    await service.stop()
  }
  const idle = await startIzvor(program, data)
  const idleMb = residentMb(idle.pid)
  await idle.stop()
  return [
    atMost('first start, empty folder', first.startMs, 1000, ' ms'),
    atMost('start', median(starts), 150, ' ms', `median of ${STARTS}`),
    atMost('memory when idle', idleMb, 120, ' MB', 'resident, right after the start'),
  ]
}
