import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startTestApp } from '../support/app.ts'
import { peakBytesOf } from '../support/peak-memory.ts'
import { tempDir } from '../support/temp-dir.ts'
import { mint, serve } from './program.ts'

const ROWS = 200_000
const DATASETS = ['first', 'second', 'third']
const SORTS = ['a,b,c', 'b,c', 'c,a', '-a,b,c', '-b', '-c', 'c', 'a', 'b']
const CEILING = 180e6
/** For answers being sent and garbage, which belong to no query. Without a ceiling this load takes over 300 MB. */
const ON_TOP = 60e6

function numbers(): string {
  const lines = ['a,b,c']
  for (let row = 0; row < ROWS; row++) {
    const spread = (step: number) => (Math.imul(row, step) >>> 0) % 150_000
    lines.push(`${spread(0x9e3779b1)},${spread(0x85ebca6b)},town ${spread(0xc2b2ae35)}`)
  }
  return `${lines.join('\n')}\n`
}

test.skipIf(process.platform !== 'linux')(
  'concurrent sorts and exports stay below the memory ceiling, and are answered or refused with a time to retry',
  async () => {
    const data = join(tempDir(), 'data')
    const publisher = await startTestApp({ flags: { data } })
    const text = numbers()
    for (const id of DATASETS) await publisher.ingestCsv(text, { id, domain: 'geo' })
    await publisher.stop()
    const { secret } = await mint(data)
    const env = { IZVOR_MEMORY_BUDGET: '64MB', IZVOR_MEMORY_CEILING: String(CEILING) }
    const service = await serve(data, ['serve'], { env })
    const ask = async (path: string) => {
      const answer = await service.get(path, secret)
      await answer.arrayBuffer()
      return { status: answer.status, wait: Number(answer.headers.get('retry-after')) }
    }
    const paths = DATASETS.flatMap((id) => [
      ...SORTS.map((sort) => `/v1/geo/${id}?sort=${sort}&limit=1000`),
      ...Array.from({ length: 7 }, () => `/v1/geo/${id}/export?format=ndjson`),
    ])
    const waiting = [...paths, ...paths, ...paths]
    const client = async () => {
      const got: Awaited<ReturnType<typeof ask>>[] = []
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) got.push(await ask(path))
      return got
    }
    const answers = (await Promise.all(Array.from({ length: 12 }, client))).flat()
    expect(peakBytesOf(service.pid)).toBeLessThan(CEILING + ON_TOP)
    expect(answers.some(({ status }) => status === 503)).toBe(true)
    expect(answers.filter(({ status }) => ![200, 429, 503].includes(status))).toEqual([])
    for (const { status, wait } of answers)
      expect([status === 200, wait > 0]).toEqual([status === 200, status !== 200])
    let last = await ask(paths[0]!)
    while (last.status === 503) last = await ask(paths[0]!)
    expect(last.status).toBe(200)
  },
  60_000,
)
