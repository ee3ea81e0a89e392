/**
 * Sends random requests to every route of the demo and checks every answer: no 5xx, no hang, every refusal in its envelope
 * or on its page, and no internals of the program revealed.
 *
 *     bun test/fuzz/routes.ts [--requests 100000] [--seed 1] [--clients 8]
 */

import { parseArgs } from 'node:util'
import { DATE_PARTS, MEASURES } from '../../src/engine/aggregate/group-query.ts'
import { ACTIONS } from '../../src/server/ckan/actions.ts'
import { ACCESS } from '../../src/server/declaration/access.ts'
import { ROUTES } from '../../src/server/routes.ts'
import { type DemoService, startDemo } from './demo-service.ts'
import { Dice } from './dice.ts'
import { faultOfError } from './error-envelope.ts'
import { type Known, type MadeRequest, randomRouteRequest } from './route-generator.ts'

/** In ms; a request with `wait` may wait 25 s for a draft. */
const HANG_MS = 30_000
const MOST_SHOWN = 10
/** The password in the examples of the description; some bodies sign in, delete the account or change it. */
const PASSWORD = 'patru furnici pe un balcon'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '8' },
  },
})
const [requests, seed, clients] = (['requests', 'seed', 'clients'] as const).map((name) => {
  if (/^\d{1,9}$/.test(values[name])) return Number(values[name])
  throw new Error(`--${name} must be a whole number, not ${values[name]}`)
}) as [number, number, number]

