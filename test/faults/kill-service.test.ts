/** kill -9 of the service while people change their keys and call: acknowledged changes survive the next start. */

import { Database as Sqlite } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { bodyOf, mint, type RunningService, serve, succeed } from '../journeys/program.ts'
import { countMoment, FAULT_TIMEOUT, MOMENTS, randomMoments } from '../support/fault-moments.ts'
import { PASSWORD } from '../support/passwords.ts'
import { tempDir } from '../support/temp-dir.ts'

setDefaultTimeout(FAULT_TIMEOUT)

const LIST = '/v1/test/numbers'
const LONGEST_MS = 400

async function newFolder(): Promise<string> {
  const data = join(tempDir(), 'data')
  const args = ['ingest', '-', '--id', 'numbers', '--domain', 'test', '--data', data]
  await succeed(args, { input: 'n\n1\n2\n' })
  return data
}

/** A signed-in browser. */
interface Person {
  readonly email: string
  /** Null if the service no longer answers. */
  readonly send: (method: string, path: string, body?: object) => Promise<Response | null>
}

async function signUp({ address }: RunningService, email: string): Promise<Person> {
  const account = `${address}/account/api`
  const json = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email, password: PASSWORD })
  const answer = await fetch(`${account}/signup`, { method: 'POST', headers: json, body })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  const headers = { ...json, cookie, 'x-csrf-token': (await bodyOf(answer)).csrf_token }
  const send = async (method: string, path: string, sent: object = {}) => {
    try {
      return await fetch(account + path, { method, headers, body: JSON.stringify(sent) })
    } catch {
      return null
    }
  }
  return { email, send }
}

/** The states that a key may have after the last acknowledged change and the one in progress. */
interface KeyState {
  readonly secret: string
  /** A change was sent but not answered. */
  unsure: boolean
  works: boolean
}

/** Mints, rotates and revokes keys in turn until the service is killed. */
async function changeKeys({ send }: Person, random: () => number): Promise<KeyState[]> {
  const states: KeyState[] = []
  for (let i = 0; ; i++) {
    const minted = await acknowledged(await send('POST', '/keys', { label: `key ${i}` }))
    if (minted === null) return states
    const first: KeyState = { secret: minted.secret, works: true, unsure: true }
    states.push(first)
    const rotated = await acknowledged(await send('POST', `/keys/${minted.key_id}/rotate`))
    if (rotated === null) return states
    Object.assign(first, { works: false, unsure: false })
    const second: KeyState = { secret: rotated.secret, works: true, unsure: false }
    states.push(second)
    // Only some keys stay active; otherwise the plan's limit on active keys would be reached.
    if (random() < 0.02) continue
    second.unsure = true
    if ((await acknowledged(await send('POST', `/keys/${minted.key_id}/revoke`))) === null) return states
    Object.assign(second, { works: false, unsure: false })
  }
}

/** The body of a complete answer. */
// biome-ignore lint/suspicious/noExplicitAny: bodies are looked at field by field, as a client would
async function acknowledged(answer: Response | null): Promise<any> {
  if (answer === null) return null
  const text = await answer.text().catch(() => null)
  if (text === null) return null
  if (!answer.ok) throw new Error(`${answer.status} ${text}`)
  return text === '' ? {} : JSON.parse(text)
}

/** Calls without a pause until the service is killed; returns how many calls were sent and how many answered. */
async function call(service: RunningService, secret: string): Promise<{ sent: number; answered: number }> {
  let answered = 0
  for (let sent = 1; ; sent++) {
    try {
      const answer = await service.get(`${LIST}?n[gte]=${sent % 7}`, secret)
      await answer.arrayBuffer()
      expect(answer.status).toBe(200)
      answered++
    } catch (error) {
      if (error instanceof Error && 'matcherResult' in error) throw error
      return { sent, answered }
    }
  }
}

