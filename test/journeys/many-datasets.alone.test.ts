import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startTestApp } from '../support/app.ts'
import { tempDir } from '../support/temp-dir.ts'
import { mint, serve } from './program.ts'

const DATASETS = 12
/** A memory without bounds checks reserves the whole 32-bit address range. */
const ALL_ADDRESSES = 2 ** 32

/** The lengths of the address ranges that a process has reserved or used (proc(5)), with adjacent ranges joined. */
function reservedBy(pid: number): number[] {
  const runs: { from: number; to: number }[] = []
  for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').trimEnd().split('\n')) {
    const [from, to] = line
      .split(' ', 1)[0]!
      .split('-')
      .map((address) => Number.parseInt(address, 16))
    const last = runs.at(-1)
    if (last?.to === from) last!.to = to!
    else runs.push({ from: from!, to: to! })
  }
  return runs.map(({ from, to }) => to - from)
}

test.skipIf(process.platform !== 'linux')(
  'every open dataset has fast memory, however many there are',
  async () => {
    const data = join(tempDir(), 'data')
    const publisher = await startTestApp({ flags: { data } })
    for (let i = 0; i < DATASETS; i++)
      await publisher.ingestCsv('a,b\n1,x\n2,y\n', { id: `table_${i}`, domain: 'geo' })
    await publisher.stop()
    const { secret } = await mint(data)
    const service = await serve(data)
    for (let i = 0; i < DATASETS; i++) {
      const answer = await service.get(`/v1/geo/table_${i}?sort=-a`, secret)
      expect((await answer.json()).data).toEqual([
        { a: 2, b: 'y' },
        { a: 1, b: 'x' },
      ])
    }
    const whole = reservedBy(service.pid).reduce((sum, length) => sum + Math.floor(length / ALL_ADDRESSES), 0)
    expect(whole).toBeGreaterThanOrEqual(DATASETS)
  },
)