/** Codes with another status in a session than without one. */
const OTHER_STATUSES: Readonly<Record<string, number>> = { ...ACCESS.change.statuses }
const INSIDE = /\/src\/[\w/-]+\.tsx?|SQLITE_|\bat \w+ \(|node_modules/

/** What is wrong with an answer, or null. */
function faultOf({ method }: MadeRequest, { status, headers }: Response, text: string): string | null {
  // A request beyond a limit of concurrent work is 503 with Retry-After.
  const isFull = status === 503 && headers.get('retry-after') !== null
  if (status >= 500 && !isFull) return 'a 5xx'
  // The HTTP server below the program refuses a head longer than 16 KiB without a body.
  if (status === 431 && text === '') return null
  if (headers.get('x-request-id') === null) return 'no X-Request-Id'
  if (status === 204 || status === 304) return text === '' ? null : `a body with ${status}`
  // `fetch` leaves out the body of an answer to TRACE.
  if (status < 400 || method === 'HEAD' || method === 'TRACE') return null
  if (INSIDE.test(text)) return 'an answer that reveals internals'
  if (headers.get('content-type')?.startsWith('text/html'))
    return text.endsWith('</html>') ? null : 'a page that is cut off'
  try {
    return faultOfError(status, JSON.parse(text), OTHER_STATUSES)
  } catch {
    return 'neither JSON nor a page'
  }
}

let signedUp = 0

/** Signs up an operator. @returns the session, and a draft of the operator */
async function signUp({
  address,
  command,
}: DemoService): Promise<{ session: Known['session']; draft: string }> {
  const email = `fuzz${++signedUp}@example.org`
  const answer = await fetch(`${address}/account/api/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${signedUp % 250}` },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  const { csrf_token } = (await answer.json()) as { csrf_token: string }
  await command('users', 'set-role', email, 'operator')
  const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!
  const upload = await fetch(`${address}/publish/api/drafts?filename=fuzz.csv`, {
    ...{
      method: 'POST',
      headers: { cookie, 'x-csrf-token': csrf_token },
      body: 'town,people\nCluj,3\nIași,4\n',
    },
  })
  const { id } = (await upload.json()) as { id: string }
  return { session: { cookie, csrf: csrf_token }, draft: id }
}

async function learn(demo: DemoService): Promise<Known> {
  const headers = { authorization: `Bearer ${demo.key}` }
  const list = await fetch(`${demo.address}/v1/datasets`, { headers })
  const { data } = (await list.json()) as { data: { domain: string; id: string }[] }
  const ids = data.map(({ id }) => id)
  const rows = await Promise.all(
    data.map(async ({ domain, id }) => {
      const answer = await fetch(`${demo.address}/v1/${domain}/${id}?limit=1`, { headers })
      return (await answer.json()) as { data: object[] }
    }),
  )
  const { session, draft } = await signUp(demo)
  const columns = rows.flatMap((page) => Object.keys(page.data[0] ?? {}))
  const of = (functions: readonly string[]) =>
    columns.flatMap((column) => functions.map((name) => `${name}(${column})`))
  return {
    ...{ key: demo.key, session, columns },
    values: {
      ...{ domain: data.map(({ domain }) => domain), dataset: ids, dataset_id: ids, id: ids },
      draft: [draft],
      ...{
        action: Object.keys(ACTIONS),
        resource_id: ids,
        resource: ids,
        fq: ['groups:economy', '-name:a*'],
      },
      ...{ group_by: [...columns, ...of(DATE_PARTS)], measures: ['count', 'n:count', ...of(MEASURES)] },
      ...{ key_id: ['1', '2', '3'], version: ['1', '2'], number: ['1', '2'] },
      ...{
        name: ['errors', 'paging', 'querying'],
        file: ['style.css', 'account.js'],
        format: ['csv', 'json'],
      },
    },
  }
}

async function send({ address }: DemoService, { method, path, headers, body }: MadeRequest) {
  const answer = await fetch(address + path, {
    ...{ method, headers: { ...headers }, redirect: 'manual', signal: AbortSignal.timeout(HANG_MS) },
    ...(body !== undefined && { body }),
  })
  return { answer, text: await answer.text() }
}

class Tally {
  readonly statuses = new Map<number, number>()
  faults = 0
  longest = 0

  note(request: MadeRequest, fault: string | null): void {
    if (fault === null || ++this.faults > MOST_SHOWN) return
    const body = String(request.body ?? '').slice(0, 300)
    console.error(
      `${request.method} ${request.path.slice(0, 500)} ${JSON.stringify(request.headers)} ${body}\n  ${fault}`,
    )
  }

  print(sent: number): void {
    const counted = [...this.statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${n} x ${status}`)
    console.log(
      `fuzz: ${sent} requests to ${ROUTES.length} routes, ${this.faults} faults, longest ${Math.round(this.longest)} ms ` +
        `(${counted.join(', ')}), --seed ${seed}`,
    )
  }
}

async function run(demo: DemoService): Promise<number> {
  const tally = new Tally()
  let known = await learn(demo)
  let renewing: Promise<void> | undefined
  const signUpAgain = async () => {
    const { session, draft } = await signUp(demo)
    known = { ...known, session, values: { ...known.values, draft: [draft] } }
    renewing = undefined
  }
  const renew = () => {
    renewing = renewing ?? signUpAgain()
    return renewing
  }
  let sent = 0
  const client = async () => {
    while (sent < requests) {
      const request = randomRouteRequest(new Dice(seed * 1_000_003 + sent++), ROUTES, known)
      const began = performance.now()
      try {
        const { answer, text } = await send(demo, request)
        tally.statuses.set(answer.status, (tally.statuses.get(answer.status) ?? 0) + 1)
        const fault = faultOf(request, answer, text)
        tally.note(request, fault && `${fault}: ${answer.status} ${text.slice(0, 300)}`)
        // A request signed out or deleted the account.
        if (request.isSignedIn && text.includes('"unauthenticated"')) await renew()
      } catch (error) {
        tally.note(request, String(error))
      }
      tally.longest = Math.max(tally.longest, performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  tally.print(sent)
  return tally.faults
}

const demo = await startDemo({ IZVOR_TRUSTED_PROXIES: '127.0.0.1' })
let faults = 1
try {
  faults = await run(demo)
} finally {
  const code = await demo.stop()
  if (code !== 0) {
    console.error(`the demo ended with ${code}:\n${demo.output().slice(-2000)}`)
    faults++
  }
}
process.exit(faults === 0 ? 0 : 1)
