/**
 * Everything at once: 20 exports, 200 clients that sort and filter, and an ingest, each of 2,000,000 rows in a full run,
 * otherwise of a tenth. Checks what `docs/operating.md` says about memory.
 */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tradeTable } from '../../src/commands/demo/trade.ts'
import { residentMb } from '../bench/process.ts'
import { sampleFile } from '../bench/sample-file.ts'
import { download, EXPORTS, everythingAtOnce, peakMb } from '../bench/together.ts'
import { bodyOf, izvor, mint, type RunningService, serve, succeed } from '../journeys/program.ts'
import { IS_FULL, runs } from '../support/property-runs.ts'

setDefaultTimeout(120_000)

const NO_FAILURES = { errors: 0, timeouts: 0 }
const ROWS = runs(2_000_000)
const SECONDS = IS_FULL ? 6 : 3
const PATH = '/v1/bench/trade'
/** With default settings: the program, the dataset with its caches, and the garbage of 200 busy clients. */
const SERVICE_MB = 512
const INGEST_MB = 256
const CEILING_MB = 300
/** For answers being sent and garbage, which belong to no query. */
const ON_TOP_MB = 40

const folder = mkdtempSync(join(tmpdir(), 'izvor-together-'))
const data = join(folder, 'data')
let file = ''
let secret = ''

async function ingest(id: string) {
  const done = await izvor(['ingest', file, '--id', id, '--domain', 'bench', '--data', data])
  expect([done.code, done.code === 0 ? '' : done.stderr]).toEqual([0, ''])
  return done
}

/** The number of rows of a dataset, from a service that may have to free memory first. */
async function rowsOf(service: RunningService, id: string): Promise<number> {
  for (;;) {
    const answer = await service.get(`/v1/bench/${id}?count=true&limit=1`, secret)
    if (answer.status !== 503) return (await bodyOf(answer)).pagination.total
    await Bun.sleep(1000 * Number(answer.headers.get('retry-after')))
  }
}

async function putUnderLoad(service: RunningService, id: string, wholeExports: boolean) {
  return await everythingAtOnce({
    service,
    secret,
    path: PATH,
    rows: ROWS,
    folder,
    seconds: SECONDS,
    wholeExports,
    ingest: () => ingest(id),
  })
}

describe.skipIf(process.platform !== 'linux')(
  `20 exports, 200 clients and an ingest of ${ROWS} rows at once`,
  () => {
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    beforeAll(async () => {
      file = sampleFile(tradeTable(2023, ROWS), ROWS)
      await ingest('trade')
      secret = (await mint(data)).secret
    })

    test('take no more memory than stated, and every answer and every export is complete', async () => {
      const service = await serve(data)
      const whole = await download({ service, secret, path: PATH })
      const { exports, load, ingest } = await putUnderLoad(service, 'beside', true)
      const peak = peakMb(service.pid)
      expect(exports).toEqual(exports.map(() => whole))
      expect([exports.length, whole.status, load.failures]).toEqual([EXPORTS, 200, NO_FAILURES])
      expect(load.requests - load.refused).toBeGreaterThan(0)
      expect(peak).toBeLessThan(SERVICE_MB)
      expect(ingest.ownPeakBytes).toBeGreaterThan(0)
      expect(ingest.ownPeakBytes / 1e6).toBeLessThan(INGEST_MB)
      expect([await rowsOf(service, 'trade'), await rowsOf(service, 'beside')]).toEqual([ROWS, ROWS])
      await succeed(['datasets', 'verify', '--data', data])
    })

    test('stay below a memory ceiling: what does not fit is refused with a time to retry, and answered after that time', async () => {
      const env = { IZVOR_MEMORY_CEILING: `${CEILING_MB}MB` }
      const service = await serve(data, ['serve'], { env })
      const { exports, load } = await putUnderLoad(service, 'below', false)
      expect(peakMb(service.pid)).toBeLessThan(CEILING_MB + ON_TOP_MB)
      expect(load.failures).toEqual(NO_FAILURES)
      expect(load.requests - load.refused).toBeGreaterThan(0)
      for (const { status, retryAfter } of exports)
        expect([status === 200, Number(retryAfter) > 0]).toEqual([status === 200, status !== 200])
      expect([await rowsOf(service, 'trade'), await rowsOf(service, 'below')]).toEqual([ROWS, ROWS])
      expect(residentMb(service.pid)).toBeLessThan(CEILING_MB)
    })
  },
)
