/** The program as one plain object: its databases, caches and recorder, opened together and closed together. */

import { type Logger, pino } from 'pino'
import { openAccountService } from './accounts/account-service.ts'
import { Catalog } from './catalog/catalog.ts'
import type { Config } from './config.ts'
import { MemoryCeiling } from './datasets/memory-ceiling.ts'
import { OpenDatasets } from './datasets/open-datasets.ts'
import { openAccounts } from './db/accounts.ts'
import { readSecret } from './db/secrets.ts'
import { LEAST_AT_ONCE, TurnKeeper } from './engine/turns.ts'
import { Answers } from './http/answers.ts'
import type { Service } from './http/service.ts'
import { KeyLookup } from './keys/key-lookup.ts'
import { DataDir } from './storage/data-dir.ts'
import { UsageRecorder } from './usage/usage.ts'

export interface App extends Service {
  /** Writes what is pending and closes every file. */
  close(): void
}

export interface AppOptions {
  /** The clock; the system's by default. */
  readonly now?: () => Date
  /** By default to stderr, at the configured level: stdout belongs to what a command prints. */
  readonly log?: Logger
}

/**
 * Opens a data folder, making what is missing, and clears away what a crashed process left there.
 * @throws CommandError `failed` when the folder or one of its databases cannot be used
 */
export function openApp(config: Config, options: AppOptions = {}): App {
  const log = options.log ?? pino({ level: config.log_level }, pino.destination(2))
  const now = options.now ?? (() => new Date())
  const dataDir = new DataDir(config.data)
  dataDir.create()
  dataDir.sweep()

  const accounts = openAccounts(dataDir.accountsDb)
  const catalog = Catalog.open(dataDir, { keepVersions: config.keep_versions })
  catalog.sweep()
  warnOfUnknownFiles(catalog, log)
  const usage = UsageRecorder.open(dataDir.usageDb, {
    onError: (error) => log.error({ err: error }, 'usage could not be written; it will be tried again'),
    onDropped: (records) => log.error({ records }, 'request log records were lost, their calls were counted'),
    retention: { seconds: config.log_retention, rows: config.log_rows },
  })
  const keys = KeyLookup.open(dataDir.accountsDb)
  const openDatasets = new OpenDatasets(
    config.memory_budget,
    new TurnKeeper({
      most: config.max_queries,
      deadline: config.query_deadline * 1000,
      leastAtOnce: LEAST_AT_ONCE,
    }),
    new MemoryCeiling(config.memory_ceiling),
  )
  return {
    config,
    dataDir,
    accounts,
    accountService: openAccountService({ db: accounts, log, config, usage, now }),
    catalog,
    keys,
    usage,
    openDatasets,
    cursorSecret: readSecret(accounts, 'cursors'),
    log,
    answers: new Answers(),
    startedAt: now(),
    now,
    close() {
      openDatasets.close()
      usage.close()
      keys.close()
      catalog.close()
      accounts.$client.close()
    },
  }
}

function warnOfUnknownFiles(catalog: Catalog, log: Logger): void {
  const files = catalog.unknownFiles().map(({ path }) => path)
  if (files.length === 0) return
  log.warn(
    { files: files.slice(0, 10), count: files.length },
    'version files that catalog.db does not know are left alone: is it older than the folder? See "datasets verify"',
  )
}
