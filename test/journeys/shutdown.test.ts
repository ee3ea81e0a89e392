/** A stopping service finishes running answers and exits with 0. */

import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { JOURNEY_TIMEOUT, mint, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const ROWS = 400_000

async function bigDataset(): Promise<string> {
  const data = join(tempDir(), 'data')
  let input = 'n,text\n'
  for (let i = 0; i < ROWS; i++) input += `${i},some text that makes the export long ${i % 1000}\n`
  await succeed(['ingest', '-', '--id', 'big', '--domain', 'test', '--data', data], { input })
  return data
}

/** The used part of a stream's reader, whose types differ between the platform and Bun. */
interface Pieces {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>
}

async function readRest(reader: Pieces): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return text
    text += decoder.decode(value, { stream: true })
  }
}

/** Starts an export and reads one piece, so that most of it is still to come. */
async function startExport(address: string, secret: string) {
  const answer = await fetch(`${address}/v1/test/big/export`, {
    headers: { authorization: `Bearer ${secret}`, 'accept-encoding': 'identity' },
  })
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const first = new TextDecoder().decode((await reader.read()).value)
  return { first, reader }
}

/** The records of the request log, once every process has ended. */
function loggedCalls(data: string): number {
  const database = new Database(join(data, 'usage.db'), { readonly: true })
  try {
    const rows = database.query('SELECT count(*) AS n FROM request_logs').get() as { n: number }
    const inbox = database.query('SELECT records FROM log_inbox').all() as { records: string }[]
    return inbox.reduce((sum, { records }) => sum + records.split('\n').length, rows.n)
  } finally {
    database.close()
  }
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} lets a running export finish, logs it, accepts no new requests, and ends with 0`, async () => {
    const data = await bigDataset()
    const { secret } = await mint(data)
    const service = await serve(data)
    const { first, reader } = await startExport(service.address, secret)
    service.signal(signal)
    const text = first + (await readRest(reader))
    expect(text.trimEnd().split('\r\n')).toHaveLength(ROWS + 1)
    expect(await service.exited).toBe(0)
    expect(loggedCalls(data)).toBe(1)
    expect(fetch(`${service.address}/health/live`)).rejects.toThrow()
  })
}

test('answers that still run after the grace period are cut off, and the exit code is still 0', async () => {
  const data = await bigDataset()
  const { secret } = await mint(data)
  const service = await serve(data, ['serve'], { env: { IZVOR_SHUTDOWN_GRACE: '1s' } })
  const { reader } = await startExport(service.address, secret)
  service.signal('SIGTERM')
  // The client reads nothing: the export cannot end by itself.
  expect(await service.exited).toBe(0)
  const outcome = await readRest(reader).then(
    (rest) => (rest.length < ROWS * 40 ? 'cut off' : 'complete'),
    () => 'cut off',
  )
  expect(outcome).toBe('cut off')
})

test('a second signal ends the service at once', async () => {
  const data = await bigDataset()
  const { secret } = await mint(data)
  const service = await serve(data, ['serve'], { env: { IZVOR_SHUTDOWN_GRACE: '1h' } })
  await startExport(service.address, secret)
  service.signal('SIGTERM')
  // Two signals of the same kind sent together may arrive as one.
  service.signal('SIGINT')
  expect(await service.exited).toBe(1)
})

test('an idle service ends at once with 0', async () => {
  const service = await serve(join(tempDir(), 'data'))
  const asked = performance.now()
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)
  expect(performance.now() - asked).toBeLessThan(3000)
})
