/**
 * Lists a second of one folder and of 1, 2 and 3 nodes, in turns, with the processor time that the programs take for each.
 * The database and the load run on the same machine. A separate command, which needs wrk, PostgreSQL 15 and versitygw:
 * `bun test ./test/bench/nodes-bench.test.ts`
 */

import { test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mint, serve, succeed } from '../journeys/program.ts'
import { findProgram } from '../support/find-program.ts'
import { startCluster } from '../support/nodes/cluster.ts'
import { hasObjectStore } from '../support/object-store.ts'
import { hasPostgres } from '../support/postgres.ts'
import { tempDir } from '../support/temp-dir.ts'
import { processorSeconds } from './process.ts'

const SECONDS = 4
const ROUNDS = 3
const CLIENTS = [16, 64]
const LIST = '/v1/test/towns?county=C1&limit=20'
const wrk = findProgram('wrk')

interface Served {
  readonly address: string
  readonly pid: number
}

/** Requests lists from several programs at once. */
async function load(served: readonly Served[], secret: string, clients: number): Promise<string> {
  const before = served.map(({ pid }) => processorSeconds(pid))
  const each = Math.floor(clients / served.length)
  const printed = await Promise.all(
    served.map(({ address }) => {
      const options = ['-t1', `-c${each}`, `-d${SECONDS}s`, '-H', `Authorization: Bearer ${secret}`]
      return Bun.spawn([wrk!, ...options, address + LIST], { stdout: 'pipe' }).stdout.text()
    }),
  )
  const rates = printed.map((text) => Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]))
  const rate = rates.reduce((sum, one) => sum + one)
  const used = served.reduce((sum, { pid }, index) => sum + processorSeconds(pid) - before[index]!, 0)
  return `${Math.round(rate)} lists a second, ${((used * 1e6) / (rate * SECONDS)).toFixed(1)} us of the processor for each`
}

test.skipIf(wrk === null || !hasPostgres || !hasObjectStore)(
  'lists of one folder and of nodes',
  async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => `${n},Town ${n % 500},C${n % 40}`)
    const file = join(tempDir(), 'towns.csv')
    writeFileSync(file, `n,town,county\n${rows.join('\n')}\n`)
    const ingest = ['ingest', file, '--id', 'towns', '--domain', 'test']
    const data = join(tempDir(), 'one')
    await succeed([...ingest, '--data', data])
    const { secret: own } = await mint(data)
    const folder = await serve(data)
    const cluster = await startCluster(3)
    try {
      await cluster.nodes[0]!.run(ingest)
      const minted = await cluster.nodes[0]!.run(['keys', 'mint', '--plan', 'unlimited', '--json'])
      const { secret } = JSON.parse(minted) as { secret: string }
      for (const node of cluster.nodes) await load([node], secret, 12)
      await load([folder], own, 12)
      for (let round = 1; round <= ROUNDS; round++)
        for (const clients of CLIENTS) {
          console.log(`${clients} clients, one folder: ${await load([folder], own, clients)}`)
          for (const size of [1, 2, 3])
            console.log(
              `${clients} clients, ${size} of the nodes: ${await load(cluster.nodes.slice(0, size), secret, clients)}`,
            )
        }
      folder.signal('SIGTERM')
      await folder.exited
    } finally {
      await cluster.stop()
    }
  },
  300_000,
)
