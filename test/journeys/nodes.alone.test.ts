/**
 * Three nodes, one PostgreSQL and one object store under a mixed load, while every ten seconds one of them is killed or
 * frozen. Takes half a minute by default; for longer:
 *
 *   NODES_SECONDS=300 NODES_QUOTA=10000 bun test test/journeys/nodes.alone.test.ts
 */

import { expect, test } from 'bun:test'
import { type Cluster, type Part, startCluster } from '../support/nodes/cluster.ts'
import {
  anyOf,
  checkAfterwards,
  editionOf,
  Findings,
  KeyLives,
  Person,
  Publishing,
  Quota,
  readLists,
} from '../support/nodes/load.ts'
import { hasObjectStore } from '../support/object-store.ts'
import { hasPostgres } from '../support/postgres.ts'

const SECONDS = Number(process.env.NODES_SECONDS ?? 30)
const QUOTA = Number(process.env.NODES_QUOTA ?? 2000)
const EVERY_MS = 10_000
const FROZEN_MS = 5000
const NODES = 3
const EMAIL = 'ana@example.org'
const PASSWORD = 'girafe verzi pe acoperiș'
/** The largest block of a quota that a node holds; a killed node loses its block. */
const BLOCK = 100

test.skipIf(!hasPostgres || !hasObjectStore)(
  'three nodes lose no acknowledged change while parts are killed and frozen',
  async () => {
    const cluster = await startCluster(NODES)
    try {
      expect(await run(cluster)).toEqual([])
    } finally {
      await cluster.stop()
    }
  },
  (SECONDS + 240) * 1000,
)

/** @returns violations of the guarantees */
async function run(cluster: Cluster): Promise<readonly string[]> {
  const findings = new Findings()
  const [first] = cluster.nodes
  const publishing = new Publishing()
  if (!(await publishing.publish(first, findings))) throw new Error(publishing.lastFailure)
  const secret = await mint(cluster, ['--plan', 'unlimited'])
  const limited = await mint(cluster, ['--plan', 'unlimited', '--monthly-quota', String(QUOTA)])
  const person = await signUp(cluster)
  await untilAllServe(cluster, secret, findings)

  const end = performance.now() + SECONDS * 1000
  const goesOn = () => performance.now() < end
  const keys = new KeyLives()
  const quota = new Quota()
  const killing = harm(cluster, goesOn)
  await Promise.all([
    readLists(cluster, secret, findings, goesOn),
    readLists(cluster, secret, findings, goesOn),
    publishing.run(cluster, secret, findings, goesOn),
    keys.run(cluster, person, findings, goesOn),
    quota.run(cluster, limited, findings, goesOn),
  ])
  const { done, killedNodes } = await killing
  await untilAllServe(cluster, secret, findings)
  if (!quota.isUsedUp) await quota.run(cluster, limited, findings, lasting(60_000))
  judgeQuota(quota, killedNodes, findings)
  await checkAfterwards(cluster, { keys, publishing, secret }, findings)
  print({ findings, done, keys, quota, publishing })
  return findings.wrongs
}

function lasting(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => performance.now() < end
}

async function mint(cluster: Cluster, terms: readonly string[]): Promise<string> {
  const printed = await cluster.nodes[0]!.run(['keys', 'mint', ...terms, '--json'])
  return (JSON.parse(printed) as { secret: string }).secret
}

async function signUp(cluster: Cluster): Promise<Person> {
  const [first, second] = cluster.nodes
  await fetch(`${first!.address}/account/api/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  await first!.run([
    'plans',
    'set',
    'many',
    '--monthly-quota',
    'none',
    '--max-active-keys',
    'none',
    '--per-minute',
    'none',
  ])
  await first!.run(['users', 'verify', EMAIL])
  await second!.run(['users', 'set-plan', EMAIL, 'many'])
  return Person.signIn(second!.address, EMAIL, PASSWORD)
}

/** Waits until every node serves, after the start and after the last fault. */
async function untilAllServe(cluster: Cluster, secret: string, findings: Findings): Promise<void> {
  const goesOn = lasting(30_000)
  for (const node of cluster.nodes) {
    while (goesOn() && (await editionOf(node, secret, findings)) === undefined) await Bun.sleep(200)
  }
}

/** Kills or freezes a part every ten seconds, and brings it back. */
async function harm(cluster: Cluster, goesOn: () => boolean) {
  const done: string[] = []
  let killedNodes = 0
  const parts: Part[] = [...cluster.nodes, ...cluster.nodes, cluster.database, cluster.store]
  for (let turn = 0; ; turn++) {
    await Bun.sleep(EVERY_MS - FROZEN_MS)
    if (!goesOn()) break
    // First each kind of part in turn, then random ones.
    const part =
      turn < 4 ? [cluster.nodes[0]!, cluster.database, cluster.store, cluster.nodes[1]!][turn]! : anyOf(parts)
    const isKilled = cluster.nodes.includes(part as never)
      ? turn === 0 || Math.random() < 0.5
      : Math.random() < 0.3
    done.push(`${part.name} ${isKilled ? 'killed' : 'frozen'}`)
    if (isKilled) {
      if (cluster.nodes.includes(part as never)) killedNodes++
      await part.kill()
      await Bun.sleep(FROZEN_MS)
      await part.restart()
    } else {
      part.freeze()
      await Bun.sleep(FROZEN_MS)
      part.thaw()
    }
  }
  return { done, killedNodes }
}

/** The quota is never exceeded, and reached except for the blocks of killed nodes and calls whose answers were lost. */
function judgeQuota(quota: Quota, killedNodes: number, findings: Findings): void {
  if (quota.admitted > QUOTA) findings.wrong(`a quota of ${QUOTA} let ${quota.admitted} calls through`)
  const least = QUOTA - killedNodes * BLOCK - quota.unknown
  if (quota.isUsedUp && quota.admitted < least)
    findings.wrong(
      `a quota of ${QUOTA} let only ${quota.admitted} calls through; ${quota.unknown} got no answer`,
    )
}

interface Seen {
  readonly findings: Findings
  readonly done: readonly string[]
  readonly keys: KeyLives
  readonly quota: Quota
  readonly publishing: Publishing
}

function print({ findings, done, keys, quota, publishing }: Seen): void {
  const waits = publishing.waits.toSorted((a, b) => a - b)
  const { all, unavailable, broken } = findings.share()
  const percent = (count: number) => `${((100 * count) / all).toFixed(2)} %`
  console.log(`harm: ${done.join(', ')}`)
  console.log([...findings.answers].map(([name, count]) => `${name}: ${count}`).join(', '))
  console.log(`${all} answers; 503: ${percent(unavailable)}, broken: ${percent(broken)}`)
  console.log(
    `${publishing.acknowledged} is the last acknowledged edition; time until it is served everywhere:`,
  )
  console.log(
    `  ${(waits[Math.floor(waits.length / 2)] ?? 0).toFixed(0)} ms (median), ${(waits.at(-1) ?? 0).toFixed(0)} ms (slowest, including the time that nodes were down)`,
  )
  console.log(
    `keys: ${keys.revoked.length} revoked and refused everywhere, ${keys.kept.length} kept and accepted`,
  )
  console.log(
    `quota: ${quota.admitted} of ${QUOTA} admitted, ${quota.unknown} without an answer${quota.isUsedUp ? '' : ', not used up'}`,
  )
  if (publishing.lastFailure !== '')
    console.log(`last failed publish: ${publishing.lastFailure.trim().split('\n').at(-1)}`)
}
