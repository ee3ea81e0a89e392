/** The program as one plain object: its databases, caches and recorder, opened together and closed together. */

import { availableParallelism } from 'node:os'
import { type Logger, pino } from 'pino'
import { notePublication } from './accounts/audit/audit.ts'
import { type KeyLookup, openFileKeys, openSharedKeys } from './accounts/keys/key-lookup.ts'
import { openAccountService } from './accounts/people/account-service.ts'
import type { PasswordCost } from './accounts/people/passwords/password-hash.ts'
import { accountExists } from './accounts/people/user.ts'
import { noteAccounts, refuseLostAccounts } from './accounts/usage/lost-accounts.ts'
import { type UsageOptions, UsageRecorder } from './accounts/usage/usage.ts'
import { nameBuild } from './base/build.ts'
import type { Config } from './base/config/config.ts'
import { nodeVariables } from './base/config/config.ts'
import { type LoadedConfig, loadConfig } from './base/config/load.ts'
import { ownProgram } from './base/process/own-command.ts'
import { type AccountsDb, accountsIn, openAccounts } from './db/accounts.ts'
import type { WindowStore } from './db/counts/blocks.ts'
import { postgresLedger } from './db/counts/postgres-ledger.ts'
import { SqliteLedger } from './db/counts/sqlite-ledger.ts'
import type { DatabaseAway } from './db/postgres/database-away.ts'
import { Postgres } from './db/postgres/open.ts'
import { usageOver } from './db/postgres/usage.ts'
import { readSecret } from './db/secrets.ts'
import { SlidingWindows } from './db/sliding-windows.ts'
import { KernelThreads } from './engine/kernel/kernel-threads.ts'
import { MemoryCeiling } from './engine/memory/memory-ceiling.ts'
import { LEAST_AT_ONCE, TurnKeeper } from './engine/turns.ts'
import { HeldBodies } from './http/held-bodies.ts'
import { DraftWork } from './publish/drafts/draft-work.ts'
import { TakenDownVersions } from './publish/published/take-down.ts'
import { openWholeFiles } from './publish/published/whole-files.ts'
import { BulkFiles } from './query/files/bulk-files.ts'
import { OpenDatasets } from './query/open-datasets.ts'
import { type Catalog, openCatalog } from './store/catalog/catalog.ts'
import { NodeLife } from './store/catalog/mirror/node-life.ts'
import { DataDir } from './store/files/data-dir.ts'
import { checkObjects, openObjects } from './store/objects/open-objects.ts'
import { DeskWork } from './upkeep/desk-work.ts'
import { RunningSettings } from './upkeep/setup/running-settings.ts'

export type App = Readonly<Awaited<ReturnType<typeof openApp>>>

/** What the owner of a service on a desktop can ask of the program. */
export interface Desktop {
  /** Ends the service once running requests are answered. */
  readonly end: () => void
  /** Publishes the sample datasets. @throws CommandError `failed` */
  readonly addSamples: () => Promise<void>
}

export interface AppOptions {
  readonly now?: () => Date
  /** By default to stderr, at the configured level: stdout belongs to the output of commands. */
  readonly log?: Logger
  /** The cost of hashing a password; by default OWASP's recommendation. */
  readonly passwordCost?: PasswordCost
  /** Called when the database of all nodes cannot be reached yet. */
  readonly onWaiting?: (database: DatabaseAway) => void
  readonly signal?: AbortSignal | undefined
  /** When the service began, if this is not its first process; else now. */
  readonly startedAt?: Date
  /** For a service that only this machine's user reaches. */
  readonly desktop?: Desktop | undefined
  /** The settings as given, with their origins; a worker's own settings hold its share of memory and places. */
  readonly given?: LoadedConfig | undefined
}

/**
 * Opens a data folder, makes what is missing, and removes what a crashed process left there.
 * @throws CommandError `failed` when the folder or one of its databases cannot be used; the reason of `signal`
 */
export async function openApp(config: Config, options: AppOptions = {}) {
  const log = options.log ?? pino({ level: config.log_level }, pino.destination(2))
  const { now = () => new Date(), passwordCost } = options
  const { given = { values: config, origins: loadConfig({}).origins } } = options
  const records = await openRecords(config, options, log)
  const { dataDir, database, objects, limits, accounts, keys, usage, catalog } = records
  const draftWork = new DraftWork({
    catalog,
    dataDir,
    config,
    log,
    now,
    accountExists: (id) => accountExists(accounts, id),
    notePublished: (publication) => notePublication(accounts, publication, now()),
  })
  const reading = openReading(config, dataDir, catalog)
  const { openDatasets, takenDown } = reading
  return {
    config,
    settings: new RunningSettings(config, given),
    deskWork: new DeskWork({ program: ownProgram, config, given, dataDir, now }),
    dataDir,
    /** The database of all nodes; null on a single machine. */
    database,
    /** Editions and drafts as objects; null on a single machine. */
    objects,
    accounts,
    accountService: await openAccountService({ db: accounts, log, config, usage, now, limits, passwordCost }),
    limits: limits as WindowStore,
    catalog,
    /** Follows the catalog of all nodes; null on a single machine. */
    node: openNode(catalog, log, takenDown),
    draftWork,
    keys,
    usage,
    ...reading,
    bulkFiles: new BulkFiles(dataDir, config.bulk_files, config.disk_floor, log),
    wholeFiles: openWholeFiles(ownProgram, dataDir.root, config.workers, nodeVariables(config)),
    /** Seals cursors; the same for every process on the data folder. */
    cursorSecret: await readSecret(accounts, 'cursors'),
    log,
    startedAt: options.startedAt ?? now(),
    /** null for a service that other people use. */
    desktop: options.desktop ?? null,
    now,
    async close() {
      takenDown.close()
      openDatasets.close()
      objects?.close()
      // While the files are open, since a read-only connection alone would leave its log behind.
      if (database === null) noteAccounts(dataDir)
      await usage.close()
      await limits.close()
      keys.close()
      accounts.close()
      catalog.close()
    },
  }
}

