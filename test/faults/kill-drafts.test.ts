/**
 * kill -9 of the service, or of the worker process of a draft, at random moments of every stage: no version is half
 * published, no acknowledged draft is lost, and nothing is left behind.
 */

import { Database as Sqlite } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DRAFT_WORKER } from '../../src/base/process/own-command.ts'
import { type RunningService, serve, succeed } from '../journeys/program.ts'
import { countMoment, FAULT_TIMEOUT, MOMENTS, randomMoments } from '../support/fault-moments.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(FAULT_TIMEOUT * 3)

const ROWS = 150_000
const LIST = '/v1/test/numbers'
const DRAFTS = '/publish/api/drafts'
/** Allows for a busy machine. */
const LONGEST_STAGE_MS = 1500

function csv(rows: number): string {
  let text = 'n,name,amount\n'
  for (let i = 0; i < rows; i++) text += `${i},name of ${i % 9001},${(i * 7919) % 1_000_003}\n`
  return text
}
const TEXT = csv(ROWS)

interface Place {
  readonly data: string
  readonly secret: string
}

async function newPlace(): Promise<Place> {
  const data = join(tempDir(), 'data')
  const input = 'n,name,amount\n1,a,2\n'
  await succeed(['ingest', '-', '--id', 'numbers', '--domain', 'test', '--data', data], { input })
  const mint = ['keys', 'mint', '--plan', 'unlimited', '--scopes', 'publish,read', '--data', data, '--json']
  return { data, secret: JSON.parse(await succeed(mint)).secret }
}

// biome-ignore lint/suspicious/noExplicitAny: bodies are looked at field by field, as a client would
type Any = any

/** The status and body of an answer; null if the service was killed before the answer was complete. */
async function ask(
  service: RunningService,
  { secret }: Place,
  method: string,
  path: string,
  body?: string,
): Promise<{ status: number; body: Any } | null> {
  const type = body?.startsWith('{') ? { 'content-type': 'application/json' } : {}
  const headers = { authorization: `Bearer ${secret}`, ...type }
  try {
    const answer = await fetch(`${service.address}${DRAFTS}${path}`, {
      method,
      headers,
      ...(body && { body }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  } catch {
    return null
  }
}

async function settled(service: RunningService, place: Place, id: string): Promise<Any> {
  const draft = await until(
    async () => (await ask(service, place, 'GET', `/${id}?wait=25`))?.body,
    (body) => !['waiting', 'reading', 'publishing'].includes(body?.state),
  )
  return draft
}

/** A draft that has been read and can be published. */
async function readyDraft(service: RunningService, place: Place): Promise<string> {
  const added = await ask(service, place, 'POST', '?filename=numbers.csv', TEXT)
  expect(added?.status).toBe(201)
  const { id } = added!.body
  expect((await settled(service, place, id)).state).toBe('ready')
  return id
}

/** The worker process of a draft, found among the children of the service. */
function workerOf({ pid }: RunningService): number | undefined {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  )
  return children.map(Number).find((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(DRAFT_WORKER)
    } catch {
      return false
    }
  })
}

function rowsIn(data: string, sql: string): Any[] {
  const database = new Sqlite(join(data, 'catalog.db'), { readonly: true })
  const rows = database.query(sql).all()
  database.close()
  return rows
}

/** Expects one folder for each draft and vice versa, and no file that the catalog does not know. */
async function expectNoLitter({ data }: Place): Promise<void> {
  const work = () => readdirSync(join(data, 'tmp')).filter((name) => !/^\w+\.db$/.test(name))
  await until(() => work().length === 0)
  const drafts = rowsIn(data, 'SELECT id FROM drafts').map(({ id }) => id)
  expect(readdirSync(join(data, 'drafts')).toSorted()).toEqual(drafts.toSorted())
  const versions = rowsIn(data, 'SELECT version FROM versions').map(({ version }) => `${version}.db`)
  expect(readdirSync(join(data, 'datasets', 'numbers')).toSorted()).toEqual(versions.toSorted())
}

/** Either one row or all rows of the draft. */
async function servedRows(service: RunningService, { secret }: Place): Promise<number> {
  const answer = await service.get(`${LIST}?count=true&limit=1`, secret)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as Any).pagination.total
}

