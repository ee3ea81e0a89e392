/**
 * What finding a key adds to a request of a node: `bun test/bench/key-lookup.ts`. It starts a PostgreSQL server on the
 * loopback address and measures lookups one after the other, and of 50 clients at once.
 */

import { OPERATOR } from '../../src/accounts/audit/audit.ts'
import { openSharedKeys } from '../../src/accounts/keys/key-lookup.ts'
import { mintKey } from '../../src/accounts/keys/keys.ts'
import { accountsIn } from '../../src/db/accounts.ts'
import { Postgres } from '../../src/db/postgres/open.ts'
import { startPostgres } from '../support/postgres.ts'

const SECONDS = 3

const server = await startPostgres()
const node = await Postgres.open(await server.createDatabase())
const lookup = openSharedKeys(node)
const { secret } = await mintKey(accountsIn(node), OPERATOR, { plan: 'free', label: 'x' }, new Date())
await measure(1)
for (const clients of [1, 10, 50]) {
  const times = await measure(clients)
  const at = (share: number) => `${times[Math.floor(share * (times.length - 1))]!.toFixed(3)} ms`
  const rate = Math.round(times.length / SECONDS)
  console.log(`${clients} at once: median ${at(0.5)}, p99 ${at(0.99)}, ${rate} lookups a second`)
}
lookup.close()
node.close()
await server.stop()

/** Times of lookups in ms, shortest first. */
async function measure(clients: number): Promise<number[]> {
  const times: number[] = []
  const until = performance.now() + SECONDS * 1000
  const client = async () => {
    while (performance.now() < until) {
      const began = performance.now()
      await lookup.find(secret, new Date())
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return times.sort((a, b) => a - b)
}