async function openRecords(config: Config, options: AppOptions, log: Logger) {
  const dataDir = new DataDir(config.data)
  const objects = openObjects(dataDir, config)
  if (objects !== null) await checkObjects(objects)
  objects?.watch(log)
  dataDir.create()
  dataDir.sweep()

  const database = config.database_url === null ? null : await connect(config.database_url, log, options)
  const limits = openCounts(dataDir, database, config, log)
  const { accounts, keys, usage } = openTables(dataDir, database, config, limits, log)
  const catalog = await openCatalog(dataDir, config, async () => database!)
  // Without the database a node continues with its copy.
  await catalog.catchUp().catch(() => {})
  catalog.sweep()
  warnOfUnknownFiles(catalog, log)
  return { dataDir, database, objects, limits, accounts, keys, usage, catalog }
}

function openNode({ shared }: Catalog, log: Logger, takenDown: TakenDownVersions): NodeLife | null {
  return shared && new NodeLife({ ...shared, program: nameBuild(), log, settle: () => takenDown.look() })
}

/** Opens what requests read datasets with, and what limits their memory. */
function openReading(config: Config, dataDir: DataDir, catalog: Catalog) {
  const ceiling = new MemoryCeiling(config.memory_ceiling)
  // Incoming bodies have a share of the memory, and are dropped before queries are refused.
  const bodies = new HeldBodies(ceiling.bytes, config.workers)
  ceiling.shed = () => bodies.shed()
  const queries = new TurnKeeper({
    most: config.max_queries,
    deadline: config.query_deadline * 1000,
    leastAtOnce: LEAST_AT_ONCE,
  })
  const threads = new KernelThreads(Math.max(1, Math.floor(availableParallelism() / config.workers)))
  const openDatasets = new OpenDatasets(config.memory_budget, queries, ceiling, dataDir.remote, threads)
  const takenDown = new TakenDownVersions(catalog, dataDir, openDatasets)
  return { bodies, openDatasets, takenDown }
}

/** Opens the counts that all processes on the folder, or all nodes, share. */
function openCounts(
  dataDir: DataDir,
  database: Postgres | null,
  { workers }: Config,
  log: Logger,
): SlidingWindows {
  if (database !== null) {
    // Assumes four nodes that hold blocks; with more nodes the blocks are larger than they need be.
    return new SlidingWindows(postgresLedger(database), { sharers: () => 4 * workers })
  }
  return new SlidingWindows(SqliteLedger.open(dataDir.limitsDb), {
    sharers: () => workers,
    onError: (error) =>
      log.error({ err: error }, 'limits.db cannot be used now; each process counts for itself'),
  })
}

function openTables(
  dataDir: DataDir,
  database: Postgres | null,
  { log_retention: seconds, log_rows: rows }: Config,
  counts: WindowStore,
  log: Logger,
): { readonly accounts: AccountsDb; readonly keys: KeyLookup; readonly usage: UsageRecorder } {
  const options: UsageOptions = {
    onError: (error) => log.error({ err: error }, 'usage could not be written; it will be tried again'),
    onDropped: (records) => log.error({ records }, 'request log records were lost, their calls were counted'),
    retention: { seconds, rows },
    counts,
  }
  if (database !== null) {
    const usage = UsageRecorder.over(usageOver(database), options)
    return { accounts: accountsIn(database), keys: openSharedKeys(database), usage }
  }
  refuseLostAccounts(dataDir)
  const accounts = openAccounts(dataDir.accountsDb)
  const usage = UsageRecorder.open(dataDir.usageDb, options)
  return { accounts, keys: openFileKeys(dataDir.accountsDb), usage }
}

function connect(url: string, log: Logger, { onWaiting, signal }: AppOptions): Promise<Postgres> {
  const tell = (error: DatabaseAway) => {
    log.warn({ err: error.cause }, 'the database cannot be reached; the service starts when it can')
    onWaiting?.(error)
  }
  return Postgres.openWhenThere(url, tell, signal)
}

function warnOfUnknownFiles(catalog: Catalog, log: Logger): void {
  const files = catalog.unknownFiles().map(({ path }) => path)
  if (files.length === 0) return
  log.warn(
    { files: files.slice(0, 10), count: files.length },
    'version files that catalog.db does not know are left alone: is it older than the folder? See "datasets verify"',
  )
}