/** Kills the service at a random moment of its work, and starts another one. */
async function killService(service: RunningService, place: Place, kind: string, random: () => number) {
  await Bun.sleep(LONGEST_STAGE_MS * random())
  service.signal('SIGKILL')
  await service.exited
  countMoment(kind)
  return await serve(place.data)
}

test.skipIf(process.platform !== 'linux')(
  'a service killed during an upload keeps exactly the uploads it acknowledged, complete',
  async () => {
    const random = randomMoments('upload')
    const place = await newPlace()
    let service = await serve(place.data)
    const acknowledged: string[] = []
    for (let moment = 0; moment < MOMENTS; moment++) {
      const uploads = Array.from({ length: 3 }, () =>
        ask(service, place, 'POST', '?filename=numbers.csv', TEXT),
      )
      await Bun.sleep(200 * random())
      service.signal('SIGKILL')
      await service.exited
      countMoment('kill during an upload')
      for (const answer of await Promise.all(uploads))
        if (answer?.status === 201) acknowledged.push(answer.body.id)
      service = await serve(place.data)
    }
    const listed = (await ask(service, place, 'GET', ''))!.body as Any[]
    for (const id of acknowledged) expect(listed.map((draft) => draft.id)).toContain(id)
    for (const { id } of listed) {
      const draft = await settled(service, place, id)
      expect([draft.state, draft.report.rows.read]).toEqual(['ready', ROWS])
    }
    await expectNoLitter(place)
    expect(await servedRows(service, place)).toBe(1)
  },
)

test.skipIf(process.platform !== 'linux')(
  'a service killed while a draft is read takes the worker process with it, and the next service reads the draft',
  async () => {
    const random = randomMoments('reading')
    for (let moment = 0; moment < MOMENTS; moment++) {
      const place = await newPlace()
      const first = await serve(place.data)
      const { id } = (await ask(first, place, 'POST', '?filename=numbers.csv', TEXT))!.body
      const worker = await until(() => workerOf(first))
      const service = await killService(first, place, 'kill of the service while it reads a draft', random)
      await until(() => !existsSync(`/proc/${worker}`))
      const draft = await settled(service, place, id)
      expect([draft.state, draft.report.rows.read]).toEqual(['ready', ROWS])
      expect((await ask(service, place, 'DELETE', `/${id}`))?.status).toBe(204)
      await expectNoLitter(place)
      service.signal('SIGKILL')
      await service.exited
    }
  },
)

test.skipIf(process.platform !== 'linux')(
  'a worker killed while it reads a draft is started once more; if it is killed again, the draft reports that',
  async () => {
    const place = await newPlace()
    const service = await serve(place.data)
    const { id } = (await ask(service, place, 'POST', '?filename=numbers.csv', TEXT))!.body
    const killed: number[] = []
    for (let attempt = 0; attempt < 2; attempt++) {
      const worker = await until(() =>
        rowsIn(place.data, `SELECT attempts FROM drafts`)[0].attempts > attempt
          ? workerOf(service)
          : undefined,
      )
      killed.push(worker)
      process.kill(worker, 'SIGKILL')
      await until(() => !existsSync(`/proc/${worker}`))
    }
    const failed = await settled(service, place, id)
    expect(failed).toMatchObject({ state: 'failed', problem: { code: 'internal_error' } })
    expect(new Set(killed).size).toBe(2)
    // The file is kept and can be read again.
    expect((await ask(service, place, 'PATCH', `/${id}`, '{}'))?.status).toBe(200)
    expect((await settled(service, place, id)).state).toBe('ready')
    await expectNoLitter(place)
  },
)

