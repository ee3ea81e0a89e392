import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { residentMb } from '../bench/process.ts'
import { holdRequests, unfinishedPost } from '../support/held-requests.ts'
import { tempDir } from '../support/temp-dir.ts'
import { mint, serve, succeed } from './program.ts'

const CEILING_MB = 300
/** The most that 900 bodies of 1 MB may add to a process that keeps none; 50 to 150, depending on garbage collection. */
const MOST_GROWTH_MB = 200

test.skipIf(process.platform !== 'linux')(
  'thousands of unfinished bodies neither stop queries nor fill the memory, and people can still sign up',
  async () => {
    const folder = tempDir()
    const data = join(folder, 'data')
    const file = join(folder, 'towns.csv')
    writeFileSync(file, 'town,people\nCluj,286598\nBrad,13000\n')
    await succeed(['ingest', file, '--id', 'towns', '--domain', 'geo', '--data', data])
    const { secret } = await mint(data)
    const env = { IZVOR_MEMORY_CEILING: `${CEILING_MB}MB` }
    const service = await serve(data, ['serve'], { env })
    let asked = 0
    const ask = async () => (await service.get(`/v1/geo/towns?people[gte]=${++asked}`, secret)).status
    expect(await ask()).toBe(200)
    const before = residentMb(service.pid)

    const large = unfinishedPost('/nothing', { length: 1_000_000, sent: 990_000 })
    const small = unfinishedPost('/account/api/login', { length: 16_000, sent: 15_000 })
    const unread = unfinishedPost('/account/api/login', { length: 1_000_000, sent: 1000 })
    const held = [
      await holdRequests({ url: service.address, count: 900, bytes: () => large }),
      await holdRequests({ url: service.address, count: 1500, bytes: () => small }),
      await holdRequests({ url: service.address, count: 100, bytes: () => unread }),
    ]
    const statuses: number[] = []
    for (let n = 0; n < 50; n++) statuses.push(await ask())
    expect(statuses).toEqual(statuses.map(() => 200))
    expect(residentMb(service.pid) - before).toBeLessThan(MOST_GROWTH_MB)
    const body = JSON.stringify({ email: 'ana@example.org', password: 'girafe verzi pe acoperiș' })
    const headers = { 'content-type': 'application/json' }
    const signUp = await fetch(`${service.address}/account/api/signup`, { method: 'POST', headers, body })
    expect(signUp.status).toBe(201)
    // The oldest bodies are dropped in favour of later ones, and their connections are closed.
    expect(new Set(held.flatMap(({ statuses }) => statuses))).toEqual(new Set([408, 413]))
    for (const requests of held) requests.release()
  },
  60_000,
)
