/**
 * A PostgreSQL server for tests, from Debian's package: in a temp folder, on a loopback port, removed at the end.
 * `IZVOR_TEST_POSTGRES` names another folder of its programs. The server orders texts by Romanian rules, unlike SQLite, so
 * that a query which leaves the order to the server is noticed.
 */

import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { freePort, startListening } from './free-port.ts'
import { asNobody, isRoot, NOBODY } from './nobody.ts'
import { testVariables } from './test-variables.ts'

const BIN = testVariables.IZVOR_TEST_POSTGRES ?? '/usr/lib/postgresql/15/bin'
const USER = 'izvor'
const PASSWORD = 'a password of tests'

/** Whether tests can start one; else they are skipped, with this message once. */
export const hasPostgres = existsSync(join(BIN, 'postgres'))
if (!hasPostgres) console.warn(`PostgreSQL is not in ${BIN}: tests on it are skipped`)

export interface TestPostgres {
  /** Makes an empty database. @returns its address */
  createDatabase(): Promise<string>
  /** Stops all its processes without closing anything (SIGSTOP). */
  freeze(): void
  thaw(): void
  /** Ends it as in a crash. */
  kill(): Promise<void>
  /** Starts again on the same folder and port after `kill`. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Ends it at once, at the end of this process. */
  abandon(): void
}

/** Starts a server. Stop it in `afterAll`. @param settings besides those of every test, as in postgresql.conf */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<TestPostgres> {
  const server = new Server(settings)
  server.create()
  await server.start()
  return server
}

/** Test files share no modules, but they share the process. */
const shared = globalThis as { testPostgres?: Promise<TestPostgres> }

/** One server for all tests of this process; it ends with the process. */
export function sharedPostgres(): Promise<TestPostgres> {
  shared.testPostgres ??= startPostgres().then((server) => {
    process.on('exit', () => server.abandon())
    return server
  })
  return shared.testPostgres
}

class Server implements TestPostgres {
  readonly #folder = mkdtempSync(join(tmpdir(), 'izvor-postgres-'))
  #port = freePort()
  #hasStarted = false
  #process: Bun.Subprocess | undefined
  #databases = 0
  readonly #settings: Readonly<Record<string, string>>

  constructor(settings: Readonly<Record<string, string>>) {
    this.#settings = settings
  }

  create(): void {
    if (isRoot) chownSync(this.#folder, NOBODY, NOBODY)
    const passwords = join(this.#folder, 'password')
    writeFileSync(passwords, PASSWORD)
    const made = Bun.spawnSync([
      ...[
        ...asNobody,
        join(BIN, 'initdb'),
        '--pgdata',
        this.#data,
        '--username',
        USER,
        '--pwfile',
        passwords,
      ],
      ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions'],
      ...['--locale-provider=icu', '--icu-locale=ro'],
    ])
    if (made.exitCode !== 0) throw new Error(`initdb: ${made.stderr.toString()}`)
  }

  async start(): Promise<void> {
    const { process } = await startListening('PostgreSQL', () => this.#launch())
    this.#process = process
    this.#hasStarted = true
  }

  /** The first start chooses a port, and later ones keep it. */
  #launch() {
    if (!this.#hasStarted) this.#port = freePort()
    const settings = {
      listen_addresses: '127.0.0.1',
      port: this.#port,
      unix_socket_directories: '',
      fsync: 'off',
      shared_buffers: '16MB',
      max_connections: 200,
      log_min_messages: 'fatal',
      ...this.#settings,
    }
    const log = join(this.#folder, 'log')
    const process = Bun.spawn(
      [
        ...[...asNobody, ...(isRoot ? ['--pdeathsig=INT'] : []), join(BIN, 'postgres'), '-D', this.#data],
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { stdout: 'ignore', stderr: Bun.file(log) },
    )
    return { process, answers: () => this.#answers(), log: () => readFileSync(log, 'utf8') }
  }

  async createDatabase(): Promise<string> {
    const name = `test_${++this.#databases}`
    const sql = this.#administer()
    await sql.unsafe(`CREATE DATABASE ${name}`)
    await sql.end()
    return this.#url(name)
  }

  freeze(): void {
    this.#signal('SIGSTOP')
  }

  thaw(): void {
    this.#signal('SIGCONT')
  }

  async kill(): Promise<void> {
    this.#signal('SIGKILL')
    await this.#process?.exited
  }

  async stop(): Promise<void> {
    this.thaw()
    this.#process?.kill('SIGINT')
    await this.#process?.exited
    rmSync(this.#folder, { recursive: true, force: true })
  }

  abandon(): void {
    this.#signal('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #signal(name: NodeJS.Signals): void {
    for (const pid of this.#pids()) {
      try {
        process.kill(pid, name)
      } catch {
        // A connection's process that has ended meanwhile.
      }
    }
  }

  get #data(): string {
    return join(this.#folder, 'data')
  }

  #url(database: string): string {
    return `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.#port}/${database}`
  }

  #administer(): postgres.Sql {
    return postgres(this.#url('postgres'), { max: 1, fetch_types: false, connect_timeout: 2 })
  }

  async #answers(): Promise<boolean> {
    const sql = this.#administer()
    try {
      await sql.unsafe('SELECT 1')
      return true
    } catch {
      return false
    } finally {
      await sql.end()
    }
  }

  /** The server and the processes of its connections. */
  #pids(): number[] {
    const server = this.#process
    if (server === undefined || server.exitCode !== null) return []
    const children = Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(server.pid)]).stdout.toString()
    return [
      server.pid,
      ...children
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map(Number),
    ]
  }
}
