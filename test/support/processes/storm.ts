/**
 * One kind of the clients of a storm, in a separate process, so that it does not disturb the measurement. Its argument is a
 * `Storm` as JSON. It runs until its standard input ends and then prints how often it got each status.
 */

import type { Socket } from 'bun'
import type { Storm } from '../attackers.ts'
import { holdRequests, unfinishedPost } from '../held-requests.ts'
import { randomFrom } from '../random-numbers.ts'

const PATH = '/v1/bench/trade'
/** The shortest time until a connection that the service ended is replaced, in ms. */
const BODIES_PAUSE = 1000
const HEAD_BYTE_PAUSE = 500
const PEOPLE_PAUSE = 1000
const QUERY_PAUSE = 200
const READ_PAUSE = 250
/** Time after which an unanswered request is given up, in ms. */
const MOST_TO_END = 2000
const SORTS = [
  'value_lei',
  '-net_mass_kg',
  'cn8_description',
  'partner_country_code,-value_lei',
  'origin_country_code,month,-net_mass_kg',
]

const GROUPS = [
  'group_by=cn8_code,partner_country_code&measures=sum(value_lei)&sort=-sum_value_lei',
  'group_by=month&measures=count_distinct(cn8_code),median(value_lei)',
]

const storm: Storm = JSON.parse(process.argv[2] ?? '{}')
const random = randomFrom(storm.kind.length)
const statuses: Record<string, number> = {}
let isOver = false

function count(status: number | string): void {
  statuses[status] = (statuses[status] ?? 0) + 1
}

function below(most: number): number {
  return Math.floor(random() * most)
}

/** Half the size that a body of an account route may have. */
async function holdBodies(): Promise<void> {
  const held = unfinishedPost('/account/api/login', { length: 16_000, sent: 8000 })
  const options = { url: storm.address, bytes: () => held }
  const all = [await holdRequests({ ...options, count: storm.clients })]
  const closed = () => all.reduce((sum, requests) => sum + requests.closed, 0)
  for (let replaced = 0; !isOver; ) {
    await Bun.sleep(BODIES_PAUSE)
    const missing = Math.min(closed() - replaced, storm.clients / 4)
    if (missing > 0) all.push(await holdRequests({ ...options, count: missing }))
    replaced += Math.max(0, missing)
  }
  for (const status of all.flatMap((requests) => requests.statuses)) count(status)
}

/** A head that comes byte by byte and never ends. */
async function sendSlowHead(n: number): Promise<void> {
  const { hostname, port } = new URL(storm.address)
  await Bun.sleep((n * HEAD_BYTE_PAUSE) / storm.clients)
  while (!isOver) {
    let isOpen = true
    const close = () => {
      isOpen = false
    }
    const data = (_: Socket, bytes: Uint8Array) => count(Buffer.from(bytes).toString('latin1', 9, 12))
    const socket = await Bun.connect({ hostname, port: Number(port), socket: { data, close, error: close } })
    const start = 'GET /health HTTP/1.1\r\nHost: x\r\nX-Long: '
    for (let sent = 0; isOpen && !isOver; sent++) {
      socket.write(start[sent] ?? 'x')
      await Bun.sleep(HEAD_BYTE_PAUSE)
    }
    if (!isOver) count('closed')
  }
}

function someNetwork(): string {
  return `${11 + below(80)}.${below(256)}.${below(256)}.${below(256)}`
}

/** Signs up or in, each time from another network. */
async function botherPeople(n: number): Promise<void> {
  const { pause = PEOPLE_PAUSE } = storm
  await Bun.sleep((n * pause) / storm.clients)
  for (let turn = n; !isOver; turn++) {
    const from = someNetwork()
    const made = `p${below(1e9)}@example.org`
    const isSignUp = turn % 3 === 0
    const email = turn % 3 === 1 ? storm.emails[turn % storm.emails.length] : made
    const answer = await fetch(`${storm.address}/account/api/${isSignUp ? 'signup' : 'login'}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ email, password: `girafe verzi ${below(1e9)}` }),
    })
    await answer.arrayBuffer()
    count(`${isSignUp ? 'sign-up' : 'sign-in'} ${answer.status}`)
    await Bun.sleep(pause)
  }
}

/** A new range, sorted, with some page of it, and every third time a part of a text. */
function longQuery(turn: number): string {
  const range = `net_mass_kg[gte]=${below(1e6)}&value_lei[lte]=${1000 + below(2e6)}`
  const part = turn % 3 === 0 ? `&cn8_description[contains]=${below(1000)}` : ''
  const sort = SORTS[below(SORTS.length)]
  return `${PATH}?${range}${part}&sort=${sort}&offset=${below(5000)}&count=true`
}

async function askForLong(n: number): Promise<void> {
  const headers = { authorization: `Bearer ${secretOf(n)}` }
  for (let turn = n; !isOver; turn++) {
    const answer = await fetch(storm.address + longQuery(turn), { headers })
    await answer.arrayBuffer()
    count(answer.status)
    await Bun.sleep(QUERY_PAUSE)
  }
}

/** Groups of a new range, each time from another network. */
async function askForGroups(n: number): Promise<void> {
  for (let turn = n; !isOver; turn++) {
    const query = `${GROUPS[turn % GROUPS.length]}&value_lei[gte]=${below(1e6)}`
    const headers = { 'x-forwarded-for': someNetwork() }
    const answer = await fetch(`${storm.address}/datasets/trade/aggregate?${query}`, { headers })
    await answer.arrayBuffer()
    count(answer.status)
    await Bun.sleep(storm.pause ?? QUERY_PAUSE)
  }
}

function secretOf(n: number): string {
  return storm.secrets[n % storm.secrets.length] ?? ''
}

/** Exports of all rows; the client pauses a quarter of a second after each read. */
async function readSlowly(n: number): Promise<void> {
  const { hostname, port } = new URL(storm.address)
  const head = `GET ${PATH}/export?format=csv HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secretOf(n)}\r\n\r\n`
  while (!isOver) {
    let isOpen = true
    let isFirst = true
    const close = () => {
      isOpen = false
    }
    const data = (socket: Socket, bytes: Uint8Array) => {
      if (isFirst) count(Buffer.from(bytes).toString('latin1', 9, 12))
      isFirst = false
      socket.pause()
      setTimeout(() => socket.resume(), READ_PAUSE)
    }
    const socket = await Bun.connect({ hostname, port: Number(port), socket: { data, close, error: close } })
    socket.write(head)
    while (isOpen && !isOver) await Bun.sleep(READ_PAUSE)
    socket.terminate()
    await Bun.sleep(READ_PAUSE)
  }
}

const clientOf = {
  heads: sendSlowHead,
  people: botherPeople,
  queries: askForLong,
  groups: askForGroups,
  exports: readSlowly,
}
const works =
  storm.kind === 'bodies'
    ? [holdBodies()]
    : Array.from({ length: storm.clients }, (_, n) => clientOf[storm.kind as keyof typeof clientOf](n))
const going = works.map((work) => work.catch((error: Error) => count(error.message)))
await Bun.stdin.text()
isOver = true
await Promise.race([Promise.all(going), Bun.sleep(MOST_TO_END)])
process.stdout.write(JSON.stringify(statuses), () => process.exit(0))
