/** What keys, limits and the request log add to a list, and how fast lists are while many people sign in. */

import { fileURLToPath } from 'node:url'
import { PASSWORD } from '../support/passwords.ts'
import { LIST } from './http-bench.ts'
import { type Load, putLoad } from './load-job.ts'
import { type Pace, run, type Service, startService, untilIdle } from './process.ts'
import { atMost, beside, type Measurement, median } from './report.ts'

export interface AccountsWork {
  readonly program: string[]
  /** Data folder with the trade dataset; accounts, keys and a plan are added to it. */
  readonly data: string
  readonly folder: string
  readonly pace: Pace
}

export async function measureAccounts(work: AccountsWork): Promise<Measurement[]> {
  return [...(await measureKeys(work)), await measureStorm(work)]
}

const MAIN = fileURLToPath(import.meta.resolve('../../src/main.ts'))
const OPEN_LIST = fileURLToPath(import.meta.resolve('./open-list-server.ts'))
/** Limits that no load here reaches: requests are checked and counted, but none is refused. */
const LIMITED_PLAN = 'bench --per-minute 100000000 --monthly-quota 2000000000 --max-active-keys 5'
const MOST_COST = 15

/** The same list from the same sources without keys, with one of a plan without limits, and with one of a plan with both. */
async function measureKeys(work: AccountsWork): Promise<Measurement[]> {
  await run([...work.program, 'plans', 'set', ...LIMITED_PLAN.split(' '), '--data', work.data])
  const unlimited = await mintKey(work.program, work.data, 'unlimited')
  const limited = await mintKey(work.program, work.data, 'bench')
  const open = await startService([process.execPath, OPEN_LIST, work.data])
  const izvor = await startService([process.execPath, MAIN, 'serve', '--port', '0', '--data', work.data])
  try {
    const rounds = await inTurns(work, {
      free: { service: open, secret: unlimited },
      unlimited: { service: izvor, secret: unlimited },
      limited: { service: izvor, secret: limited },
    })
    return [
      cost(
        'no limits',
        rounds.map(({ free, unlimited }) => [free, unlimited]),
      ),
      cost(
        'both limits',
        rounds.map(({ free, limited }) => [free, limited]),
      ),
    ]
  } finally {
    await Promise.all([open.stop(), izvor.stop()])
  }
}

interface Candidate {
  readonly service: Service
  readonly secret: string
}

/** Measurements of each candidate, round by round. */
async function inTurns<Name extends string>(
  work: AccountsWork,
  candidates: Readonly<Record<Name, Candidate>>,
): Promise<Record<Name, Load>[]> {
  const round = async (seconds: number, mayRefuse = false): Promise<Record<Name, Load>> => {
    const loads = {} as Record<Name, Load>
    for (const name in candidates) {
      const { service, secret } = candidates[name]
      const headers = { authorization: `Bearer ${secret}` }
      loads[name] = await putLoad(service, work.folder, { paths: [LIST], headers, seconds, mayRefuse })
      // The log's worker may still be busy and would slow down the next.
      await untilIdle(service, work.pace.mostLooks)
    }
    return loads
  }
  await round(1, true)
  const rounds: Record<Name, Load>[] = []
  while (rounds.length < work.pace.rounds) rounds.push(await round(work.pace.seconds))
  return rounds
}

type Pair = readonly [free: Load, keyed: Load]

/** The median over the rounds: both runs of a round had the same machine. */
function cost(plan: string, rounds: readonly Pair[]): Measurement {
  const percent = median(rounds.map(([free, keyed]) => 100 * (1 - keyed.perSecond / free.perSecond)))
  const middle = (figure: (load: Load) => number, digits: number) =>
    [1, 0].map((i) => {
      const value = median(rounds.map((pair) => figure(pair[i]!)))
      return value.toLocaleString('en-US', { maximumFractionDigits: digits })
    })
  const note =
    `${middle(({ perSecond }) => perSecond, 0).join('/s with, ')}/s without; server time ` +
    `${middle(({ serverMicroseconds }) => serverMicroseconds, 1).join(' and ')} us a request; ${rounds.length} rounds`
  return atMost(`key, limits and log, plan with ${plan}`, percent, MOST_COST, ' % of requests', note)
}