/** The number of calls that another process reads from the file. */
function committedCalls(data: string): number {
  const database = new Sqlite(join(data, 'usage.db'), { readonly: true })
  const row = database
    .query<{ n: number }, []>('SELECT coalesce(sum(requests), 0) AS n FROM daily_totals')
    .get()
  database.close()
  return row?.n ?? 0
}

async function expectState(service: RunningService, states: readonly KeyState[]): Promise<void> {
  for (const { secret, works, unsure } of states) {
    const { status } = await service.get(LIST, secret)
    expect(unsure ? [200, 401] : [works ? 200 : 401]).toContain(status)
  }
}

function totalOf(service: RunningService): Promise<number> {
  return fetch(`${service.address}/stats`)
    .then(bodyOf)
    .then((stats) => stats.requests_total)
}

test('the service killed while keys are minted, rotated and revoked keeps each change it acknowledged', async () => {
  const data = await newFolder()
  const random = randomMoments('rotate and revoke')
  for (let moment = 0; moment < MOMENTS; moment++) {
    const service = await serve(data)
    const person = await signUp(service, `ana${moment}@example.org`)
    await succeed(['users', 'set-plan', person.email, 'institution', '--data', data])
    const changing = changeKeys(person, random)
    await Bun.sleep(LONGEST_MS * random())
    service.signal('SIGKILL')
    countMoment('rotate and revoke')
    const states = await changing
    const again = await serve(data)
    await expectState(again, states.slice(-60))
    again.signal('SIGKILL')
    await again.exited
  }
})

test('the service killed while it counts calls keeps every call that was written, and adds none', async () => {
  const data = await newFolder()
  const { secret } = await mint(data)
  const random = randomMoments('usage flush')
  let before = 0
  for (let moment = 0; moment < MOMENTS; moment++) {
    const service = await serve(data)
    const calling = Promise.all([call(service, secret), call(service, secret)])
    await Bun.sleep(LONGEST_MS * random())
    const written = committedCalls(data)
    service.signal('SIGKILL')
    countMoment('usage flush')
    const clients = await calling
    const again = await serve(data)
    const total = await totalOf(again)
    expect(total).toBeGreaterThanOrEqual(written)
    expect(total - before).toBeLessThanOrEqual(clients.reduce((sum, { sent }) => sum + sent, 0))
    // A clean stop writes pending counts, so no call is lost.
    expect((await again.get(LIST, secret)).status).toBe(200)
    again.signal('SIGTERM')
    expect(await again.exited).toBe(0)
    before = committedCalls(data)
    expect(before).toBe(total + 1)
  }
})

test('the service killed while a person deletes their account has deleted everything or nothing', async () => {
  const data = await newFolder()
  const random = randomMoments('account deletion over HTTP')
  for (let moment = 0; moment < MOMENTS; moment++) {
    const service = await serve(data)
    const person = await signUp(service, `ion${moment}@example.org`)
    const key = await acknowledged(await person.send('POST', '/keys', { label: 'x' }))
    const deleting = person.send('DELETE', '/me', { password: PASSWORD })
    // Checking the password comes first and takes most of the time.
    await Promise.race([deleting, Bun.sleep(150 * random())])
    service.signal('SIGKILL')
    countMoment('account deletion over HTTP')
    const answer = await deleting
    const again = await serve(data)
    const users = JSON.parse(await succeed(['users', 'list', '--json', '--data', data])) as {
      email: string
    }[]
    const gone = !users.some(({ email }) => email === person.email)
    if (answer?.ok) expect(gone).toBe(true)
    expect((await again.get(LIST, key.secret)).status).toBe(gone ? 401 : 200)
    again.signal('SIGKILL')
    await again.exited
  }
  const service = await serve(data)
  expect(readdirSync(join(data, 'tmp')).filter((name) => !name.endsWith('.db'))).toEqual([])
  expect((await fetch(`${service.address}/health/ready`)).status).toBe(200)
})
