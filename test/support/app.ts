/** A real instance on a free port over a temp folder, which ends with the test file that started it. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { type App, type AppOptions, openApp } from '../../src/app.ts'
import type { Config } from '../../src/base/config/config.ts'
import { type ConfigSources, loadConfig } from '../../src/base/config/load.ts'
import { ingestFile } from '../../src/publish/ingest.ts'
import { type Listening, listen } from '../../src/server/listening/listen.ts'
import { requireDescribed } from './described.ts'
import { mintTestKey } from './mint-key.ts'
import { type NodeSettings, nodeSettingsOf, testsNodes } from './node-settings.ts'
import { CHEAP_PASSWORDS } from './passwords.ts'
import { publishTable, type TableDataset } from './publish-table.ts'

export interface TestAppOptions {
  /** What it shares with others as a node; by default as the run says (`node-settings.ts`). */
  readonly node?: NodeSettings
  readonly flags?: ConfigSources['flags']
  /** Settings, already parsed. */
  readonly settings?: Partial<Config>
  readonly now?: () => Date
  /** As `izvor open` starts it. */
  readonly desktop?: AppOptions['desktop']
  /** Lines of the log are pushed here as parsed objects. */
  readonly logLines?: Record<string, unknown>[]
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body of an answer that is known to be JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely and compare what they find.
  readonly body: any
}

interface GetOptions {
  readonly method?: string
  readonly headers?: Record<string, string>
  /** The key to send; null sends none. By default one minted for the instance. */
  readonly key?: string | null
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream
}

interface CsvDataset {
  readonly id: string
  readonly domain: string
  readonly title?: string
  /** A definition file without `id` and `domain`. */
  readonly definition?: object
}

export interface TestApp {
  readonly app: App
  readonly url: string
  readonly config: Config
  readonly key: string
  /** The plain response of a request, for streams and headers. */
  fetch(path: string, options?: GetOptions): Promise<Response>
  /** A request with its body read. */
  get(path: string, options?: GetOptions): Promise<Answer>
  mintKey(plan?: string): Promise<{ key_id: number; secret: string }>
  /** Publishes a table below the file formats; returns the version. */
  publish(dataset: TableDataset): Promise<number>
  /** Ingests a text file; returns the version. A definition is written to a separate file. */
  ingestCsv(text: string, dataset: CsvDataset): Promise<number>
  stop(): Promise<void>
}

/** Starts an instance. Stop it in `afterAll`. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const root = mkdtempSync(join(tmpdir(), 'izvor-app-'))
  const data = options.flags?.data ?? join(root, 'data')
  const shared = options.node ?? (testsNodes ? await nodeSettingsOf(String(data)) : {})
  const flags = {
    data,
    port: 0,
    host: '127.0.0.1',
    disk_floor: '0',
    ...shared,
    ...options.flags,
  }
  const config = { ...loadConfig({ flags }).values, ...options.settings }
  const app = await openApp(config, {
    log: testLog(options.logLines),
    passwordCost: CHEAP_PASSWORDS,
    ...(options.now && { now: options.now }),
    desktop: options.desktop,
  })
  const listening = listen(app)
  const { secret } = await mintTestKey(app.accounts, 'unlimited')
  return makeTestApp(app, listening, secret, () => rmSync(root, { recursive: true, force: true }))
}

function makeTestApp(app: App, listening: Listening, key: string, remove: () => void): TestApp {
  const url = listening.url
  const send = (path: string, options: GetOptions = {}) => {
    const sent = options.key === undefined ? key : options.key
    return fetch(url + path, {
      method: options.method ?? 'GET',
      redirect: 'manual',
      headers: { ...(sent !== null && { authorization: `Bearer ${sent}` }), ...options.headers },
      ...(options.body !== undefined && { body: options.body }),
    })
  }
  return {
    app,
    url,
    config: app.config,
    key,
    fetch: send,
    async get(path, options) {
      const response = await send(path, options)
      const text = await response.text()
      const sent = typeof options?.body === 'string' ? parse(options.body) : undefined
      const { status, headers } = response
      requireDescribed({ method: options?.method ?? 'GET', path, sent, status, headers, text })
      return { status: response.status, headers: response.headers, text, body: parse(text) }
    },
    mintKey: (plan = 'unlimited') => mintTestKey(app.accounts, plan),
    publish: (dataset) => publishTable(app.catalog, app.dataDir, dataset),
    ingestCsv: (text, dataset) => ingestCsv(app, text, dataset),
    async stop() {
      await listening.stop({ requests: 0 })
      await app.close()
      remove()
    },
  }
}

async function ingestCsv(app: App, text: string, dataset: CsvDataset): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'izvor-csv-'))
  try {
    const { id, domain, title } = dataset
    const file = join(folder, `${id}.csv`)
    const definition = join(folder, 'definition.json')
    writeFileSync(file, text)
    writeFileSync(definition, JSON.stringify({ id, domain, ...dataset.definition }))
    const report = await ingestFile(app, {
      ...{ file, id, domain, title, definition },
      ...{ settings: app.config, dryRun: false, acceptDrift: true },
    })
    if (report.version === null) throw new Error('nothing was published')
    return report.version
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function testLog(lines: Record<string, unknown>[] | undefined): Logger {
  if (lines === undefined) return pino({ level: 'silent' })
  return pino({ level: 'trace' }, { write: (line) => void lines.push(JSON.parse(line)) })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