test.skipIf(process.platform !== 'linux')(
  'a draft is published exactly once and complete, whichever process is killed meanwhile',
  async () => {
    const random = randomMoments('publishing')
    for (let moment = 0; moment < MOMENTS * 2; moment++) {
      const place = await newPlace()
      let service = await serve(place.data)
      const id = await readyDraft(service, place)
      const publishing = ask(service, place, 'POST', `/${id}/publish`, '{"accept_drift":true}')
      await until(async () => rowsIn(place.data, 'SELECT state FROM drafts')[0].state !== 'ready')
      if (moment % 2 === 0)
        service = await killService(service, place, 'kill of the service while it publishes a draft', random)
      else {
        await Bun.sleep(LONGEST_STAGE_MS * random())
        const worker = workerOf(service)
        if (worker !== undefined) process.kill(worker, 'SIGKILL')
        countMoment('kill of the process that publishes a draft')
      }
      await publishing
      const done = await settled(service, place, id)
      expect([done.state, done.problem]).toEqual(['published', null])
      expect(await servedRows(service, place)).toBe(ROWS)
      expect(rowsIn(place.data, 'SELECT count(*) AS n FROM versions')).toEqual([{ n: 2 }])
      await until(() => !existsSync(join(place.data, 'drafts', id, 'source')))
      await expectNoLitter(place)
      const published = async () =>
        (JSON.parse(await succeed(['audit', 'list', '--json', '--data', place.data])) as Any[]).filter(
          ({ event, actor }) => event === 'dataset_published' && actor !== 'shell',
        )
      await until(async () => (await published()).length > 0)
      expect(await published()).toHaveLength(1)
      await succeed(['datasets', 'verify', '--data', place.data])
      service.signal('SIGKILL')
      await service.exited
    }
  },
)

test.skipIf(process.platform !== 'linux')(
  'the rows of a draft are added exactly once, whichever process is killed meanwhile',
  async () => {
    const random = randomMoments('appending')
    for (let moment = 0; moment < MOMENTS * 2; moment++) {
      const place = await newPlace()
      let service = await serve(place.data)
      const id = await readyDraft(service, place)
      expect((await ask(service, place, 'PATCH', `/${id}`, '{"mode":"append"}'))?.status).toBe(200)
      expect((await settled(service, place, id)).report.append).toMatchObject({ version: 1, rows: 1 })
      const publishing = ask(service, place, 'POST', `/${id}/publish`, '{}')
      await until(async () => rowsIn(place.data, 'SELECT state FROM drafts')[0].state !== 'ready')
      if (moment % 2 === 0)
        service = await killService(service, place, 'kill of the service while it adds a draft', random)
      else {
        await Bun.sleep(LONGEST_STAGE_MS * random())
        const worker = workerOf(service)
        if (worker !== undefined) process.kill(worker, 'SIGKILL')
        countMoment('kill of the process that adds a draft')
      }
      await publishing
      const done = await settled(service, place, id)
      expect([done.state, done.problem]).toEqual(['published', null])
      expect(await servedRows(service, place)).toBe(ROWS + 1)
      const { provenance } = (await (await service.get('/v1/datasets/numbers', place.secret)).json()) as Any
      expect(provenance.sources.map(({ rows }: Any) => rows)).toEqual([1, ROWS])
      await until(() => !existsSync(join(place.data, 'drafts', id, 'source')))
      await expectNoLitter(place)
      await succeed(['datasets', 'verify', '--data', place.data])
      service.signal('SIGKILL')
      await service.exited
    }
  },
)

test.skipIf(process.platform !== 'linux')(
  'a service killed while it switches versions serves one of the two, complete, and can switch to either again',
  async () => {
    const random = randomMoments('serving another version')
    const place = await newPlace()
    let service = await serve(place.data)
    const id = await readyDraft(service, place)
    expect((await ask(service, place, 'POST', `/${id}/publish`, '{"accept_drift":true}'))?.status).toBe(200)
    const serveVersion = (version: number) =>
      fetch(`${service.address}/publish/api/datasets/numbers/versions/${version}/serve`, {
        method: 'POST',
        headers: { authorization: `Bearer ${place.secret}` },
      }).then(
        ({ status }) => status,
        () => 0,
      )
    const rowsOf = (version: number) => (version === 1 ? 1 : ROWS)
    for (let moment = 0; moment < MOMENTS * 2; moment++) {
      const wanted = moment % 2 === 0 ? 1 : 2
      const serving = serveVersion(wanted)
      service = await killService(
        service,
        place,
        'kill of the service while it serves another version',
        random,
      )
      const acknowledged = (await serving) === 200
      const served = await servedRows(service, place)
      expect(acknowledged ? [rowsOf(wanted)] : [1, ROWS]).toContain(served)
      expect(await serveVersion(wanted)).toBe(200)
      expect(await servedRows(service, place)).toBe(rowsOf(wanted))
      expect(rowsIn(place.data, 'SELECT count(*) AS n FROM versions')).toEqual([{ n: 2 }])
    }
    await expectNoLitter(place)
    await succeed(['datasets', 'verify', '--data', place.data])
  },
)
