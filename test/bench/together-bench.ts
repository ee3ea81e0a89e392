/** Exports, lists and an ingest at the same time: what each takes, and what the service needs for it. */

import { run } from './process.ts'
import { atMost, type Measurement, plainly } from './report.ts'
import { startIzvor } from './start-bench.ts'
import { CLIENTS, EXPORTS, everythingAtOnce, peakMb } from './together.ts'

export interface TogetherBench {
  readonly program: string[]
  /** The file that was ingested as `bench/trade` into `data`; it is ingested once more beside it. */
  readonly csv: string
  readonly data: string
  readonly secret: string
  readonly folder: string
  readonly rows: number
  readonly seconds: number
}

/** Targets for 2,000,000 rows, and for any smaller table. */
const SERVICE_MB = 512
const INGEST_MB = 256

export async function measureTogether(bench: TogetherBench): Promise<Measurement[]> {
  const { program, csv, data, seconds } = bench
  // A separate process, so that the peak is that of this work.
  const service = await startIzvor(program, data)
  try {
    const command = [...program, 'ingest', csv, '--id', 'beside', '--domain', 'bench', '--data', data]
    const { load, ingest, exportedPerSecond } = await everythingAtOnce({
      ...bench,
      service,
      path: '/v1/bench/trade',
      // Long enough for the ingest to end meanwhile.
      seconds: 2 * seconds,
      wholeExports: false,
      ingest: () => run(command),
    })
    const answered = (load.requests - load.refused) / (load.requests / load.perSecond)
    const lists = `p99 ${load.p99Ms} ms; ${CLIENTS} clients, ${load.refused} of ${load.requests} were refused with a time to retry`
    const took = `${EXPORTS} exports, ${CLIENTS} clients, an ingest that took ${ingest.seconds.toFixed(1)} s`
    const name = 'everything at once'
    return [
      atMost(`${name}: memory of the service`, peakMb(service.pid), SERVICE_MB, ' MB', took),
      atMost(`${name}: memory of the ingest`, ingest.peakMb, INGEST_MB, ' MB'),
      plainly(`${name}: lists and counts`, answered, ' per second', lists),
      plainly(`${name}: exports`, exportedPerSecond, ' MB/s', 'all together, while the clients ask'),
    ]
  } finally {
    await service.stop()
  }
}
