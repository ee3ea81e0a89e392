/** Two processes ingest the same dataset at the same time: each gets its own version, and one of them is served. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { bodyOf, izvor, mint, serve, succeed } from '../journeys/program.ts'
import { countMoment, FAULT_TIMEOUT, MOMENTS, randomMoments } from '../support/fault-moments.ts'
import { tempDir } from '../support/temp-dir.ts'

setDefaultTimeout(FAULT_TIMEOUT)

function csv(rows: number): string {
  return `n,name\n${Array.from({ length: rows }, (_, i) => `${i},name ${i % 997}`).join('\n')}\n`
}

test('two processes that ingest the same dataset both succeed completely, and it is served without a gap', async () => {
  const data = join(tempDir(), 'data')
  const ingest = (rows: number) =>
    izvor(['ingest', '-', '--id', 'numbers', '--domain', 'test', '--data', data], { input: csv(rows) })
  expect((await ingest(100)).code).toBe(0)
  const { secret } = await mint(data)
  const service = await serve(data)
  const random = randomMoments('two writers')
  for (let moment = 0; moment < MOMENTS; moment++) {
    const sizes = [5000 + moment, 5100 + moment] as const
    let writing = true
    const writers = Promise.all([ingest(sizes[0]), Bun.sleep(60 * random()).then(() => ingest(sizes[1]))])
    const reading = (async () => {
      while (writing) {
        const { pagination } = await bodyOf(await service.get('/v1/test/numbers', secret))
        expect(pagination.total).toBeGreaterThanOrEqual(100)
      }
    })()
    const ended = await writers
    writing = false
    await reading
    expect(ended.map(({ code, stderr }) => [code, code === 0 ? '' : stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
    const { pagination } = await bodyOf(await service.get('/v1/test/numbers', secret))
    expect([...sizes]).toContain(pagination.total)
    countMoment('two writers')
  }
  await succeed(['datasets', 'verify', '--data', data])
  const shown = JSON.parse(await succeed(['datasets', 'show', 'numbers', '--data', data, '--json']))
  const versions = shown.versions.map(({ version }: { version: number }) => version)
  expect(new Set(versions).size).toBe(versions.length)
  service.signal('SIGTERM')
  await service.exited
  await succeed(['ingest', '-', '--id', 'other', '--domain', 'test', '--data', data], { input: csv(1) })
  expect(readdirSync(join(data, 'tmp')).filter((name) => !name.endsWith('.db'))).toEqual([])
})