export async function mintKey(program: string[], data: string, plan: string): Promise<string> {
  const { output } = await run([...program, 'keys', 'mint', '--plan', plan, '--data', data, '--json'])
  return (JSON.parse(output) as { secret: string }).secret
}

const SIGN_INS_PER_SECOND = 50
const PEOPLE = 20

/** 50 sign-ins a second, sent without waiting for answers, while one connection asks for lists without a pause. */
async function measureStorm({
  program,
  data,
  folder,
  pace: { seconds },
}: AccountsWork): Promise<Measurement> {
  const secret = await mintKey(program, data, 'unlimited')
  // Each account signs in from its own address: an address may sign in ten times a minute.
  const settings = { IZVOR_TRUSTED_PROXIES: '127.0.0.1' }
  const izvor = await startService([...program, 'serve', '--port', '0', '--data', data], settings)
  try {
    const people = Array.from({ length: PEOPLE }, (_, i) => `person${i}-${process.pid}@example.org`)
    for (const [i, email] of people.entries()) await signUp(izvor, email, i)
    const job = { paths: [LIST], headers: { authorization: `Bearer ${secret}` }, connections: 1 }
    const calm = await putLoad(izvor, folder, { ...job, seconds })
    const storm = startStorm(izvor, people)
    const load = await putLoad(izvor, folder, { ...job, seconds })
    const { sent, opened, refused, slowestMs } = await storm.stop()
    if (opened === 0) throw new Error(`none of ${sent} sign-ins succeeded`)
    const note =
      `p50 ${load.p50Ms} ms, ${Math.round(load.perSecond).toLocaleString('en-US')} lists/s; ` +
      `${sent} sign-ins: ${opened} succeeded, ${refused} were refused with a time to retry, slowest ${slowestMs.toFixed(0)} ms`
    const line = `list during ${SIGN_INS_PER_SECOND} sign-ins a second: p99`
    return beside(atMost(line, load.p99Ms, 50, ' ms', note), 'lists alone', calm.p99Ms, false)
  } finally {
    await izvor.stop()
  }
}

async function signUp(izvor: Service, email: string, number: number): Promise<void> {
  const answer = await post(izvor, 'signup', email, `10.1.0.${number}`)
  if (answer.status !== 201) throw new Error(`sign-up: ${answer.status} ${await answer.text()}`)
  await answer.body?.cancel()
}

function post(izvor: Service, verb: string, email: string, from: string): Promise<Response> {
  return fetch(`${izvor.address}/account/api/${verb}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
}

/** Sends sign-ins at a steady rate until it is stopped; `stop` waits for every answer. */
function startStorm(izvor: Service, people: readonly string[]) {
  const started = performance.now()
  const answers: Promise<void>[] = []
  const count = { opened: 0, refused: 0, slowestMs: 0 }
  let failure = ''
  const knock = async (number: number): Promise<void> => {
    const sentAt = performance.now()
    const from = `10.2.${number >> 8}.${number & 255}`
    const answer = await post(izvor, 'login', people[number % people.length]!, from)
    const text = await answer.text()
    count.slowestMs = Math.max(count.slowestMs, performance.now() - sentAt)
    if (answer.status === 200) count.opened++
    else if (answer.status === 503) count.refused++
    else failure = `sign-in: ${answer.status} ${text}`
  }
  // Sign-ins that a late timer missed are sent with the next, so the rate holds on a busy machine.
  const timer = setInterval(() => {
    const due = ((performance.now() - started) / 1000) * SIGN_INS_PER_SECOND
    while (answers.length < due) answers.push(knock(answers.length))
  }, 1000 / SIGN_INS_PER_SECOND)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(answers)
      if (failure !== '') throw new Error(failure)
      return { ...count, sent: answers.length }
    },
  }
}
