import { expect, test } from 'bun:test'
import { OPERATOR } from '../../src/accounts/audit/audit.ts'
import { openSharedKeys } from '../../src/accounts/keys/key-lookup.ts'
import { mintKey, revokeKey } from '../../src/accounts/keys/keys.ts'
import { setPlan } from '../../src/accounts/keys/plans.ts'
import { accountsIn } from '../../src/db/accounts.ts'
import { DatabaseAway } from '../../src/db/postgres/database-away.ts'
import { Postgres } from '../../src/db/postgres/open.ts'
import { hasPostgres, sharedPostgres, startPostgres } from '../support/postgres.ts'
import { runs } from '../support/property-runs.ts'

const NOW = new Date('2025-03-01T10:00:00Z')
const never = () => null

test.skipIf(!hasPostgres)(
  'no other node accepts a call that begins after a revocation was confirmed',
  async () => {
    const url = await (await sharedPostgres()).createDatabase()
    const [revoking, ...serving] = await Promise.all([1, 2, 3].map(() => Postgres.open(url)))
    const db = accountsIn(revoking!)
    const lookups = serving.map((node) => openSharedKeys(node))
    let [accepted, tooLate] = [0, 0]
    for (let round = 0; round < runs(500); round++) {
      const { key_id, secret } = await mintKey(db, OPERATOR, { plan: 'free', label: 'x' }, NOW)
      let [answered, over] = [false, false]
      const callers = [...lookups, ...lookups, ...lookups].map(async (lookup) => {
        while (!over) {
          const beganAfter = answered
          const found = await lookup.find(secret, NOW)
          if (typeof found === 'object') accepted++
          if (beganAfter && typeof found === 'object') tooLate++
        }
      })
      await Promise.all(lookups.map((lookup) => lookup.find(secret, NOW)))
      await revokeKey(db, OPERATOR, key_id, never, NOW)
      answered = true
      expect(await Promise.all(lookups.map((lookup) => lookup.find(secret, NOW)))).toEqual([
        'api_key_revoked',
        'api_key_revoked',
      ])
      over = true
      await Promise.all(callers)
    }
    expect(tooLate).toBe(0)
    expect(accepted).toBeGreaterThan(0)
    for (const lookup of lookups) lookup.close()
    for (const node of [revoking!, ...serving]) node.close()
  },
)

test.skipIf(!hasPostgres)(
  'a changed plan takes effect on another node at once; unchanged data is fetched once',
  async () => {
    const url = await (await sharedPostgres()).createDatabase()
    const [changing, serving] = [await Postgres.open(url), await Postgres.open(url)]
    const db = accountsIn(changing)
    const lookup = openSharedKeys(serving)
    const { secret } = await mintKey(db, OPERATOR, { plan: 'free', label: 'x' }, NOW)
    for (let n = 0; n < 5; n++)
      expect(await lookup.find(secret, NOW)).toMatchObject({ plan: { per_minute: 600 } })
    expect(lookup.counts).toMatchObject({ hits: 4, misses: 1 })
    await setPlan(db, 'free', { per_minute: 7 }, NOW)
    expect(await lookup.find(secret, NOW)).toMatchObject({ plan: { per_minute: 7 } })
    lookup.close()
    changing.close()
    serving.close()
  },
)

test.skipIf(!hasPostgres)(
  'without the database no key is accepted, known or not; when it is back, keys are accepted again',
  async () => {
    const server = await startPostgres()
    try {
      const node = await Postgres.open(await server.createDatabase())
      const { secret } = await mintKey(accountsIn(node), OPERATOR, { plan: 'free', label: 'x' }, NOW)
      const lookup = openSharedKeys(node)
      expect(await lookup.find(secret, NOW)).toMatchObject({ keyId: 1 })
      server.freeze()
      const asked = await Promise.allSettled(Array.from({ length: 20 }, () => lookup.find(secret, NOW)))
      for (const one of asked) expect(one.status === 'rejected' && one.reason).toBeInstanceOf(DatabaseAway)
      server.thaw()
      expect(await lookup.find(secret, NOW)).toMatchObject({ keyId: 1 })
      await server.kill()
      await expect((async () => lookup.find(secret, NOW))()).rejects.toBeInstanceOf(DatabaseAway)
      await server.start()
      expect(await lookup.find(secret, NOW)).toMatchObject({ keyId: 1 })
      lookup.close()
      node.close()
    } finally {
      await server.stop()
    }
  },
)
