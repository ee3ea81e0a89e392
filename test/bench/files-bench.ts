/** Typed files over HTTP: Parquet of all rows, XLSX of a quarter of them, and a whole dataset written at the first request. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type FetchWork, fetchAll, watched } from './export-bench.ts'
import { LIST } from './http-bench.ts'
import type { Service } from './process.ts'
import { atMost, type Measurement, median, plainly } from './report.ts'

/** The lines of the report about Parquet of all rows. */
export const PARQUET_SECONDS = 'export as parquet: seconds'
export const PARQUET_MEGABYTES = 'export as parquet: size'

/** Seconds that a workbook may take: of 500,000 rows where the table has two million. */
const XLSX_SECONDS = 15
const MOST_MEGABYTES = 64
/** An odd number. The first one also shows what an export adds to a fresh service. */
const TIMES = 3

export interface FilesWork extends Omit<FetchWork, 'izvor'> {
  /** Starts a service for each kind of file: memory that one takes must not hide what the next one takes. */
  readonly start: () => Promise<Service>
  readonly data: string
}

export async function measureFiles(work: FilesWork): Promise<Measurement[]> {
  const parquet = await measureFile(work, 'parquet', 'format=parquet&month[gte]=1')
  const xlsx = await measureFile(work, 'xlsx', 'format=xlsx&month[lte]=3')
  const whole = await measureFile(work, 'a whole dataset, written at first request', 'format=parquet')
  return [
    plainly(PARQUET_SECONDS, parquet.seconds, ' s'),
    plainly(PARQUET_MEGABYTES, parquet.megabytes, ' MB'),
    parquet.memory,
    atMost('export as xlsx, a quarter of the rows: seconds', xlsx.seconds, XLSX_SECONDS, ' s'),
    xlsx.memory,
    plainly('a whole dataset, from the disk: seconds', whole.againSeconds, ' s'),
    whole.memory,
  ]
}

interface FileFigures {
  readonly seconds: number
  readonly megabytes: number
  /** The same once more: for a whole dataset, from the disk. */
  readonly againSeconds: number
  /** How much the service's memory grows. */
  readonly memory: Measurement
}

/** @param query of the export @param kind of file, as the report names it */
async function measureFile(work: FilesWork, kind: string, query: string): Promise<FileFigures> {
  const izvor = await work.start()
  try {
    const fetching = { ...work, izvor }
    // Loads the columns of the rows.
    const list = await fetch(izvor.address + LIST, { headers: { authorization: `Bearer ${work.secret}` } })
    await list.text()
    const make = async () => {
      rmSync(join(work.data, 'files'), { recursive: true, force: true })
      return await fetchAll(fetching, 'identity', query)
    }
    const { result, grownMb } = await watched(izvor, async () => {
      const made = []
      while (made.length < TIMES) made.push(await make())
      return made
    })
    const again = await fetchAll(fetching, 'identity', query)
    const seconds = median(result.map((made) => made.seconds))
    return {
      ...{ seconds, megabytes: again.megabytes, againSeconds: again.seconds },
      memory: atMost(
        `${kind}: memory grows by`,
        grownMb,
        MOST_MEGABYTES,
        ' MB',
        `${seconds.toFixed(2)} s each`,
      ),
    }
  } finally {
    await izvor.stop()
  }
}
