/**
 * A private object store on loopback: versitygw, from `VERSITYGW` or the path. Tests are skipped with a message where there is
 * none. Use it inside a test.
 */

import { onTestFinished } from 'bun:test'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readS3Place, STORE_TIMES, type StoreTimes } from '../../src/store/objects/s3-questions.ts'
import { S3Store } from '../../src/store/objects/s3-store.ts'
import { freePort, startListening } from './free-port.ts'
import { tempDir } from './temp-dir.ts'

const program = process.env.VERSITYGW ?? Bun.which('versitygw')
if (program === null)
  console.warn(
    'skipped: versitygw is not installed (go install github.com/versity/versitygw/cmd/versitygw@v1.8.0)',
  )

/** Whether an object store can be started here. */
export const hasObjectStore = program !== null

export const BUCKET = 'izvor-test'
/** The environment that a program needs to use the store. */
export const STORE_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test-secret' }
/** For our code in the tests' own process. */
export function takeStoreCredentials(): void {
  Object.assign(process.env, STORE_CREDENTIALS)
}

/** For tests with a frozen server, which wait for it less long than a service does. */
export const SHORT_TIMES: StoreTimes = { ...STORE_TIMES, question: 1500, part: 1500, pause: 1500 }

export interface TestObjectStore {
  /** `http://127.0.0.1:port` */
  readonly endpoint: string
  /** Where it keeps objects as files: `bucket/prefix/key`. */
  readonly folder: string
  /** For the setting `object_store`. */
  readonly address: string
  /** A client. @param bucket another bucket @param credentials other ones */
  client(options?: { bucket?: string; credentials?: Record<string, string>; times?: StoreTimes }): S3Store
  /** Path of an object's file. */
  fileOf(key: string): string
  freeze(): void
  thaw(): void
  kill(): Promise<void>
  /** Starts it after `kill`, with the same objects. */
  start(): Promise<void>
}

/** Starts one with an empty bucket; it ends with the test. */
export async function startObjectStore(): Promise<TestObjectStore> {
  const folder = tempDir()
  const running = await runObjectStore(folder)
  onTestFinished(running.kill)
  const { endpoint } = running
  return {
    ...running,
    folder,
    address: `s3://${BUCKET}/izvor`,
    client({ bucket = BUCKET, credentials = STORE_CREDENTIALS, times = STORE_TIMES } = {}) {
      const store = new S3Store(readS3Place(`s3://${bucket}/izvor`, endpoint, credentials), times)
      onTestFinished(() => store.close())
      return store
    },
    fileOf: (key) => join(folder, BUCKET, 'izvor', key),
  }
}

type Running = Pick<TestObjectStore, 'endpoint' | 'freeze' | 'thaw' | 'kill' | 'start'>

/** Starts one with an empty bucket; the caller ends it. */
export async function runObjectStore(folder: string): Promise<Running> {
  mkdirSync(join(folder, BUCKET))
  let port = freePort()
  let server: Bun.Subprocess | undefined
  const { AWS_ACCESS_KEY_ID: access, AWS_SECRET_ACCESS_KEY: secret } = STORE_CREDENTIALS
  const launch = () => {
    // The first start chooses a port, and later ones keep it.
    if (server === undefined) port = freePort()
    const options = ['--port', `127.0.0.1:${port}`, '--access', access, '--secret', secret, '--quiet']
    const log = `${folder}.log`
    const process = Bun.spawn([program!, ...options, 'posix', folder], {
      ...{ stdin: 'ignore', stdout: 'ignore', stderr: Bun.file(log) },
    })
    return {
      process,
      answers: () => answers(`http://127.0.0.1:${port}`),
      log: () => readFileSync(log, 'utf8'),
    }
  }
  const start = async () => {
    server = (await startListening('versitygw', launch)).process
  }
  const kill = async () => {
    server?.kill('SIGKILL')
    await server?.exited
  }
  await start()
  return {
    ...{ endpoint: `http://127.0.0.1:${port}`, start, kill },
    freeze: () => server?.kill('SIGSTOP'),
    thaw: () => server?.kill('SIGCONT'),
  }
}

async function answers(endpoint: string): Promise<boolean> {
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(1000) })
    return true
  } catch {
    return false
  }
}
