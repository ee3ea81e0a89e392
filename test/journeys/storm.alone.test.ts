/**
 * All attacks on capacity at once: endless bodies and headers, sign-ups and sign-ins from many networks, long queries by
 * many keys and by networks without one, and exports that are read slowly. Each kind is a separate process that rests
 * between its calls, so that only the service is measured.
 */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readlinkSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { tradeTable } from '../../src/commands/demo/trade.ts'
import { processorSeconds, residentMb } from '../bench/process.ts'
import { sampleFile } from '../bench/sample-file.ts'
import { type Storm, startAttackers } from '../support/attackers.ts'
import { IS_FULL, runs } from '../support/property-runs.ts'
import { tempDir } from '../support/temp-dir.ts'
import { mint, type RunningService, serve, succeed } from './program.ts'

setDefaultTimeout(300_000)

const ROWS = runs(1_000_000)
const STORM_MS = IS_FULL ? 60_000 : 8000
const QUIET_MS = IS_FULL ? 5000 : 2000
const AFTER_MS = 10_000
const CEILING_MB = 600
/** Caches of sorts and filters, up to 150 MB, and garbage. */
const MARGIN_MB = 250
/** For lists during the storm, in ms, on an otherwise idle machine: ten times what two quiet cores need (38 ms). */
const STORM_P99 = 500
/** For lists afterwards, in ms. */
const CALM_P99 = 50
const PAUSE_MS = 8
const KEYS = 24
const PEOPLE = 10
const PASSWORD = 'girafe verzi pe acoperiș'

const CLIENTS: Readonly<Record<Storm['kind'], number>> = {
  bodies: 2000,
  heads: 500,
  people: 300,
  queries: KEYS,
  groups: 16,
  exports: 50,
}

interface Person {
  readonly email: string
  readonly network: string
}

/** What a well-behaved client experienced in one phase. */
class Experience {
  readonly took: number[] = []
  readonly errors: (number | string)[] = []
  peakMb = 0

  p99(): number {
    return this.took.toSorted((a, b) => a - b)[Math.floor(this.took.length * 0.99)] ?? Number.NaN
  }

  toString(): string {
    return `${this.took.length} lists, p99 ${this.p99().toFixed(1)} ms, slowest ${Math.max(...this.took).toFixed(0)} ms, ${this.peakMb.toFixed(0)} MB`
  }
}

async function askFor(service: RunningService, secret: string, forMs: number): Promise<Experience> {
  const into = new Experience()
  const until = performance.now() + forMs
  for (let turn = 0; performance.now() < until; turn++) {
    const began = performance.now()
    const answer = await service.get(`/v1/bench/trade?month=${1 + (turn % 12)}&limit=5`, secret)
    await answer.arrayBuffer()
    if (answer.status !== 200) into.errors.push(answer.status)
    into.took.push(performance.now() - began)
    into.peakMb = Math.max(into.peakMb, residentMb(service.pid))
    await Bun.sleep(PAUSE_MS)
  }
  return into
}

