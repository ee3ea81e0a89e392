/** A large upload and its reading neither delay ordinary calls nor fill the memory of the service. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IS_FULL } from '../support/property-runs.ts'
import { tempDir } from '../support/temp-dir.ts'
import { JOURNEY_TIMEOUT, type RunningService, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT * 3)

const UPLOAD_BYTES = IS_FULL ? 500e6 : 100e6
const MOST_GROWTH = 32 * 2 ** 20
/** For lists, in milliseconds; on a busy machine, twice the time that they take without an upload. */
const SLOWEST_P99 = 15
const QUIET_MS = 4000
const PAUSE_MS = 8
const UPLOADER = join(import.meta.dir, '../support/processes/upload-table.ts')

function residentBytes({ pid }: RunningService): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

/** Requests lists continuously, and groups their times by what happened meanwhile. */
class Watch {
  phase = 'quiet'
  readonly #took = new Map<string, number[]>()
  readonly #peaks = new Map<string, number>()
  readonly #asking: Promise<void>
  #isOver = false

  constructor(service: RunningService, path: string, secret: string) {
    this.#asking = Promise.all([0, 1].map((client) => this.#ask(service, path, secret, client))).then(
      () => {},
    )
  }

  p99(phase: string): number {
    const sorted = (this.#took.get(phase) ?? []).toSorted((a, b) => a - b)
    return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
  }

  peak(phase: string): number {
    return this.#peaks.get(phase) ?? Number.NaN
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#asking
  }

  async #ask(service: RunningService, path: string, secret: string, client: number): Promise<void> {
    for (let turn = client * 50; !this.#isOver; turn++) {
      const began = performance.now()
      const answer = await service.get(`${path}?n[gte]=${turn % 97}&limit=5`, secret)
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`a list was answered with ${answer.status}`)
      this.#took.set(this.phase, [...(this.#took.get(this.phase) ?? []), performance.now() - began])
      const resident = residentBytes(service)
      this.#peaks.set(this.phase, Math.max(this.#peaks.get(this.phase) ?? 0, resident))
      await Bun.sleep(PAUSE_MS)
    }
  }
}

test.skipIf(process.platform !== 'linux')(
  'an upload and its reading neither slow lists down nor raise the memory of the service',
  async () => {
    const data = join(tempDir(), 'data')
    const input = `n\n${Array.from({ length: 1000 }, (_, i) => i).join('\n')}\n`
    await succeed(['ingest', '-', '--id', 'numbers', '--domain', 'test', '--data', data], { input })
    const mint = ['keys', 'mint', '--plan', 'unlimited', '--scopes', 'publish,read', '--data', data, '--json']
    const { secret } = JSON.parse(await succeed(mint))
    const service = await serve(data)
    const watch = new Watch(service, '/v1/test/numbers', secret)
    await Bun.sleep(QUIET_MS)
    const before = residentBytes(service)

    watch.phase = 'upload'
    const uploader = Bun.spawn([process.execPath, UPLOADER, service.address, secret, String(UPLOAD_BYTES)], {
      stdout: 'pipe',
    })
    const draft = JSON.parse(await uploader.stdout.text())
    watch.phase = 'reading'
    const path = `/publish/api/drafts/${draft.id}?wait=25`
    // biome-ignore lint/suspicious/noExplicitAny: a body is read as a client would
    let read: any = draft
    while (['waiting', 'reading'].includes(read.state)) read = await (await service.get(path, secret)).json()
    await watch.end()

    const growth = Math.max(watch.peak('upload'), watch.peak('reading')) - before
    const [quiet, upload, reading] = ['quiet', 'upload', 'reading'].map((phase) => watch.p99(phase)) as [
      number,
      number,
      number,
    ]
    const told = [quiet, upload, reading].map((ms) => `${ms.toFixed(1)} ms`).join(', ')
    console.log(
      `upload of ${UPLOAD_BYTES / 1e6} MB: memory grew by ${(growth / 2 ** 20).toFixed(1)} MB; p99 of lists before, meanwhile and while it was read: ${told}`,
    )
    expect(read).toMatchObject({ state: 'ready', problem: null })
    expect(growth).toBeLessThan(MOST_GROWTH)
    expect(Math.max(upload, reading)).toBeLessThan(Math.max(SLOWEST_P99, 2 * quiet))
  },
)