async function ofPerson(service: RunningService, call: 'signup' | 'login', { email, network }: Person) {
  const answer = await fetch(`${service.address}/account/api/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': network },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  await answer.arrayBuffer()
  return answer.status
}

/** People who have signed in from known networks. */
async function knownPeople(service: RunningService): Promise<Person[]> {
  const people = Array.from({ length: PEOPLE }, (_, n) => ({
    email: `ana${n}@example.org`,
    network: `198.51.100.${n + 1}`,
  }))
  for (const person of people) {
    expect(await ofPerson(service, 'signup', person)).toBe(201)
    expect(await ofPerson(service, 'login', person)).toBe(200)
  }
  return people
}

/** Signs in one person each second. */
async function signInWhile(service: RunningService, people: readonly Person[], forMs: number) {
  const until = performance.now() + forMs
  const statuses: number[] = []
  let slowest = 0
  for (let n = 0; performance.now() < until; n++) {
    const began = performance.now()
    statuses.push(await ofPerson(service, 'login', people[n % people.length]!))
    slowest = Math.max(slowest, performance.now() - began)
    await Bun.sleep(1000)
  }
  return { statuses, slowest }
}

function startStorm(service: RunningService, secrets: readonly string[], people: readonly Person[]) {
  const emails = people.map(({ email }) => email)
  const kinds = Object.entries(CLIENTS) as [Storm['kind'], number][]
  return kinds.map(([kind, clients]) =>
    startAttackers({ kind, clients, address: service.address, secrets, emails }),
  )
}

/** The connections of a process, and its few other sockets. */
function connectionsOf({ pid }: RunningService): number {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).filter((name) => isSocket(join(folder, name))).length
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:')
  } catch {
    return false
  }
}

/** The total busy time of all processors, in seconds. */
function busySeconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000
}

/** Measures who uses the processors, as a number of processors, such as 0.5 of 2. */
function watchProcessors(service: RunningService, storm: ReturnType<typeof startStorm>) {
  const own = [service.pid, process.pid, ...storm.map(({ pid }) => pid)]
  const began = performance.now()
  const busyBefore = busySeconds()
  const usedBefore = own.map(processorSeconds)
  return () => {
    const seconds = (performance.now() - began) / 1000
    const used = own.map((pid, n) => (processorSeconds(pid) - usedBefore[n]!) / seconds)
    const sum = used.reduce((all, one) => all + one, 0)
    const others = Math.max(0, (busySeconds() - busyBefore) / seconds - sum)
    const storms = sum - used[0]! - used[1]!
    return { service: used[0]!, storms, others, leftShare: Math.max(0.1, 1 - others / cpus().length) }
  }
}

/** Takes the figures that are compared before and after. */
async function look(service: RunningService, secret: string) {
  const lists = await askFor(service, secret, QUIET_MS)
  return { lists, memoryMb: residentMb(service.pid), connections: connectionsOf(service) }
}

async function endure(service: RunningService, secret: string, secrets: readonly string[], people: Person[]) {
  const storm = startStorm(service, secrets, people)
  const processors = watchProcessors(service, storm)
  const [lists, signIns] = await Promise.all([
    askFor(service, secret, STORM_MS),
    signInWhile(service, people, STORM_MS),
  ])
  const used = processors()
  const connections = connectionsOf(service)
  return { lists, signIns, used, connections, met: await Promise.all(storm.map(({ end }) => end())) }
}

function tell(
  before: Awaited<ReturnType<typeof look>>,
  during: Awaited<ReturnType<typeof endure>>,
  after: Awaited<ReturnType<typeof look>>,
): void {
  const { lists, signIns, used, connections, met } = during
  const [service, storms, others] = [used.service, used.storms, used.others].map((one) => one.toFixed(2))
  console.log(
    [
      `before: ${before.lists}, ${before.connections} sockets`,
      `storm: ${lists}, ${connections} sockets; ${signIns.statuses.length} sign-ins of known people, slowest ${signIns.slowest.toFixed(0)} ms`,
      `after: ${after.lists}, ${after.connections} sockets`,
      `processors: service ${service}, storm ${storms}, others ${others}`,
      ...met,
    ].join('\n'),
  )
}

test.skipIf(process.platform !== 'linux')(
  'under all attacks at once lists are answered and known people sign in, and afterwards the service is as before',
  async () => {
    const data = join(tempDir(), 'data')
    const file = sampleFile(tradeTable(2023, ROWS), ROWS)
    await succeed(['ingest', file, '--id', 'trade', '--domain', 'bench', '--data', data])
    const { secret } = await mint(data)
    const secrets: string[] = []
    for (let n = 0; n < KEYS; n++) secrets.push((await mint(data)).secret)
    const env = { IZVOR_MEMORY_CEILING: `${CEILING_MB}MB`, IZVOR_TRUSTED_PROXIES: '127.0.0.1' }
    const service = await serve(data, ['serve'], { env })
    const people = await knownPeople(service)

    const before = await look(service, secret)
    const during = await endure(service, secret, secrets, people)
    await Bun.sleep(AFTER_MS)
    const after = await look(service, secret)
    tell(before, during, after)

    expect(during.signIns.statuses).toEqual(during.signIns.statuses.map(() => 200))
    expect([before, during, after].map(({ lists }) => lists.errors)).toEqual([[], [], []])
    expect(during.lists.peakMb).toBeLessThan(CEILING_MB)
    expect(during.connections).toBeGreaterThan(CLIENTS.bodies / 2)
    expect(during.lists.p99()).toBeLessThan(STORM_P99 / during.used.leftShare)
    expect(after.connections).toBeLessThan(before.connections + 10)
    expect(after.memoryMb - before.memoryMb).toBeLessThan(MARGIN_MB)
    const calm = Math.max(CALM_P99 / during.used.leftShare, 3 * before.lists.p99())
    expect(after.lists.p99()).toBeLessThan(calm)
  },
)
